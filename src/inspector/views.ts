import type { View } from "./view.ts";
import { entryView } from "./views/entry.ts";
import { recallView } from "./views/recall.ts";

/** In the order of the navigation; the first is where a session begins. */
export const VIEWS: readonly View[] = [recallView, entryView];
