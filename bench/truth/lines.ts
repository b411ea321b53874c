import type { Hit, RecallResult, Status } from "../../contracts/index.ts";
import type { BenchWorker } from "../support/bench-worker.ts";
import type { DecisionRecord, Records, Supposing } from "./records.ts";

export const LINES = {
  head: "the title of a superseded record brings a current head first",
  disclosed: "the superseded record is out of the list and named in supersedes",
  rests: "what rests on superseded records names exactly those in restsOnSuperseded",
  fork: "a fork brings every head, with fork: true",
  deprecated: "deprecated heads fall away, and what was current before them is first",
  draft: "a draft only proposes: what it would replace stays first",
  before: "asOf before the successor brings the record of that time first",
  between: "asOf between successors brings the head of that time first",
  words: "'as of <day>' in the words does the same",
} as const;

/** One question that was asked, and what was wrong with the answer, if anything. */
export interface Case {
  line: string;
  /** Set and number of the record. */
  record: string;
  failure: string | null;
}

/** One set, loaded: asks, and gives entries the numbers of their records. */
class Asked {
  readonly records: Records;
  readonly #worker: BenchWorker;
  readonly #entries: ReadonlyMap<string, string>;
  readonly #numbers: ReadonlyMap<string, string>;

  constructor(worker: BenchWorker, records: Records, entries: ReadonlyMap<string, string>) {
    this.records = records;
    this.#worker = worker;
    this.#entries = entries;
    this.#numbers = new Map([...entries].map(([record, entry]) => [entry, record]));
  }

