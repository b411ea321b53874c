import type { EdgeType, Status } from "../../contracts/index.ts";
import { contentOf, read, timeOf } from "../support/sets.ts";
import type { RawDoc, Variant } from "../support/sets.ts";

export interface DecisionRecord {
  id: string;
  title: string;
  status: Status;
  /** Milliseconds; undated records count as of the time of loading. */
  occurredAt: number;
}

/** What to suppose instead of what the records say. */
export interface Supposing {
  status?: ReadonlyMap<string, Status>;
  asOf?: number;
}

/**
 * The records of one set and their real links. What is current is worked out here a second time, from the rules
 * of the contract and not from the code under test.
 */
export class Records {
  readonly variant: Variant;
  readonly byId: ReadonlyMap<string, DecisionRecord>;
  readonly #above: ReadonlyMap<string, string[]>;
  readonly #grounds: ReadonlyMap<string, string[]>;

  constructor(set: string, clock: number) {
    const raw = read<RawDoc>(`dev/${set}/docs.jsonl.gz`).filter((doc) => contentOf(doc) !== "");
    this.byId = new Map(
      raw.map(({ id, title = "", status = "", date }) => [
        id,
        { id, title, status: statusOf(status), occurredAt: timeOf(date) ?? clock },
      ]),
    );
    const edges = read<{ src: string; dst: string; type: string }>(
      `dev/${set}/edges.jsonl.gz`,
    ).filter(({ src, dst }) => this.byId.has(src) && this.byId.has(dst) && src !== dst);
    this.#above = ends(edges.filter((edge) => edge.type === "supersedes"));
    const links = edges.map((edge) => ({ ...edge, type: this.#typeOf(edge), scope: "all" }));
    this.#grounds = ends(
      links.filter(({ type }) => type === "caused_by" || type === "document_of"),
      "src",
    );
    const docs = raw.map((doc) => ({
      id: doc.id,
      scope: "all",
      content: contentOf(doc),
      kind: "semantic" as const,
      tags: [],
      status: this.byId.get(doc.id)?.status ?? "draft",
      occurredAt: timeOf(doc.date),
    }));
    this.variant = { set, name: set, docs, links, queries: [] };
  }

  /** Records under some `supersedes` link, by id. */
  replaced(): DecisionRecord[] {
    return [...this.#above.keys()].sort().flatMap((id) => this.byId.get(id) ?? []);
  }

  /** Every record above one, whatever counts, by id. */
  above(id: string): DecisionRecord[] {
    const reach = new Set<string>();
    const open = [...this.#directlyAbove(id)];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reach.has(next)) continue;
      reach.add(next);
      open.push(...this.#directlyAbove(next));
    }
    return [...reach].sort().flatMap((each) => this.byId.get(each) ?? []);
  }

  headsOf(id: string, supposing: Supposing = {}): string[] {
    return this.#liveAbove(id, supposing).filter(
      (each) => this.#liveAbove(each, supposing).length === 0,
    );
  }

  /** What answers for a record: its heads, or itself, or nothing when it is deprecated. */
  currentFor(id: string, supposing: Supposing = {}): string[] {
    const heads = this.headsOf(id, supposing);
    if (heads.length > 0) return heads;
    return this.#statusOf(id, supposing) === "deprecated" ? [] : [id];
  }

  /** Superseded records that one rests on, within two links. */
  restsOn(id: string): string[] {
    const first = this.#grounds.get(id) ?? [];
    const grounds = new Set([...first, ...first.flatMap((each) => this.#grounds.get(each) ?? [])]);
    return [...grounds].filter((each) => each !== id && this.headsOf(each).length > 0);
  }

  #directlyAbove(id: string): readonly string[] {
    return this.#above.get(id) ?? [];
  }

  /** A link to what was replaced, by a record that did not replace it, is one that rests on it. */
  #typeOf({ src, dst, type }: { src: string; dst: string; type: string }): EdgeType {
    if (type === "supersedes") return "supersedes";
    const rests = this.#above.has(dst) && !this.above(dst).some((each) => each.id === src);
    return !rests ? "relates_to" : type === "requires" ? "caused_by" : "document_of";
  }

  #liveAbove(id: string, supposing: Supposing): string[] {
    const reach = new Set<string>();
    const visit = (below: string) => {
      for (const each of this.#directlyAbove(below)) {
        const proposes = this.#isDraftOver(each, below, supposing);
        if (this.#isLater(each, supposing) || proposes || reach.has(each)) continue;
        reach.add(each);
        visit(each);
      }
    };
    visit(id);
    return [...reach].filter(
      (each) =>
        this.#statusOf(each, supposing) !== "deprecated" && !this.#isDraftOver(each, id, supposing),
    );
  }

  #isDraftOver(upper: string, lower: string, supposing: Supposing): boolean {
    return (
      this.#statusOf(upper, supposing) === "draft" &&
      this.#statusOf(lower, supposing) === "canonical"
    );
  }

  #isLater(id: string, { asOf = Infinity }: Supposing): boolean {
    return (this.byId.get(id)?.occurredAt ?? 0) > asOf;
  }

  #statusOf(id: string, supposing: Supposing): Status {
    const status = supposing.status?.get(id) ?? this.byId.get(id)?.status ?? "draft";
    const replacedLater = this.#directlyAbove(id).some((each) => this.#isLater(each, supposing));
    return status === "deprecated" && replacedLater ? "canonical" : status;
  }
}

/** For each id at one end of the edges, what stands at the other. */
function ends(edges: readonly { src: string; dst: string }[], from: "src" | "dst" = "dst") {
  const to = from === "dst" ? "src" : "dst";
  const grouped = Map.groupBy(edges, (edge) => edge[from]);
  return new Map([...grouped].map(([id, group]) => [id, group.map((edge) => edge[to])]));
}

/**
 * What was adopted is canonical even where its own header says that it was superseded: the links must tell. What
 * was turned down or given up is deprecated, and what was never settled is a draft.
 */
function statusOf(header: string): Status {
  if (/^(?:final|active|accepted|superseded|implemented|approved|partially accepted)/i.test(header))
    return "canonical";
  return /^(?:rejected|withdrawn|deferred|reverted|declined)/i.test(header)
    ? "deprecated"
    : "draft";
}
