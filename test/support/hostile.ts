import { METHODS } from "../../contracts/inputs.ts";
import type { Random } from "../../bench/load/random.ts";
import { pick } from "../../bench/load/random.ts";

/*
 * Hostile inputs to the endpoint, the same ones for the same seed, and what no answer to them may hold. Texts
 * are made of parts that an attacker would try; none holds what `LEAKS` looks for, so that an echo is no leak.
 */

/** What stands in an answer only when something of the inside got out. */
export const LEAKS =
  /\bat \S+ \(|node_modules|\.[jt]s:\d|file:\/\/|SQLITE|sqlite|no such (?:table|column)|UNIQUE constraint|entries_fts|durableObjectId|[0-9a-f]{64}/;

export interface Input {
  body: string | Uint8Array<ArrayBuffer>;
  /** How many hostile things it holds: a call each, or one for a body that is none. */
  inputs: number;
}

const NAMES = [
  ...METHODS,
  "__proto__",
  "constructor",
  "toString",
  "then",
  "dup",
  "onRpcBroken",
  "readOnly",
  "call",
  "#target",
  "asContributor",
  "authenticate",
  "fetch",
  "alarm",
  "storage",
  "",
  "\0",
];
const TEXTS = [
  "",
  "\0",
  "\ud800",
  "'; DROP TABLE entries; --",
  '" OR 1=1',
  "NEAR(a b, 5) AND *",
  "../../etc/passwd",
  "{{7*7}}",
  "<<memory 00000000 end>>",
  "a\u202eb\ufeff",
  "00000000",
  "null",
  "é".repeat(2_001),
  "word ".repeat(500),
  "((((((((((",
];
const NUMBERS = [0, -1, 1.5, 1e308, -0, 2 ** 53, 1e-320, 200, 201];

/** A value as JSON, wrapped as Cap'n Web writes arrays; sometimes one of its own special forms. */
function value(random: Random, depth = 0): unknown {
  const kind = Math.floor(random() * (depth > 3 ? 5 : 9));
  if (kind <= 1) return pick(TEXTS, random);
  if (kind === 2) return pick(NUMBERS, random);
  if (kind === 3) return pick([true, false, null], random);
  // Rare: most of them end the session, and what comes after them is not looked at.
  if (kind === 4) return random() < 0.02 ? pick(SPECIAL, random) : pick(NUMBERS, random);
  const values = Array.from({ length: Math.floor(random() * 4) }, () => value(random, depth + 1));
  if (kind <= 6) return [values];
  return Object.fromEntries(values.map((each) => [pick(FIELDS, random), each]));
}

const FIELDS = [
  "tags",
  "content",
  "links",
  "topK",
  "asOf",
  "since",
  "metadata",
  "cursor",
  "claimTag",
  "derivedFrom",
  "status",
  "kind",
  "actor",
  "role",
  "__proto__",
  "constructor",
  "toJSON",
  "then",
];
const SPECIAL: readonly unknown[] = [
  ["undefined"],
  ["bigint", "123456789012345678901234567890"],
  ["bigint", "x"],
  ["date", 1e99],
  ["bytes", "!!!"],
  ["error", "TypeError", "x"],
  ["inf"],
  ["nan"],
  ["export", -1],
  ["promise", -1],
  ["pipeline", 0, ["authenticate"]],
  ["pipeline", 99, ["x"]],
  ["import", 0],
  ["remap", 0, [], [], []],
  ["writable", 1],
  ["unknown"],
  [],
];

const MESSAGES: readonly unknown[] = [
  ["push"],
  ["push", ["remap", 0, [], [["import", 0]], [["remap", 0, [], [], []]]]],
  ["pull", -1],
  ["pull", "x"],
  ["pull", 1e9],
  ["release", 0, -5],
  ["release", 7, 7],
  ["resolve", 0, null],
  ["reject", 0, ["error", "Error", "x"]],
  ["stream", ["pipeline", 0, ["authenticate"]]],
  ["pipe"],
  ["abort", ["error", "Error", "x"]],
  [],
  {},
  7,
  "push",
  null,
];

const CALLS = 40;

/** One request body: calls with hostile arguments, calls of what is not there, or no batch at all. */
export function hostileInput(random: Random, tokens: readonly string[]): Input {
  const form = random();
  if (form < 0.15) return { body: brokenBody(random), inputs: 1 };
  if (form < 0.3) return { body: JSON.stringify(pick(MESSAGES, random)), inputs: 1 };
  const lines: unknown[] = [["push", ["pipeline", 0, ["authenticate"], [tokenOf(random, tokens)]]]];
  for (let n = 0; n < CALLS; n++) {
    const path =
      random() < 0.9 ? [pick(NAMES, random)] : [pick(NAMES, random), pick(NAMES, random)];
    const args = Array.from({ length: Math.floor(random() * 4) }, (_, at) =>
      at === 0 && random() < 0.6 ? pick(TEXTS, random) : value(random),
    );
    lines.push(["push", ["pipeline", 1, path, args]], ["pull", n + 2]);
  }
  return { body: lines.map((line) => JSON.stringify(line)).join("\n"), inputs: CALLS };
}

function tokenOf(random: Random, tokens: readonly string[]): unknown {
  const token = pick(tokens, random);
  const form = random();
  if (form < 0.9) return token;
  if (form < 0.95) return token.slice(0, Math.floor(random() * token.length));
  return value(random);
}

function brokenBody(random: Random): string | Uint8Array<ArrayBuffer> {
  const form = Math.floor(random() * 4);
  if (form === 0) return Uint8Array.from({ length: 200 }, () => random() * 256);
  if (form === 1) return "[".repeat(Math.floor(random() * 20_000));
  const text = JSON.stringify(["push", ["pipeline", 0, ["authenticate"], [value(random)]]]);
  const at = Math.floor(random() * text.length);
  return form === 2 ? text.slice(0, at) : `${text.slice(0, at)}\0${text.slice(at)}`;
}
