import { existsSync, readFileSync } from "node:fs";
import type { Compared } from "./comparison.ts";
import { SETS } from "./labelled.ts";
import type { Line, Lines } from "./measured.ts";
import type { Heap } from "./memory.ts";
import { atLeast, atMost, note, unmeasured } from "./target.ts";
import type { Target } from "./target.ts";

/** Everything that one size was measured for. */
export interface Measured {
  lines: Lines;
  compared: readonly Compared[];
  heap: Heap | undefined;
  /** Bytes of the texts, in UTF-8. */
  textBytes: number;
  /** Different tags. */
  tags: number;
}

const NO_LINE: Line = { n: 0, p50: Number.NaN, p99: Number.NaN, mean: Number.NaN, rows: {} };
const WARM = "recall questions, warm";
const WOKEN = "recall questions, just woken";
const MEGABYTE = 1e6;
/** Questions that a mean of nDCG needs. */
const ENOUGH = 40;
/** What counts as flat between two sizes. */
const FLAT = 1.25;

/** The targets, judged by the largest size and, for growth, by the one of a tenth of it. */
export function judge(measured: ReadonlyMap<number, Measured>): Target[] {
  const size = Math.max(...measured.keys());
  const large = measured.get(size);
  const small = measured.get(size / 10);
  if (large === undefined) return [];
  return [
    ...againstPlain(large),
    ...quality(),
    ...growth(large, small),
    ...recallRows(large, small),
    ...writeRows(large),
    ...smallReads(large, small),
    ...maintenance(large),
    ...againstEngines(large, small),
    ...memory(large),
  ];
}

/** By set, because their questions are of different lengths. */
function againstPlain({ lines }: Measured): Target[] {
  return SETS.flatMap((set) => {
    const plain = line(lines, `plain FTS5 ${set} questions`);
    const warm = line(lines, `recall ${set} questions, warm`);
    const woken = line(lines, `recall ${set} questions, just woken`);
    return [
      atMost(`${set}: just woken p50, of plain FTS5's`, 0.4, woken.p50 / plain.p50, "×"),
      atMost(`${set}: just woken p99, of plain FTS5's`, 0.25, woken.p99 / plain.p99, "×"),
      atMost(`${set}: warm p50, of plain FTS5's`, 0.15, warm.p50 / plain.p50, "×"),
      atMost(`${set}: just woken p99, of its p50`, 6, woken.p99 / woken.p50, "×"),
      atMost(`${set}: warm p99, of its p50`, 6, warm.p99 / warm.p50, "×"),
    ];
  });
}

/** The bench of quality is its own run; its baselines are its last one that counted. */
function quality(): Target[] {
  const file = new URL("../quality/baselines.json", import.meta.url);
  if (!existsSync(file)) return [];
  const { commit, lines } = JSON.parse(readFileSync(file, "utf8")) as {
    commit: string;
    lines: Record<string, { gain: { ndcg10: [number, number, number] } }>;
  };
  const sets = Object.entries(lines).filter(([name]) => !name.includes(" "));
  const gains = sets.map(([name, { gain }]) => ({ name, gain: gain.ndcg10[0] }));
  const least = gains.reduce((a, b) => (b.gain < a.gain ? b : a));
  return [
    atLeast(
      `nDCG@10 over the plain scorer's, worst set (${least.name}; bench:quality at ${commit.slice(0, 7)})`,
      0,
      least.gain,
      "",
    ),
  ];
}

function growth(large: Measured, small: Measured | undefined): Target[] {
  const by = (name: string) => line(large.lines, name).p50 / line(small?.lines ?? {}, name).p50;
  const plain = by("plain FTS5 questions").toFixed(1);
  return [
    atMost(`growth of p50 by ten times the entries, warm (plain ${plain} ×)`, 2.5, by(WARM), "×"),
    atMost(`growth of p50 by ten times the entries, just woken`, 2.5, by(WOKEN), "×"),
  ];
}

