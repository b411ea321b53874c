import type { Brief, BriefItem, Stats } from "../../../contracts/entities.ts";
import { bytes, columns, day, printable, wrap } from "./layout.ts";

/** What an agent reads first, for people. Empty lists are left out. */
export function showBrief(brief: Brief, width: number): string {
  const { changes, counts, objective, omitted } = brief;
  const items = (title: string, list: readonly BriefItem[]) =>
    list.length === 0 ? [] : [[title, ...list.map((item) => showItem(item, width))].join("\n")];
  const sections = [
    ...items("Standing instructions", brief.instructions),
    ...items("Read first", brief.handoffs),
    ...(objective
      ? [
          ...items("Known", objective.knowledge),
          ...items("What happened", objective.episodes),
          ...items("Beware", objective.warnings),
        ]
      : []),
    ...(brief.warnings.length === 0
      ? []
      : [["Warnings", ...brief.warnings.map((each) => wrap(each, width, "  "))].join("\n")]),
    [
      `Since ${day(changes.since)}`,
      wrap(pairs(changes.counts), width, "  "),
      ...changes.newest.map((each) =>
        wrap(`${each.id}  ${day(each.at)}  ${each.what}: ${each.title}`, width, "  "),
      ),
    ].join("\n"),
    ...items("Stale, oldest first", brief.staleness.oldest),
    [
      "Counts",
      columns(
        [
          ["entries", counts.entries],
          ["by kind", pairs(counts.byKind)],
          ["by status", pairs(counts.byStatus)],
          ["stale", pairs(brief.staleness.byVolatility)],
          ["evidence", pairs(brief.evidence.workspace)],
          ["in this brief", pairs(brief.evidence.brief)],
        ],
        "  ",
      ),
    ].join("\n"),
  ];
  const left = Object.entries(omitted).filter(([, n]) => n > 0);
  if (left.length > 0) sections.push(`Left out for length: ${pairs(Object.fromEntries(left))}.`);
  return sections.join("\n\n");
}

function showItem(item: BriefItem, width: number): string {
  const stale = item.stale ? "  [stale]" : "";
  const cut = item.truncated ? " …" : "";
  return [
    `  ${item.id}  ${day(item.occurredAt)}  ${item.claimTag}${stale}`,
    wrap(item.content + cut, width, "    "),
  ].join("\n");
}

export function showStats(stats: Stats): string {
  const busiest = Object.entries(stats.usage).toSorted(([, a], [, b]) => b.calls - a.calls);
  const table = columns([
    ["contract", stats.contractVersion],
    ["entries", stats.entries],
    ["by kind", pairs(stats.byKind)],
    ["by status", pairs(stats.byStatus)],
    ["by volatility", pairs(stats.byVolatility)],
    ["by claim tag", pairs(stats.byClaimTag)],
    ["stale", pairs(stats.stale)],
    ["edges", stats.edges.total],
    ["by type", pairs(stats.edges.byType)],
    ["tags", stats.tags],
    ["database", stats.databaseSize === null ? "not shown" : bytes(stats.databaseSize)],
    ["next due", stats.nextDueAt === null ? "never" : day(stats.nextDueAt)],
  ]);
  const usage = busiest.map(
    ([method, { calls, rowsRead, rowsWritten }]) =>
      [method, `${calls} calls, ${rowsRead} rows read, ${rowsWritten} written`] as const,
  );
  return usage.length === 0 ? table : `${table}\n\nSince the object woke\n${columns(usage, "  ")}`;
}

function pairs(of: Readonly<Record<string, number | string>>): string {
  return Object.entries(of)
    .map(([name, n]) => `${printable(name)} ${n}`)
    .join(", ");
}
