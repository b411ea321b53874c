import { LIMITS, ORIGIN_TAG } from "../../contracts/index.ts";

/*
 * A memory is not a transcript ([CAP-11], [CAP-12]). Tags that say where a text came from are moved aside,
 * and what a pipeline leaves behind is marked. Nothing is refused and nothing is lost.
 */

/** Splits tags into those that stay and the origin they name: prefix → values, in ascending order. */
export function splitOrigin(tags: readonly string[]): {
  tags: string[];
  origin: Record<string, string[]>;
  moved: string[];
} {
  const moved = tags.filter((tag) => ORIGIN_TAG.test(tag));
  let origin: Record<string, string[]> = {};
  for (const tag of moved) {
    const groups = ORIGIN_TAG.exec(tag)?.slice(1).filter(Boolean) ?? [];
    const [prefix, value] = groups as [string, string];
    origin = mergeOrigin(origin, { [prefix]: [value] });
  }
  return { tags: tags.filter((tag) => !moved.includes(tag)), origin, moved };
}

/**
 * Both, with what `b` adds only as long as there is room: an entry that every session captures again must
 * not grow with the sessions ([CAP-7]).
 */
export function mergeOrigin(
  a: Record<string, string[]>,
  b: Record<string, string[]>,
): Record<string, string[]> {
  const merged = new Map(Object.entries(a).map(([prefix, values]) => [prefix, new Set(values)]));
  let room = LIMITS.tagsPerEntry - originSize(a);
  for (const [prefix, values] of Object.entries(b)) {
    for (const value of values) {
      const known = merged.get(prefix) ?? new Set();
      if (known.has(value) || room <= 0) continue;
      merged.set(prefix, known.add(value));
      room -= 1;
    }
  }
  return Object.fromEntries(
    [...merged.keys()].sort().map((prefix) => [prefix, [...(merged.get(prefix) ?? [])].sort()]),
  );
}

const originSize = (origin: Record<string, string[]>) => Object.values(origin).flat().length;

const MACHINE_MADE = new Set(["auto-pattern", "auto-insight", "synthesized", "rolled-up"]);

export function isExhaust(
  content: string,
  tags: readonly string[],
  source: string | null | undefined,
): boolean {
  return (
    tags.some((tag) => MACHINE_MADE.has(tag)) ||
    (source?.startsWith("system:") ?? false) ||
    isToolTraffic(content.trim())
  );
}

const TRAFFIC_TAGS =
  "think|thinking|tool_call|tool_calls|tool_use|tool_result|tool_response|function_calls|function_call|function_results|invoke";
const TRAFFIC_ELEMENT = new RegExp(`^<((?:antml:)?(?:${TRAFFIC_TAGS}))(\\s[^>]*)?>`);

/** As a whole: one element of tool traffic from the first to the last character, or such JSON. */
function isToolTraffic(text: string): boolean {
  const element = TRAFFIC_ELEMENT.exec(text);
  if (element) {
    const close = `</${element[1]}>`;
    return text.endsWith(close) && text.indexOf(close) === text.length - close.length;
  }
  if (!/^[[{]/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.length > 0 && value.every(isToolJson) : isToolJson(value);
  } catch {
    return false;
  }
}

const TOOL_TYPES = new Set([
  "tool_use",
  "tool_result",
  "tool_call",
  "function",
  "function_call",
  "function_call_output",
  "server_tool_use",
]);

function isToolJson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const has = (key: string) => Object.hasOwn(value, key);
  const { type, role } = value as { type?: unknown; role?: unknown };
  return (
    (typeof type === "string" && TOOL_TYPES.has(type)) ||
    role === "tool" ||
    role === "function" ||
    has("tool_calls") ||
    has("tool_call_id") ||
    has("function_call") ||
    (has("name") && (has("arguments") || has("input")) && Object.keys(value).length <= 4)
  );
}
