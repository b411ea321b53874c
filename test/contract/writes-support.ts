import { ARGUMENT_NAMES } from "../../contracts/index.ts";
import type { Arguments, Entry, Method, MiniSphereApi } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Refusal } from "./suite.ts";

export const DAY = 86_400_000;

/** Any call with any arguments, as someone without types would make it. */
export function callAny(
  api: MiniSphereApi,
  method: Method,
  args: readonly unknown[],
): Promise<unknown> {
  const methods = api as unknown as Record<Method, (...args: unknown[]) => Promise<unknown>>;
  return methods[method](...args);
}

/** A copy of the arguments with the value at a path like `options.tags.0` replaced. */
export function withValueAt(
  method: Method,
  args: readonly unknown[],
  path: string,
  value: unknown,
): unknown[] {
  const [argument = "", ...rest] = path.split(".");
  const result = [...args];
  const index = ARGUMENT_NAMES[method].indexOf(argument);
  result[index] = placed(result[index], rest, value);
  return result;
}

function placed(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (!Array.isArray(target)) {
    const object = (target ?? {}) as Record<string, unknown>;
    return { ...object, [key]: placed(object[key], rest, value) };
  }
  return target.map((each, index) => (String(index) === key ? placed(each, rest, value) : each));
}

/** The clock of the workspace, once it is past a time. Reads until it is, because no clock is passed in here. */
export async function clockPast(api: MiniSphereApi, at: number): Promise<number> {
  for (;;) {
    const { at: now } = await api.getBrief();
    if (now > at) return now;
  }
}

/** An entry and its history and edges: what a refused or empty change must leave as it was. */
export async function stateOf(api: MiniSphereApi, id: string) {
  const entry: Entry = await api.getEntry(id);
  return { entry, history: await api.history(id), connections: await api.connections(id) };
}

/** `n` entries of one kind that no two of share bytes. */
export async function entries(
  api: MiniSphereApi,
  n: number,
  options: { kind?: Entry["kind"]; status?: Entry["status"] } = {},
): Promise<string[]> {
  const items = Array.from({ length: n }, (_, index) => ({
    content: `entry ${index}`,
    ...options,
  }));
  const { results } = await api.captureMany(items);
  return results.map((result) => result.id);
}

/** The refusals of calls that are under way together; fails when one of them succeeds. */
export function refusals(calls: readonly Promise<unknown>[]): Promise<Refusal[]> {
  return Promise.all(calls.map(refusal));
}

/** Something for every option of capture that the entry itself shows. */
export const GIVEN = {
  tags: ["cedar", "oak"],
  source: "https://example.org/trees",
  volatility: "durable",
  kind: "semantic",
  status: "canonical",
  importance: 4,
  claimTag: "VERIFIED",
  evidenceRef: "commit 1a2b3c",
  occurredAt: 1_000,
  expiresAt: 8_000_000_000_000_000,
} as const satisfies Arguments<"capture">[1];

/** Tags that are legal and differ. */
export const tags = (n: number) => Array.from({ length: n }, (_, index) => `t${index}`);

export const idsOf = (list: readonly { id: string }[]) => list.map((each) => each.id);