  async recall(query: string, asOf?: number): Promise<Omit<RecallResult, "window">> {
    const options = { observe: true, ...(asOf !== undefined && { asOf }) };
    const result = await this.#worker.call(this.records.variant, "recall", query, options);
    return { ...result, hits: result.hits.map((hit) => this.#numbered(hit)) };
  }

  /** The answer while some records have another status. */
  async supposing(status: ReadonlyMap<string, Status>, query: string): Promise<Hit[]> {
    const set = async (id: string, to: Status) => {
      const entry = this.#entries.get(id) ?? "";
      await this.#worker.call(this.records.variant, "setStatus", entry, to);
    };
    for (const [id, to] of status) await set(id, to);
    const { hits } = await this.recall(query);
    for (const id of status.keys()) await set(id, this.records.byId.get(id)?.status ?? "draft");
    return hits;
  }

  #numbered(hit: Hit): Hit {
    const numbers = (ids: string[] = []) => ids.map((id) => this.#numbers.get(id) ?? id).sort();
    return {
      ...hit,
      id: this.#numbers.get(hit.id) ?? hit.id,
      supersedes: numbers(hit.supersedes),
      restsOnSuperseded: numbers(hit.restsOnSuperseded),
    };
  }
}

export async function measure(
  worker: BenchWorker,
  records: Records,
  entries: ReadonlyMap<string, string>,
): Promise<Case[]> {
  const asked = new Asked(worker, records, entries);
  const cases: Case[] = [];
  const add = (line: keyof typeof LINES, { id }: DecisionRecord, failure: string | null) =>
    cases.push({ line: LINES[line], record: `${records.variant.set} ${id}`, failure });
  for (const record of records.replaced()) {
    await askNow(asked, record, add);
    await askWithoutHeads(asked, record, add);
    await askAsOf(asked, record, add);
  }
  for (const record of records.byId.values()) await askResting(asked, record, add);
  return cases;
}

type Add = (line: keyof typeof LINES, record: DecisionRecord, failure: string | null) => void;

async function askNow(asked: Asked, record: DecisionRecord, add: Add): Promise<void> {
  const heads = asked.records.headsOf(record.id);
  if (heads.length === 0) return;
  const { hits } = await asked.recall(record.title);
  add("head", record, firstIs(hits, heads));
  add("disclosed", record, isDisclosed(hits, record.id));
  if (heads.length === 1) return;
  const forked = hits.filter((hit) => hit.fork && hit.supersedes?.includes(record.id));
  add("fork", record, equal(ids(forked), heads));
}

/** The heads deprecated, which some are as it is, or made drafts. */
async function askWithoutHeads(asked: Asked, record: DecisionRecord, add: Add): Promise<void> {
  const { records } = asked;
  const heads = records.headsOf(record.id);
  const as = (status: Status) => new Map(heads.map((id) => [id, status]));

  const deprecated = { status: as("deprecated") };
  const gone = records
    .above(record.id)
    .map(({ id }) => id)
    .filter((id) => records.currentFor(id, deprecated).every((each) => each !== id));
  const without = await asked.supposing(deprecated.status, record.title);
  const back = gone.find((id) => ids(without).includes(id));
  const expected = records.currentFor(record.id, deprecated);
  add(
    "deprecated",
    record,
    back !== undefined
      ? `${back} is in the list`
      : expected.length > 0
        ? firstIs(without, expected)
        : ids(without).includes(record.id)
          ? "is in the list, and is deprecated itself"
          : null,
  );

  if (record.status !== "canonical" || heads.length === 0) return;
  const drafts = { status: as("draft") };
  const hits = await asked.supposing(drafts.status, record.title);
  const current = records.currentFor(record.id, drafts);
  const silencing = hits.find(
    (hit) => heads.includes(hit.id) && hit.supersedes?.includes(record.id),
  );
  add(
    "draft",
    record,
    silencing ? `the draft ${silencing.id} answers for it` : firstIs(hits, current),
  );
}

/** The day before each of the records that came to stand above it. */
async function askAsOf(asked: Asked, record: DecisionRecord, add: Add): Promise<void> {
  const { records } = asked;
  const times = new Set(records.above(record.id).map(({ occurredAt }) => occurredAt - 1));
  for (const asOf of [...times].filter((each) => each >= record.occurredAt).sort()) {
    const supposing: Supposing = { asOf };
    const expected = records.currentFor(record.id, supposing);
    if (expected.length === 0) continue;
    const day = new Date(asOf).toISOString().slice(0, 10);
    const check = (result: Omit<RecallResult, "window">) => {
      const later = result.hits.find((hit) => hit.occurredAt > asOf);
      if (result.asOf !== asOf) return `${day}: taken as of ${result.asOf}`;
      if (later) return `${day}: ${later.id} is in the list, and came later`;
      const wrong = firstIs(result.hits, expected);
      return wrong && `${day}: ${wrong}`;
    };
    const line = expected.includes(record.id) ? "before" : "between";
    add(line, record, check(await asked.recall(record.title, asOf)));
    add("words", record, check(await asked.recall(`${record.title} as of ${day}`)));
  }
}

async function askResting(asked: Asked, record: DecisionRecord, add: Add): Promise<void> {
  const { records } = asked;
  const grounds = records.restsOn(record.id);
  if (grounds.length === 0 || !records.currentFor(record.id).includes(record.id)) return;
  const { hits } = await asked.recall(record.title);
  const hit = hits.find(({ id }) => id === record.id);
  add("rests", record, hit ? equal(hit.restsOnSuperseded ?? [], grounds) : "is not in the list");
}

const ids = (hits: readonly Hit[]) => hits.map((hit) => hit.id);

function firstIs(hits: readonly Hit[], expected: readonly string[]): string | null {
  const [first] = hits;
  if (first !== undefined && expected.includes(first.id)) return null;
  const place = hits.findIndex((hit) => expected.includes(hit.id));
  const where = place < 0 ? "is not in the list" : `is number ${place + 1}`;
  return `${expected.join(" or ")} ${where}, ${first?.id ?? "nothing"} is first`;
}

function isDisclosed(hits: readonly Hit[], id: string): string | null {
  if (hits.some((hit) => hit.id === id)) return "is in the list";
  return hits.some((hit) => hit.supersedes?.includes(id)) ? null : "is named by no hit";
}

function equal(found: readonly string[], expected: readonly string[]): string | null {
  const [a, b] = [[...found].sort().join(" "), [...expected].sort().join(" ")];
  return a === b ? null : `expected ${b}, found ${a || "none"}`;
}
