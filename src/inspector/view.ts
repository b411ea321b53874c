import type { Place } from "./router.ts";
import type { Session } from "./session.ts";

/** One page of the inspector. A new one is a module in `views/` and a line in `views.ts`. */
export interface View {
  /** Its name in the address. */
  id: string;
  /** Its name in the navigation; null keeps it out of there. */
  title: string | null;
  /** The method without which it has nothing to show. */
  needs: string;
  /** Draws it; called anew for each place. */
  render(session: Session, place: Place): Node;
}
