import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import type { Method } from "../../contracts/index.ts";
import { ARGUMENT_NAMES, invalidInput } from "../../contracts/index.ts";

/*
 * A memory hands its texts to every agent that asks, so a credential in one is a credential in all their
 * prompts. Which formats there are is known to secretlint's rules; they answer at once and in linear time.
 */

/** What becomes of a recognised credential ([SEC-1], [SEC-2]). */
export const SECRET_POLICIES = ["refuse", "mask", "allow"] as const;
export type SecretPolicy = (typeof SECRET_POLICIES)[number];

/** Where a credential stands: never what it is. Offset and length in characters of the string at `path`. */
interface Finding {
  path: readonly string[];
  rule: string;
  offset: number;
  length: number;
}

/** Not longer than the shortest credential, so that masking never takes a text over a limit. */
const MASK = "[masked]";
/** No rule recognises less. */
const SHORTEST = 12;
const NAMED = 10;

/**
 * The arguments of a write as they may be stored, and what was masked in them.
 *
 * @throws MiniSphereError `invalid_input` under the policy "refuse".
 */
export function withoutSecrets<Args extends readonly unknown[]>(
  policy: Exclude<SecretPolicy, "allow">,
  method: Method,
  args: Args,
): { args: Args; masked: readonly Finding[] } {
  const found: Finding[] = [];
  const names = ARGUMENT_NAMES[method];
  const cleared = args.map((each, index) => clear(each, [names[index] ?? ""], found));
  if (found.length > 0 && policy === "refuse") throw refusal(method, found);
  return { args: cleared as unknown as Args, masked: found };
}

/** Says in the `warnings` of an answer what was masked ([SEC-2]); without any, the answer stays as it is. */
export function warnOfMasked(method: Method, result: unknown, masked: readonly Finding[]): void {
  for (const { path, rule, offset, length } of masked) {
    const [answer, [name = ""]] =
      method === "captureMany"
        ? [(result as { results: Warned[] }).results[Number(path[1])], path.slice(2)]
        : [result as Warned, path[0] === "options" ? path.slice(1) : path];
    if (answer === undefined) continue;
    answer.warnings ??= [];
    answer.warnings.push(`${name}: ${length} characters at ${offset} masked (${rule})`);
  }
}

interface Warned {
  warnings?: string[];
}

/** A copy with each credential masked; `found` gets where they were. */
function clear(value: unknown, path: readonly string[], found: Finding[]): unknown {
  if (typeof value === "string") return clearText(value, path, found);
  if (Array.isArray(value)) {
    return value.map((each, index) => clear(each, [...path, String(index)], found));
  }
  if (typeof value !== "object" || value === null) return value;
  // Names too: those of metadata are the caller's, and are quoted in paths.
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const name = clearText(key, path, found);
      return [name, clear(each, [...path, name], found)];
    }),
  );
}

function clearText(text: string, path: readonly string[], found: Finding[]): string {
  if (text.length < SHORTEST) return text;
  let cleared = "";
  let end = 0;
  for (const span of spansOf(text)) {
    found.push({ path, rule: span.rule, offset: span.start, length: span.end - span.start });
    cleared += text.slice(end, span.start) + MASK;
    end = span.end;
  }
  return cleared + text.slice(end);
}

interface Span {
  rule: string;
  start: number;
  end: number;
}

/** In order; those that touch are one, under the name of the first. */
function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  for (const span of recognise(text).sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = spans.at(-1);
    if (last === undefined || span.start > last.end) spans.push(span);
    else last.end = Math.max(last.end, span.end);
  }
  return spans;
}

function refusal(method: Method, found: readonly Finding[]) {
  const secrets = found.slice(0, NAMED).map(({ path, ...where }) => ({
    path: path.join("."),
    ...where,
  }));
  const [first] = secrets;
  const item = method === "captureMany" ? Number(found[0]?.path[1]) : undefined;
  return invalidInput(
    `${method}: ${first?.path}: holds a credential (${first?.rule}) at character ${first?.offset}, ` +
      `${first?.length} characters long; leave it out and say where it is kept.`,
    { ...first, secrets, ...(item !== undefined && { index: item }) },
  );
}

/** The part of secretlint's interface that its rules use; what they report holds no text of ours. */
interface Rule {
  meta: { id: string };
  create(context: RuleContext, options: object): { file(source: object): unknown };
}

interface RuleContext {
  createTranslator(messages: unknown): (messageId: string) => string;
  report(found: { message: string; range: readonly [number, number] }): void;
}

const PREFIX = "@secretlint/secretlint-rule-";
/**
 * `filter-comments` lets a comment in the text switch the others off. `gcp` reads files; its keys are private
 * keys in PEM, which another rule knows.
 */
const LEFT_OUT = new Set(["filter-comments", "gcp"]);
const OPTIONS: Readonly<Record<string, object>> = { aws: { enableIDScanRule: true } };
/** The number of an account opens nothing. */
const NO_SECRET = new Set(["AWSAccountID"]);

let recognisers: ((text: string) => Span[])[] | undefined;

function recognise(text: string): Span[] {
  recognisers ??= (rules as unknown as readonly Rule[])
    .filter((rule) => !LEFT_OUT.has(nameOf(rule)))
    .map(recogniserOf);
  return recognisers.flatMap((each) => each(text));
}

const nameOf = (rule: Rule) => rule.meta.id.slice(PREFIX.length);

function recogniserOf(rule: Rule): (text: string) => Span[] {
  const name = nameOf(rule);
  let spans: Span[] = [];
  const handler = rule.create(
    {
      createTranslator: () => (messageId) => messageId,
      report: ({ message, range: [start, end] }) => {
        if (!NO_SECRET.has(message)) spans.push({ rule: name, start, end });
      },
    },
    OPTIONS[name] ?? {},
  );
  return (content) => {
    spans = [];
    // Synchronous, as every write is: a rule that answered later would find nothing, and its test would fail.
    void handler.file({ content, filePath: "", ext: "", contentType: "text" });
    return spans;
  };
}
