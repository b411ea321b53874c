import { LIMITS } from "../../contracts/index.ts";
import type { Method } from "../../contracts/index.ts";

/*
 * What each field of each method must refuse ([INP-1] to [INP-3]). A field is written as `details.path` names
 * it. The lists hold what people and programs really send, and one step beyond each limit.
 */

const NUMBERS = [
  -1,
  1.5,
  1e9,
  1e300,
  Number.NaN,
  Infinity,
  -Infinity,
  "10",
  "",
  null,
  true,
  [],
  {},
  10n,
];
const TEXTS = ["\0", "a\0b", "\ud800", "a\udc00b", "x\udbff", 7, null, true, [], {}, 10n];
const without = (values: readonly unknown[], ...legal: unknown[]) =>
  values.filter((value) => !legal.includes(value));

const count = (min: number, max: number) => [...NUMBERS, min - 1, max + 1];
const time = [...without(NUMBERS, 1e9), LIMITS.timeMs + 1];
const weight = [...without(NUMBERS, 1.5), 1.000_001, -0.000_001];
const word = ["", "nope", "Draft", "draft ", "DRAFT", "\0", 0, null, true, [], {}];
const flag = ["true", "", 1, 0, null, [], {}];
const id = [...TEXTS, "", "x".repeat(LIMITS.idChars + 1)];
const note = [...TEXTS, "", "x".repeat(LIMITS.noteChars + 1)];
const cursor = [...TEXTS, "", "x".repeat(LIMITS.cursorChars + 1)];
const query = [...TEXTS, "x".repeat(LIMITS.queryChars + 1)];
const content = [
  ...TEXTS,
  "",
  "x".repeat(1_100_000),
  "x".repeat(LIMITS.contentBytes + 1),
  "漢".repeat(LIMITS.contentBytes / 3 + 1),
];
const options: readonly unknown[] = [null, "x", "", 7, true, [], [1], { unknown: 1 }];
const list = [null, "a", 7, {}, { 0: "a" }, true];
const tag = [...TEXTS, "", " \t\n", "x".repeat(LIMITS.tagChars + 1), "x".repeat(5_000)];
const tags = [...list, numbered(150), numbered(LIMITS.tagsPerEntry + 1)];
const link = [
  null,
  "x",
  {},
  [],
  { type: "nope", dst: "a" },
  { type: "follows" },
  { dst: "a" },
  { type: "follows", src: "a", dst: "b" },
  { type: "follows", dst: "" },
  { type: "follows", dst: 7 },
  { type: "follows", dst: "\0" },
  { type: "follows", src: "x".repeat(LIMITS.idChars + 1) },
  { type: "follows", dst: "a", weight: 1 },
];
const metadata = [
  null,
  "x",
  7,
  true,
  [],
  [1],
  { key: "x".repeat(LIMITS.metadataBytes) },
  { key: undefined },
  { key: Number.NaN },
  { key: [[Infinity]] },
  { key: 10n },
  { key: "\0" },
  { key: ["\ud800"] },
  { "\0": 1 },
  { key: { "\ud800": 1 } },
  { key: nested(100) },
];

const classification = {
  tags,
  "tags.0": tag,
  volatility: word,
  kind: word,
  status: word,
  importance: count(0, LIMITS.importance),
  claimTag: word,
};
const captureOptions = {
  ...classification,
  source: note,
  evidenceRef: note,
  expiresAt: time,
  occurredAt: time,
  links: [
    ...list,
    Array.from({ length: LIMITS.linksPerCapture + 1 }, () => ({ type: "follows", dst: "a" })),
  ],
  "links.0": link,
  derivedFrom: [...list, numbered(LIMITS.linksPerCapture + 1)],
  "derivedFrom.0": id,
};
const changeOptions = {
  ...classification,
  source: without(note, null),
  evidenceRef: without(note, null),
  expiresAt: without(time, null),
  ifRevision: [...without(NUMBERS, 1e9), 0],
};

export const REFUSED: Readonly<Record<Method, Readonly<Record<string, readonly unknown[]>>>> = {
  recall: {
    query,
    ...inside("options", {
      topK: count(1, LIMITS.topK.max),
      tag,
      kind: word,
      status: word,
      hops: count(0, LIMITS.hops.max),
      full: flag,
      since: time,
      until: time,
      asOf: time,
      observe: flag,
      includeInactive: flag,
      includeExhaust: flag,
      explain: flag,
    }),
  },
  listRecent: inside("options", { n: count(1, LIMITS.page.max), tag, kind: word, cursor }),
  getEntry: { id, ...inside("options", { asOf: time }) },
  history: { id, ...inside("options", { n: count(1, LIMITS.page.max), cursor }) },
  changes: inside("options", {
    since: time,
    actor: note,
    tag,
    limit: count(1, LIMITS.page.max),
    cursor,
  }),
  connections: {
    id,
    ...inside("options", { type: word, direction: word, n: count(1, LIMITS.page.max), cursor }),
  },
  getTags: {},
  getCount: {},
  getStats: {},
  getBrief: inside("options", {
    maxChars: count(LIMITS.briefChars.min, LIMITS.briefChars.max),
    since: time,
    tag,
    objective: query,
  }),
  graphView: inside("options", {
    seedIds: [...list, [], numbered(150), numbered(LIMITS.seedIds + 1)],
    "seedIds.0": id,
    hops: count(0, LIMITS.hops.max),
    limit: count(1, LIMITS.graphNodes.max),
  }),
  capture: { content, ...inside("options", captureOptions) },
  captureMany: {
    items: [
      ...list,
      [],
      numbered(LIMITS.captureMany.items + 1).map((each) => ({ content: each })),
      // One character over what all contents together may hold.
      [..."123456789"].map((each) => ({
        content: each.repeat(each === "9" ? 1 : LIMITS.contentBytes),
      })),
    ],
    ...inside("items.0", { content, ...captureOptions }, [null, "x", 7, true, [], {}]),
  },
  append: { id, addition: content, ...inside("options", changeOptions) },
  update: { id, content: without(content, null), ...inside("options", changeOptions) },
  setStatus: {
    id,
    status: word,
    ...inside("options", { reason: note, ifRevision: changeOptions.ifRevision }),
  },
  forget: { id, ...inside("options", { ifRevision: changeOptions.ifRevision }) },
  link: {
    src: id,
    dst: id,
    type: word,
    ...inside("options", { provenance: word, weight, metadata }),
  },
  unlink: { src: id, dst: id, type: word },
  batch: {
    operations: [
      ...list,
      [],
      numbered(LIMITS.batch + 1).map((each) => ({ method: "capture", args: [each] })),
    ],
    ...inside(
      "operations.0",
      { method: word, args: [null, "x", 7, {}], as: [null, "", "$a", "x".repeat(33), 7] },
      [null, "x", 7, true, [], {}],
    ),
  },
  runStalenessPass: inside("options", { limit: count(1, LIMITS.passRows.max) }),
  exportPage: inside("options", { cursor }),
};

/** The fields of an object argument, and what the argument itself must refuse. */
function inside(at: string, fields: Record<string, readonly unknown[]>, whole = options) {
  const named = Object.entries(fields).map(([name, bad]) => [`${at}.${name}`, bad] as const);
  return { [at]: whole, ...Object.fromEntries(named) };
}

export function numbered(n: number): string[] {
  return Array.from({ length: n }, (_, index) => `tag${index}`);
}

/** Arrays in arrays: few bytes and many levels. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
