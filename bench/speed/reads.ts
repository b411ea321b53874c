import type { Arguments, Method, RecallOptions } from "../../contracts/index.ts";
import { CLOCK } from "../support/protocol.ts";
import { COMMON_TAG, PERSON, PROJECT, RARE_TAG } from "./corpus.ts";
import { SETS } from "./labelled.ts";
import type { Question } from "./labelled.ts";
import { idOf } from "./ids.ts";
import { lineOf, timesOf } from "./measured.ts";
import type { Line, Lines } from "./measured.ts";
import type { Call, Sample, State } from "./protocol.ts";
import type { Queries } from "./queries.ts";
import type { SpeedWorker } from "./speed-worker.ts";

/** Of each call, of which the least counts. */
const REPEATS = { woken: 2, warm: 3, plain: 3 };
/** Calls of a read that has no query. */
const CALLS = 20;
const DAY = 86_400_000;
/** Questions that filters and hops are tried with. */
const SOME = 24;

export interface Reads {
  lines: Lines;
  /** Ids that brought each question, best first. */
  hits: { recall: string[][]; plain: string[][] };
}

type Asked = Pick<Question, "text" | "now">;

/** Everything that only reads, in a fixed order: recalls count, so rows depend on what was asked before. */
export async function measureReads(
  worker: SpeedWorker,
  workspace: string,
  questions: readonly Question[],
  queries: Queries,
): Promise<Reads> {
  const lines: Lines = {};
  const recall = async (name: string, asked: readonly Asked[], options: RecallOptions = {}) => {
    const run = (state: State, repeats: number) =>
      recallAll(worker, workspace, asked, options, { state, repeats });
    const woken = await run("woken", REPEATS.woken);
    lines[`recall ${name}, just woken`] = lineOf(woken);
    // Once so that everything has been asked before, then under the stopwatch.
    // Twice: a list that was spared at first is read when it is asked for again.
    await run("warm", 2);
    const warm = await run("warm", REPEATS.warm);
    lines[`recall ${name}, warm`] = lineOf(warm);
    return { woken, warm };
  };
  const plain = async (name: string, asked: readonly Asked[]) => {
    const texts = asked.map(({ text }) => text);
    const samples = await worker.plain(workspace, { queries: texts, repeats: REPEATS.plain });
    lines[`plain FTS5 ${name}`] = lineOf(samples);
    return samples;
  };

  const asked = await plain("questions", questions);
  const { woken, warm } = await recall("questions", questions);
  const opening = woken.map(({ openMs }) => Math.min(...openMs));
  lines["opening a sphere"] = { ...timesOf(opening), rows: {} };
  for (const set of SETS) {
    const of = (samples: readonly Sample[]) =>
      lineOf(samples.filter((_, index) => questions[index]?.set === set));
    lines[`plain FTS5 ${set} questions`] = of(asked);
    lines[`recall ${set} questions, just woken`] = of(woken);
    lines[`recall ${set} questions, warm`] = of(warm);
  }
  const some = questions.slice(0, SOME);
  await recall("hops 0", some, { hops: 0 });
  await recall("hops 3", some, { hops: 3 });
  await recall("observing", some, { observe: true });
  for (const [kind, texts] of Object.entries(queries) as [string, string[]][]) {
    const drawn = texts.map((text) => ({ text, now: CLOCK }));
    await plain(`${kind} words`, drawn);
    await recall(`${kind} words`, drawn);
  }
  await recall("hub's words", [{ text: "Mira Okafor and the atlas project", now: CLOCK }]);
  for (const [name, options] of FILTERS) await recall(name, some, options);
  for (const [name, method, ...args] of SMALL_READS) {
    lines[name] = await small(worker, workspace, { method, args, now: CLOCK });
  }
  return { lines, hits: { recall: hitsOf(woken), plain: hitsOf(asked) } };
}

const FILTERS: [string, RecallOptions][] = [
  ["of a common tag", { tag: COMMON_TAG }],
  ["of a rare tag", { tag: RARE_TAG }],
  ["of a kind", { kind: "instruction" }],
  ["since 90 days", { since: CLOCK - 90 * DAY }],
  ["of a month", { since: CLOCK - 500 * DAY, until: CLOCK - 470 * DAY }],
];

const read = <M extends Method>(name: string, method: M, ...args: Arguments<M>) =>
  [name, method, ...args] as [string, Method, ...unknown[]];

const SMALL_READS = [
  read("getBrief", "getBrief"),
  read("getBrief since a week", "getBrief", { since: CLOCK - 7 * DAY }),
  read("getBrief for an objective", "getBrief", { objective: "plan the release of the app" }),
  read("getStats", "getStats"),
  read("getCount", "getCount"),
  read("getTags", "getTags"),
  read("listRecent", "listRecent"),
  read("listRecent of a tag", "listRecent", { tag: COMMON_TAG }),
  read("listRecent of a kind", "listRecent", { kind: "instruction" }),
  read("graphView", "graphView"),
  read("graphView of a hub", "graphView", { seedIds: [idOf(PERSON)] }),
  read("graphView of two hubs, hops 3, 1,500 nodes", "graphView", {
    seedIds: [idOf(PERSON), idOf(PROJECT)],
    hops: 3,
    limit: 1_500,
  }),
  read("getEntry of a hub", "getEntry", idOf(PERSON)),
  read("connections of a hub", "connections", idOf(PERSON)),
];

function recallAll(
  worker: SpeedWorker,
  workspace: string,
  asked: readonly Asked[],
  options: RecallOptions,
  how: { state: State; repeats: number },
): Promise<Sample[]> {
  const calls = asked.map(({ text, now }): Call => ({
    method: "recall",
    args: [text, options],
    now,
  }));
  return worker.run(workspace, { calls, committed: false, ...how });
}

async function small(worker: SpeedWorker, workspace: string, call: Call): Promise<Line> {
  const calls = Array.from({ length: CALLS }, () => call);
  return lineOf(
    await worker.run(workspace, { calls, state: "warm", committed: false, repeats: 1 }),
  );
}

const hitsOf = (samples: readonly Sample[]) => samples.map(({ hits }) => hits ?? []);
