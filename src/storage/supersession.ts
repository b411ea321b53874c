import type { Status } from "../../contracts/index.ts";
import type { SupersedesEdge } from "./edges.ts";

/**
 * Who replaces whom, derived from `supersedes` edges (contract section 4, [SUP-1] to [SUP-4]).
 *
 * An edge src→dst is followed unless src is a draft and dst canonical. An entry is superseded when something
 * that is not deprecated is reached upward; its heads are those of them with nothing such above. Walking
 * through a deprecated entry is what keeps C over A when the B between them is deprecated ([SUP-3]); a draft
 * at the end of such a walk still only proposes to replace what is canonical ([SUP-2]). An entry whose own
 * edges were beyond the closure's limit replaces what is under it and is nobody's head ([SUP-7]).
 *
 * As of a time, edges from later entries are not followed, and what is deprecated under such an edge counts as
 * canonical ([REC-21], [REC-22]).
 */
export class Supersession {
  readonly #above = new Map<string, string[]>();
  readonly #below = new Map<string, string[]>();
  readonly #status = new Map<string, Status>();
  readonly #replacedLater = new Set<string>();
  readonly #unknown = new Set<string>();
  readonly #standings = new Map<string, Standing>();
  readonly #under = new Map<string, ReadonlySet<string>>();

  constructor(edges: readonly SupersedesEdge[], asOf = Infinity) {
    for (const edge of edges) {
      this.#status.set(edge.src, edge.srcStatus).set(edge.dst, edge.dstStatus);
      if (edge.srcOccurredAt > asOf) this.#replacedLater.add(edge.dst);
      if (edge.srcContested) this.#unknown.add(edge.src);
    }
    for (const { dst } of edges) this.#unknown.delete(dst);
    for (const id of this.#replacedLater) {
      if (this.#status.get(id) === "deprecated") this.#status.set(id, "canonical");
    }
    for (const { src, dst, srcOccurredAt } of edges) {
      const proposes = this.#status.get(src) === "draft" && this.#status.get(dst) === "canonical";
      if (srcOccurredAt > asOf || proposes) continue;
      add(this.#above, dst, src);
      add(this.#below, src, dst);
    }
  }

  isSuperseded(id: string): boolean {
    return this.#standingOf(id).superseded;
  }

  isReplacedLater(id: string): boolean {
    return this.#replacedLater.has(id);
  }

  /** Sorted; empty when it is not superseded, or when its heads are beyond the closure's limit. */
  headsOf(id: string): string[] {
    return [...this.#standingOf(id).heads].sort();
  }

  /** `id` and everything between it and one of its heads, sorted. */
  replacedBy(head: string, id: string): string[] {
    const under = this.#underHead(head);
    const between = reach(id, (each) => (this.#above.get(each) ?? []).filter((n) => under.has(n)));
    return [id, ...between].sort();
  }

  #underHead(head: string): ReadonlySet<string> {
    const known = this.#under.get(head);
    if (known) return known;
    const under = reach(head, (each) => this.#below.get(each) ?? []);
    this.#under.set(head, under);
    return under;
  }

  /** Depth first with a stack of its own, each entry once: chains are longer than a call stack. */
  #standingOf(id: string): Standing {
    const wanted = this.#question(id, this.#takesDrafts(id));
    const open = [wanted];
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const steps = this.#stepsFrom(next);
      const unanswered = steps.filter((step) => !this.#standings.has(step.key));
      if (unanswered.length > 0) {
        open.push(...unanswered);
        continue;
      }
      open.pop();
      if (!this.#standings.has(next.key)) this.#standings.set(next.key, this.#conclude(steps));
    }
    return this.#standings.get(wanted.key) ?? NOT_SUPERSEDED;
  }

  /** What to ask of each entry above: as itself when it replaces, as a passage when it does not. */
  #stepsFrom({ id, drafts }: Question): Step[] {
    return (this.#above.get(id) ?? []).map((above) => {
      const status = this.#status.get(above);
      const replaces = status !== "deprecated" && (status !== "draft" || drafts);
      return {
        ...this.#question(above, replaces ? this.#takesDrafts(above) : drafts),
        replaces,
      };
    });
  }

  #conclude(steps: readonly Step[]): Standing {
    const heads = new Set<string>();
    let superseded = false;
    for (const { key, id, replaces } of steps) {
      const above = this.#standings.get(key) ?? NOT_SUPERSEDED;
      superseded ||= replaces || above.superseded;
      for (const head of above.heads) heads.add(head);
      if (replaces && !above.superseded && !this.#unknown.has(id)) heads.add(id);
    }
    return superseded ? { superseded, heads } : NOT_SUPERSEDED;
  }

  /** Drafts replace anything but what is canonical. */
  #takesDrafts(id: string): boolean {
    return this.#status.get(id) !== "canonical";
  }

  #question(id: string, drafts: boolean): Question {
    return { key: `${drafts ? "+" : "-"}${id}`, id, drafts };
  }
}

interface Standing {
  superseded: boolean;
  heads: ReadonlySet<string>;
}

interface Question {
  key: string;
  id: string;
  /** Whether a draft above counts for the entry that is asked about. */
  drafts: boolean;
}

interface Step extends Question {
  replaces: boolean;
}

const NOT_SUPERSEDED: Standing = { superseded: false, heads: new Set() };

function add(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

/** Everything reached from `start` and not `start` itself. */
function reach(start: string, next: (id: string) => readonly string[]): Set<string> {
  const reached = new Set<string>();
  const open = [...next(start)];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...next(id));
  }
  return reached;
}
