import { CLOCK } from "../support/protocol.ts";
import type { Row } from "./corpus.ts";
import type { Question } from "./labelled.ts";
import { timesOf } from "./measured.ts";
import type { Line } from "./measured.ts";
import type { Call } from "./protocol.ts";
import type { SpeedWorker } from "./speed-worker.ts";

const RECALLS = 1_000;
const EVICTIONS = 10;
const QUERY_CHARS = 120;

export interface Heap {
  /** Bytes of the isolate after garbage collection: the object just up, and after 1,000 different recalls. */
  before: number;
  after: number;
}

/** Evicts the object, then lets it answer questions and beginnings of turns, each once. */
export async function measureHeap(
  worker: SpeedWorker,
  workspace: string,
  questions: readonly Question[],
  rows: readonly Row[],
): Promise<Heap> {
  await worker.abort(workspace);
  const inspector = await worker.inspector();
  const bytes = async () => {
    await worker.collect(workspace);
    return inspector.heapBytes();
  };
  const how = { state: "warm", committed: false, repeats: 1 } as const;
  await worker.run(workspace, { calls: [{ method: "getCount", args: [], now: CLOCK }], ...how });
  const before = await bytes();
  const step = Math.max(1, Math.floor(rows.length / RECALLS));
  const begun = rows.filter((_, index) => index % step === 0);
  const texts = [
    ...questions.map(({ text }) => text),
    ...begun.map(({ content }) => content.slice(0, QUERY_CHARS)),
  ].slice(0, RECALLS);
  const calls = texts.map((text): Call => ({ method: "recall", args: [text], now: CLOCK }));
  await worker.run(workspace, { calls, ...how });
  const after = await bytes();
  inspector.close();
  return { before, after };
}

/** The first recall after an eviction: SQLite opens the database, the sphere is opened, and recalls. */
export async function measureColdStart(
  worker: SpeedWorker,
  workspace: string,
  questions: readonly Question[],
): Promise<Line> {
  const ms: number[] = [];
  for (const { text, now } of questions.slice(0, EVICTIONS)) {
    await worker.abort(workspace);
    ms.push((await worker.first(workspace, { method: "recall", args: [text], now })).ms);
  }
  return { ...timesOf(ms), rows: {} };
}
