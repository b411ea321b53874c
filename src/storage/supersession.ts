import type { Status } from "../../contracts/index.ts";
import type { SupersedesEdge } from "./edges.ts";

/**
 * Who replaces whom, derived from `supersedes` edges (contract section 4, [SUP-1] to [SUP-4]).
 *
 * An edge src→dst is followed unless src is a draft and dst canonical. An entry is superseded when something
 * that is not deprecated is reached upward; its heads are those of them with nothing such above. Walking
 * through a deprecated entry is what keeps C over A when the B between them is deprecated ([SUP-3]); a draft
 * at the end of such a walk still only proposes to replace what is canonical ([SUP-2]).
 *
 * As of a time, edges from later entries are not followed, and what is deprecated under such an edge counts as
 * canonical ([REC-21], [REC-22]).
 */
export class Supersession {
  readonly #above = new Map<string, string[]>();
  readonly #status = new Map<string, Status>();
  readonly #replacedLater = new Set<string>();
  readonly #reach = new Map<string, ReadonlySet<string>>();

  constructor(edges: readonly SupersedesEdge[], asOf = Infinity) {
    for (const edge of edges) {
      this.#status.set(edge.src, edge.srcStatus).set(edge.dst, edge.dstStatus);
      if (edge.srcOccurredAt > asOf) this.#replacedLater.add(edge.dst);
    }
    for (const id of this.#replacedLater) {
      if (this.#status.get(id) === "deprecated") this.#status.set(id, "canonical");
    }
    for (const edge of edges) {
      if (edge.srcOccurredAt > asOf) continue;
      if (this.#status.get(edge.src) === "draft" && this.#status.get(edge.dst) === "canonical") {
        continue;
      }
      const above = this.#above.get(edge.dst);
      if (above) above.push(edge.src);
      else this.#above.set(edge.dst, [edge.src]);
    }
  }

  isSuperseded(id: string): boolean {
    return this.#liveAbove(id).length > 0;
  }

  isReplacedLater(id: string): boolean {
    return this.#replacedLater.has(id);
  }

  /** Sorted; empty when it is not superseded. */
  headsOf(id: string): string[] {
    return this.#liveAbove(id)
      .filter((each) => !this.isSuperseded(each))
      .sort();
  }

  /** `id` and everything between it and one of its heads, sorted. */
  replacedBy(head: string, id: string): string[] {
    return [id, ...this.#reachOf(id)]
      .filter((each) => each !== head && this.#reachOf(each).has(head))
      .sort();
  }

  #liveAbove(id: string): string[] {
    const replaced = this.#status.get(id);
    return [...this.#reachOf(id)].filter((each) => {
      const status = this.#status.get(each);
      return status !== "deprecated" && !(status === "draft" && replaced === "canonical");
    });
  }

  #reachOf(id: string): ReadonlySet<string> {
    const known = this.#reach.get(id);
    if (known) return known;
    const reach = new Set<string>();
    const open = [...(this.#above.get(id) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reach.has(next)) continue;
      reach.add(next);
      open.push(...(this.#above.get(next) ?? []));
    }
    this.#reach.set(id, reach);
    return reach;
  }
}
