import { MiniSphere as Deployed } from "../../src/gadget/mini-sphere.ts";
import type { Env } from "../../src/worker/env.ts";
import frontDoor from "../../src/worker/main.ts";
import { comparisonsOf } from "./comparisons.ts";
import type { Inspection } from "./inspection.ts";

export { Maintenance, WorkspaceDirectory } from "../../src/worker/main.ts";

/*
 * The Worker as it is deployed, and a back door for tests and benches: whether an object's database is sound,
 * what is in it, and its end. The object's public surface stays what it is.
 *
 *   GET /inspect/<workspace>   → Inspection
 *   GET /abort/<workspace>     → 204; the object loses its memory, and calls in flight fail
 */

export class MiniSphere extends Deployed {
  /** JSON of an `Inspection`. */
  inspect(): string {
    const all = <T>(query: string) => this.ctx.storage.sql.exec(query).toArray() as T[];
    const inspection: Inspection = {
      broken: comparisonsOf(this.ctx.storage)
        .filter(({ actual, expected }) => JSON.stringify(actual) !== JSON.stringify(expected))
        .map(({ what }) => what),
      entries: all("SELECT id, revision, status, content FROM entries"),
      revisions: all(
        `SELECT e.id, r.revision, r.changes, r.content FROM revisions AS r JOIN entries AS e USING (rid)
         ORDER BY e.id, r.revision`,
      ),
      edges: all("SELECT src, dst, type FROM edges"),
    };
    return JSON.stringify(inspection);
  }

  abort(): void {
    this.ctx.abort("A test ends this object.");
  }
}

export default {
  async fetch(request, env, ctx) {
    const [, what, workspace = ""] = new URL(request.url).pathname.split("/");
    const sphere = env.SPHERES.getByName(workspace) as unknown as BackDoor;
    if (what === "inspect") return new Response(await sphere.inspect());
    if (what !== "abort") return frontDoor.fetch(request, env, ctx);
    // The call cannot be answered by what it ends.
    await sphere.abort().catch(() => undefined);
    return new Response(null, { status: 204 });
  },
} satisfies ExportedHandler<Env>;

interface BackDoor {
  inspect(): Promise<string>;
  abort(): Promise<void>;
}
