import { corpus } from "../corpus.ts";
import type { Engine } from "./engine.ts";
import { memoryServer } from "./memory-server.ts";
import { miniSearch } from "./mini-search.ts";
import { nodeSqlite } from "./node-sqlite.ts";
import { orama } from "./orama.ts";

/*
 * node --expose-gc child.ts ENGINE SIZE SECONDS, with a channel to its parent.
 * One engine in a process of its own: indexes a corpus, then answers its questions for as long as it may.
 */

export const ENGINES = {
  "SQLite in Node": nodeSqlite,
  MiniSearch: miniSearch,
  Orama: orama,
  "MCP memory server": memoryServer,
} as const satisfies Record<string, () => Engine | Promise<Engine>>;

export interface EngineFigures {
  indexMs: number;
  /** Bytes that JavaScript holds more than before, buffers included, without the corpus itself. */
  heap: number;
  /** Milliseconds of each question, in order; fewer than there are when the time is up. */
  ms: number[];
  /** Indexes of rows that brought each question, best first. */
  hits: number[][];
}

const LIMIT = 10;
/** Questions that warm up the compiler, and repeats of a quick one. */
const WARM_UP = 3;
const REPEATS = 3;
const QUICK_MS = 50;

if (import.meta.main) {
  const [name, size, seconds] = process.argv.slice(2);
  const figures = await run(name as keyof typeof ENGINES, Number(size), Number(seconds));
  process.send?.(figures, () => process.exit(0));
}

async function run(
  name: keyof typeof ENGINES,
  size: number,
  seconds: number,
): Promise<EngineFigures> {
  const engine = await ENGINES[name]();
  const before = heapBytes();
  const { questions, indexMs } = await index(engine, size);
  const heap = heapBytes() - before;
  const end = performance.now() + seconds * 1_000;
  for (const question of questions.slice(0, WARM_UP)) await engine.search(question, LIMIT);
  const figures: EngineFigures = { indexMs, heap, ms: [], hits: [] };
  for (const question of questions) {
    if (performance.now() > end) break;
    const { ms, hits } = await ask(engine, question);
    figures.ms.push(ms);
    figures.hits.push(hits);
  }
  engine.close?.();
  return figures;
}

/** A function of its own, so that the corpus is garbage when it returns. */
async function index(
  engine: Engine,
  size: number,
): Promise<{ questions: string[]; indexMs: number }> {
  const { rows, questions } = corpus(size);
  const documents = rows.map(({ content }, id) => ({ id, content }));
  const start = performance.now();
  await engine.add(documents);
  return { questions: questions.map(({ text }) => text), indexMs: performance.now() - start };
}

async function ask(engine: Engine, question: string): Promise<{ ms: number; hits: number[] }> {
  const times: number[] = [];
  let hits: number[] = [];
  do {
    const start = performance.now();
    hits = await engine.search(question, LIMIT);
    times.push(performance.now() - start);
  } while (times.length < REPEATS && (times[0] ?? 0) < QUICK_MS);
  return { ms: Math.min(...times), hits };
}

function heapBytes(): number {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
