import type { Arguments, CaptureItem, Method } from "../../contracts/index.ts";
import { CLOCK } from "../support/protocol.ts";
import { COMMON_TAG } from "./corpus.ts";
import type { Row } from "./corpus.ts";
import type { Question } from "./labelled.ts";
import { idOf } from "./ids.ts";
import { lineOf, timesOf } from "./measured.ts";
import type { Lines } from "./measured.ts";
import type { Call } from "./protocol.ts";
import type { SpeedWorker } from "./speed-worker.ts";

const CALLS = 50;
/** Recalls and captures before the first that count: the object has just been evicted. */
const WARM_UP = 50;
/** FTS5 merges sixteen segments into one: so many calls, so that each has its share of a merge. */
const BULK = { calls: 16, items: 500 };
const HOW = { state: "warm", committed: true, repeats: 1 } as const;

/** Everything that writes, until it is committed, in a fixed order; the workspace grows a little by it. */
export async function measureWrites(
  worker: SpeedWorker,
  workspace: string,
  rows: readonly Row[],
  questions: readonly Question[],
): Promise<Lines> {
  const lines: Lines = {};
  const text = texts(rows);
  const entry = (n: number) => idOf((n * 7_919) % rows.length);
  const measure = async <M extends Method>(
    name: string,
    method: M,
    argsOf: (n: number) => Arguments<M>,
    { calls = CALLS, now = CLOCK } = {},
  ) => {
    const list = Array.from({ length: calls }, (_, n): Call => ({ method, args: argsOf(n), now }));
    lines[name] = lineOf(await worker.run(workspace, { calls: list, ...HOW }));
  };

  const ask = (n: number): Arguments<"recall"> => [questions[n]?.text ?? ""];
  await warmUp(worker, workspace, (n) => ({ method: "recall", args: ask(n), now: CLOCK }));
  await warmUp(worker, workspace, () => ({ method: "capture", args: [text()], now: CLOCK }));
  await measure("recall, until committed", "recall", ask);
  await measure("capture", "capture", () => [text()]);
  await measure("capture with a tag", "capture", () => [text(), { tags: [COMMON_TAG] }]);
  await measure("capture with a link", "capture", (n) => [
    text(),
    { links: [{ type: "relates_to", dst: entry(n) }] },
  ]);
  await bulk(worker, workspace, text, lines);
  await measure("append", "append", (n) => [entry(n), text().slice(0, 200)]);
  await measure("link", "link", (n) => [entry(n), entry(n + 1), "caused_by"]);
  const pass = { calls: 4 };
  await measure("runStalenessPass, 100 due", "runStalenessPass", () => [{ limit: 100 }], pass);
  await measure("runStalenessPass, 400 due", "runStalenessPass", () => [{ limit: 400 }], pass);
  const early = { calls: 4, now: Date.UTC(2015) };
  await measure("runStalenessPass, none due", "runStalenessPass", () => [{ limit: 100 }], early);
  return lines;
}

async function warmUp(
  worker: SpeedWorker,
  workspace: string,
  call: (n: number) => Call,
): Promise<void> {
  const calls = Array.from({ length: WARM_UP }, (_, n) => call(n));
  await worker.run(workspace, { calls, ...HOW });
}

/** By turns with a bare loop over the same number of texts, so that both meet the same machine. */
async function bulk(
  worker: SpeedWorker,
  workspace: string,
  text: () => string,
  lines: Lines,
): Promise<void> {
  const samples = [];
  const bare = [];
  for (let n = 0; n < BULK.calls; n++) {
    const items = Array.from({ length: BULK.items }, (): CaptureItem => ({ content: text() }));
    const call: Call = { method: "captureMany", args: [items], now: CLOCK };
    samples.push(...(await worker.run(workspace, { calls: [call], ...HOW })));
    const others = Array.from({ length: BULK.items }, text);
    bare.push((await worker.bare(workspace, { texts: others })).ms);
  }
  lines["captureMany of 500"] = lineOf(samples);
  lines["bare loop of 500"] = { ...timesOf(bare), rows: {} };
}

/** New texts like the old ones: half of one turn and half of another. */
function texts(rows: readonly Row[]): () => string {
  let n = 0;
  const at = (index: number) => rows[index % rows.length]?.content ?? "";
  return () => {
    n++;
    const [first, second] = [at(n * 13 + 2), at(n * 29 + 7)];
    return `${first.slice(0, first.length / 2)} ${second.slice(second.length / 2)} (${n})`;
  };
}
