import type {
  Entry,
  EntrySummary,
  Hit,
  PathStep,
  RecallResult,
  Why,
} from "../../../contracts/entities.ts";
import type { EmptyReason } from "../../../contracts/vocabulary.ts";
import { day, printable, wrap } from "./layout.ts";

const REASONS: Readonly<Record<EmptyReason, string>> = {
  empty_workspace: "The workspace is empty: capture something first.",
  no_terms: "The query has no words to search for.",
  no_match: "No entry has these words.",
  all_filtered: "Entries have these words, but the options left all of them out.",
};

/** A recall for people: a heading a hit, its text below, and how it was found when asked. */
export function showRecall(result: RecallResult, width: number): string {
  const blocks = result.hits.map((hit, index) => showHit(hit, index + 1, width));
  if (result.reason !== null) blocks.push(REASONS[result.reason]);
  if (result.window !== null) {
    const { since, until } = result.window;
    const [from, to] = [since, until].map((end) => (end === null ? "…" : day(end)));
    blocks.push(
      `The words name a time: ${from} to ${to}; searched for "${printable(result.queryUsed)}".`,
    );
  }
  if (result.asOf !== null) blocks.push(`As things stood on ${day(result.asOf)}.`);
  if (result.degraded.length > 0) blocks.push(`Left out: ${result.degraded.join(", ")}.`);
  return blocks.join("\n\n");
}

function showHit(hit: Hit, place: number, width: number): string {
  const flags = [
    hit.stale && "stale",
    hit.inWindow && "in the window",
    hit.fork && "one of several heads",
    hit.supersedes && `supersedes ${hit.supersedes.join(" ")}`,
    hit.supersededBy && `superseded by ${hit.supersededBy.join(" ")}`,
    hit.restsOnWeaker &&
      `worth ${hit.effectiveClaim}: rests on weaker ${hit.restsOnWeaker.join(" ")}`,
    hit.restsOnSuperseded && `rests on superseded ${hit.restsOnSuperseded.join(" ")}`,
    hit.changedSince && "changed since",
    hit.matchedLater && "found by words of later",
    hit.inexact && "older revisions are not kept",
    hit.via && `via ${showPath(hit.via.from, hit.via.steps)}`,
  ];
  const lines = [
    `${String(place).padStart(2)}  ${heading(hit)}  ${hit.score.toPrecision(3)}${flagged(flags)}`,
    text(hit, width),
  ];
  if (hit.why) lines.push(wrap(showWhy(hit.why), width, "    "));
  return lines.filter(Boolean).join("\n");
}

function showWhy({ ranks, factors, matchedTerms, path }: Why): string {
  const numbers = (of: Record<string, number | null>) =>
    Object.entries(of)
      .map(([name, value]) => `${name} ${value === null ? "–" : Number(value.toPrecision(4))}`)
      .join(", ");
  return [
    `ranks: ${numbers(ranks)}`,
    `factors: ${numbers(factors)}`,
    `terms: ${matchedTerms.join(" ")}`,
    ...(path ? [`path: ${showPath(path.from, path.steps)}`] : []),
  ].join("\n");
}

function showPath(from: string, steps: readonly PathStep[]): string {
  const arrows = steps.map(({ id, type, direction }) =>
    direction === "out" ? ` —${type}→ ${id}` : ` ←${type}— ${id}`,
  );
  return from + arrows.join("");
}

export function showEntries(
  { entries, next }: { entries: EntrySummary[]; next: string | null },
  width: number,
): string {
  const blocks = entries.map((entry) => {
    const flags = [
      entry.stale && "stale",
      entry.superseded && "superseded",
      entry.exhaust && "exhaust",
    ];
    return `${heading(entry)}${flagged(flags)}\n${text(entry, width)}`;
  });
  if (blocks.length === 0) return "No entries.";
  if (next !== null) blocks.push(`More with --cursor ${next}`);
  return blocks.join("\n\n");
}

export function showEntry(entry: Entry, width: number): string {
  const flags = [
    entry.stale && "stale",
    entry.exhaust && "exhaust",
    entry.superseded && `superseded by ${entry.supersededBy.join(" ")}`,
    entry.restsOnSuperseded.length > 0 &&
      `rests on superseded ${entry.restsOnSuperseded.join(" ")}`,
  ];
  const blocks = [`${heading(entry)}  revision ${entry.revision}${flagged(flags)}`];
  if (entry.content !== "") blocks.push(text(entry, width));
  if (entry.asOf) {
    const known = entry.asOf.exact ? "" : "; older revisions are not kept, this is the oldest";
    blocks.push(`As it stood on ${day(entry.asOf.at)}${known}.`);
  }
  return blocks.join("\n");
}

type Listed = Pick<
  EntrySummary,
  "id" | "kind" | "status" | "claimTag" | "occurredAt" | "tags" | "content" | "truncated"
>;

function heading(entry: Listed): string {
  const tags = entry.tags.map((tag) => `#${printable(tag)}`).join(" ");
  return [entry.id, day(entry.occurredAt), entry.kind, entry.status, entry.claimTag, tags]
    .filter(Boolean)
    .join("  ");
}

function text(entry: Listed, width: number): string {
  const cut = entry.truncated ? " …" : "";
  return entry.content === "" ? "" : wrap(entry.content + cut, width, "    ");
}

function flagged(flags: readonly (string | false | undefined)[]): string {
  const said = flags.filter((flag) => typeof flag === "string");
  return said.length === 0 ? "" : `  [${said.join("; ")}]`;
}

export function showCaptured(
  { id, created, warnings }: { id: string; created: boolean; warnings: string[] },
  width: number,
): string {
  const lines = warnings.map((warning) => wrap(`Note: ${warning}`, width));
  return [`${id}  ${created ? "captured" : "known already"}`, ...lines].join("\n");
}