function recallRows(large: Measured, small: Measured | undefined): Target[] {
  const names = Object.keys(large.lines).filter((name) => name.startsWith("recall "));
  const filtered = names.filter((name) => / (?:of a|since)/.test(name));
  const usual = names.filter((name) => !filtered.includes(name) && !name.includes("hops"));
  const most = ({ lines }: Measured, among: readonly string[], what: string) =>
    Math.max(0, ...among.map((name) => line(lines, name).rows[what]?.max ?? 0));
  const flat = (among: readonly string[]) =>
    small && most(large, among, "rowsRead") / most(small, among, "rowsRead");
  const warm = usual.filter((name) => name.endsWith("warm"));
  const observing = names.filter((name) => name.includes("observing"));
  return [
    atMost("rows read by a recall, at most", 500, most(large, usual, "rowsRead")),
    atMost("… and flat: of those of a tenth of the entries", FLAT, flat(usual), "×"),
    atMost("rows read with a filter, at most", 1_500, most(large, filtered, "rowsRead")),
    atMost("… and flat: of those of a tenth of the entries", FLAT, flat(filtered), "×"),
    atMost("postings read by a warm question, at most", 0, most(large, [WARM], "postingsRead")),
    atMost("postings read by any warm recall, at most", 0, most(large, warm, "postingsRead")),
    atMost("rows written by a recall, at most", 10, most(large, names, "rowsWritten")),
    atMost("rows written by an observing recall", 0, most(large, observing, "rowsWritten")),
  ];
}

function writeRows({ lines }: Measured): Target[] {
  const written = (name: string) => line(lines, name).rows["rowsWritten"]?.max;
  const capture = written("capture");
  const more = (name: string) => minus(written(name), capture);
  const bulk = line(lines, "bare loop of 500").mean / line(lines, "captureMany of 500").mean;
  return [
    atMost("rows written by a capture", 12, capture),
    atMost("rows written for a tag", 3, more("capture with a tag")),
    atMost("rows written for a link", 3, more("capture with a link")),
    atLeast("captureMany's throughput, of a bare loop's", 0.5, bulk, "×"),
  ];
}

function smallReads(large: Measured, small: Measured | undefined): Target[] {
  const names = ["getStats", "getCount", "getBrief"];
  const rows = (measured: Measured | undefined, name: string) =>
    line(measured?.lines ?? {}, name).rows["rowsRead"]?.max;
  const hub = rows(large, "graphView of a hub");
  return [
    ...names.map((name) => {
      const most = rows(large, name);
      const growing = ratio(most, rows(small, name));
      const what = `${name}: rows read, of those of a tenth of the entries (${most ?? "–"} rows)`;
      return atMost(what, FLAT, growing, "×");
    }),
    atMost("getTags: rows read for a tag", 3, ratio(rows(large, "getTags"), large.tags)),
    atMost("rows read by a graphView of a hub", 3_000, hub),
  ];
}

/** Rows of a pass over 400 due against one over 100, less what a pass costs that flags nothing. */
function maintenance({ lines }: Measured): Target[] {
  const rows = (name: string) => {
    const { rows: counted } = line(lines, `runStalenessPass, ${name}`);
    return (counted["rowsRead"]?.mean ?? Number.NaN) + (counted["rowsWritten"]?.mean ?? 0);
  };
  const [none, hundred, more] = [rows("none due"), rows("100 due"), rows("400 due")];
  const what = `rows of a pass: 400 flagged, of four times 100 flagged (none: ${none.toFixed(0)})`;
  return [atMost(what, 1.1, (more - none) / (4 * (hundred - none)), "×")];
}

function againstEngines(large: Measured, small: Measured | undefined): Target[] {
  const warm = line(large.lines, WARM).p50;
  const texts = megabytes(large.textBytes);
  return ["MiniSearch", "Orama"].flatMap((name) => {
    const of = (measured: Measured | undefined) =>
      measured?.compared.find((engine) => engine.name === name);
    const engine = of(large);
    if (engine === undefined) return [unmeasured(`against ${name}`, "faster, no worse")];
    // Whoever answers too few in time is judged by what it found in a tenth of the texts.
    const judged = engine.n < ENOUGH ? (of(small) ?? engine) : engine;
    const gain = judged.recallNdcg10 - judged.ndcg10;
    const where = judged === engine ? "" : " in a tenth of the texts";
    return [
      atMost(`warm p50, of ${name}'s`, 1, warm / engine.p50, "×"),
      atLeast(`nDCG@10 over ${name}'s (${judged.n} questions${where})`, 0, gain),
      note(`heap of ${name}; the texts are ${texts}`, megabytes(engine.heap ?? 0)),
    ];
  });
}

function memory({ heap }: Measured): Target[] {
  const grown = heap && (heap.after - heap.before) / MEGABYTE;
  return [atMost("heap growth over 1,000 recalls, MB", 32, grown)];
}

const line = (lines: Lines, name: string): Line => lines[name] ?? NO_LINE;

const minus = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? undefined : a - b;

const ratio = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? undefined : a / b;

const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(0)} MB`;
