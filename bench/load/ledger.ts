import type { EdgeType, Status } from "../../contracts/index.ts";
import type { Inspection, StoredRevision } from "../../test/support/inspection.ts";

/** A write that was answered, and what must be there because of it. */
export type Answered =
  | { method: "capture"; id: string; content: string }
  | { method: "append"; id: string; revision: number; addition: string }
  | { method: "update"; id: string; revision: number; content: string }
  | { method: "setStatus"; id: string; revision: number; status: Status }
  | { method: "link"; src: string; dst: string; type: EdgeType };

/** What agents know of one workspace's writes. */
export interface Ledger {
  /** Entries before the run. */
  loaded: number;
  answered: Answered[];
  /** Captures whose answer never came: each may be there or not. */
  doubtful: number;
}

/** What is wrong in a workspace, a sentence each. */
export function faultsOf(ledger: Ledger, inspection: Inspection): string[] {
  const stored = new Stored(inspection);
  return [
    ...inspection.broken.map((what) => `not as the entries say: ${what}`),
    ...ledger.answered
      .filter((write) => !stored.has(write))
      .map((write) => `lost: ${JSON.stringify(write)}`),
    ...overwritten(ledger.answered),
    ...inspection.entries
      .filter(({ id, revision }) => revision !== 1 + stored.revisionsOf(id).length)
      .map(({ id }) => `${id} has a revision that is not in its history`),
    ...miscounted(ledger, inspection.entries.length),
  ];
}

class Stored {
  readonly #entries: ReadonlyMap<string, Inspection["entries"][number]>;
  readonly #revisions: ReadonlyMap<string, StoredRevision[]>;
  readonly #edges: ReadonlySet<string>;

  constructor({ entries, revisions, edges }: Inspection) {
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#revisions = Map.groupBy(revisions, (each) => each.id);
    this.#edges = new Set(edges.map(edgeKey));
  }

  revisionsOf(id: string): StoredRevision[] {
    return this.#revisions.get(id) ?? [];
  }

  has(write: Answered): boolean {
    switch (write.method) {
      case "capture":
        return this.#textAt(write.id, 1) === write.content;
      case "append":
        return this.#textAt(write.id, write.revision)?.endsWith(`\n\n${write.addition}`) === true;
      case "update":
        return this.#textAt(write.id, write.revision) === write.content;
      case "setStatus":
        return this.#statusAt(write.id, write.revision) === write.status;
      case "link":
        return this.#edges.has(edgeKey(write));
    }
  }

  /** A revision keeps what was before it, so the text of one stands in the next that changed it. */
  #textAt(id: string, revision: number): string | undefined {
    const next = this.#after(id, revision).find((each) => each.content !== null);
    return next?.content ?? this.#entries.get(id)?.content;
  }

  #statusAt(id: string, revision: number): string | undefined {
    for (const { changes } of this.#after(id, revision)) {
      const { status } = JSON.parse(changes) as { status?: [string, string] };
      if (status !== undefined) return status[0];
    }
    return this.#entries.get(id)?.status;
  }

  #after(id: string, revision: number): StoredRevision[] {
    return this.revisionsOf(id).filter((each) => each.revision > revision);
  }
}

const edgeKey = ({ src, dst, type }: { src: string; dst: string; type: string }) =>
  `${src} ${type} ${dst}`;

/** Two new texts cannot both have been made the same revision of an entry. */
function overwritten(answered: readonly Answered[]): string[] {
  const texts = answered.flatMap((write) =>
    write.method === "append" || write.method === "update"
      ? [`${write.id} revision ${write.revision}`]
      : [],
  );
  return texts
    .filter((each, at) => texts.indexOf(each) !== at)
    .map((each) => `answered twice: ${each}`);
}

function miscounted({ loaded, answered, doubtful }: Ledger, entries: number): string[] {
  const least = loaded + answered.filter(({ method }) => method === "capture").length;
  if (entries >= least && entries <= least + doubtful) return [];
  return [`${entries} entries, where ${least} were answered and ${doubtful} are in doubt`];
}
