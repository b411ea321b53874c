import { expect, it } from "vitest";
import type { CaptureItem } from "../../contracts/index.ts";
import { KINDS, STATUSES, VOLATILITIES } from "../../contracts/index.ts";
import { DAY, NOW, inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";
import { interceptingSql } from "../support/storage-proxy.ts";

/** Scans that are bounded by what is scanned (ids that were bound, one row a walk) or by a LIMIT in its order. */
const BOUNDED_SCANS = [
  /VIRTUAL TABLE/,
  /^SCAN (\d+ )?CONSTANT ROWS?$/,
  /^SCAN each$/,
  /^SCAN \(subquery-\d+\)$/,
  // Recursive walks: up (supersession), r (grounds).
  /^SCAN (up|r)$/,
  // Ids that were bound, and the types of edges.
  /^SCAN \d+-ROW VALUES CLAUSE$/,
  // What is looked at (c, v: candidates, events; t: of a tag), a subquery with a LIMIT in its order.
  /^SCAN [cvt]$/,
  // A few rows.
  /^SCAN meta$/,
  // Every tag is what getTags answers with.
  /^SCAN tag_counts$/,
  // Newest first and any edges, both in key order under a LIMIT.
  /^SCAN (runs|edges)$/,
  // A row for 256 entries, once when the object has woken.
  /^SCAN doc_values$/,
  // One row a block of the index, when an entry is forgotten.
  /^SCAN entries_fts_idx$/,
];

it("no statement of any method scans a table that grows", async () => {
  const statements = new Map<string, unknown[]>();
  await inSphere(
    (bench) => {
      statements.clear();
      callEveryMethod(bench);
      const scans = [...statements].flatMap(([query, bindings]) =>
        bench.storage.sql
          .exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`, ...bindings)
          .toArray()
          .map(({ detail }) => detail)
          .filter((detail) => detail.startsWith("SCAN"))
          .filter((detail) => !BOUNDED_SCANS.some((bounded) => bounded.test(detail)))
          .map((detail) => `${detail}: ${query}`),
      );
      expect(statements.size).toBeGreaterThan(50);
      expect(scans).toEqual([]);
    },
    {
      wrap: (storage) =>
        interceptingSql(storage, (exec, query, bindings) => {
          statements.set(query, bindings);
          return exec(query, ...bindings);
        }),
    },
  );
});

it("a page of the edges of a hub reads rows by the page, not by the hub", async () => {
  const cost = (edges: number) =>
    inSphere(({ owner, rowsOf }) => {
      const hub = owner.capture("the hub").id;
      const items = Array.from({ length: edges }, (_, index) => ({
        content: `spoke ${index}`,
        links: [{ type: "caused_by" as const, dst: hub }],
      }));
      owner.captureMany(items);
      expect(owner.connections(hub, { n: 10 }).edges).toHaveLength(10);
      return rowsOf("connections").rowsRead;
    });
  expect(await cost(400)).toEqual(await cost(40));
});

it("a brief and statistics read rows by what they show, not by the entries there are", async () => {
  const cost = (entries: number) =>
    inSphere(({ owner, clock, rowsOf }) => {
      owner.captureMany(
        Array.from({ length: entries }, (_, index) => ({
          content: `note ${index}`,
          status: index % 2 ? "canonical" : "draft",
        })),
      );
      owner.capture("read this first", { tags: ["handoff", "all"] });
      owner.capture("do it so", { kind: "instruction", status: "canonical", tags: ["all"] });
      clock.now += DAY;
      const brief = owner.getBrief({ since: clock.now, tag: "all" });
      expect([brief.handoffs.length, brief.instructions.length]).toEqual([1, 1]);
      owner.getStats();
      return [rowsOf("getBrief").rowsRead, rowsOf("getStats").rowsRead];
    });
  expect(await cost(400)).toEqual(await cost(40));
});

it("[MNT-2] flagging an entry as stale writes two rows", async () => {
  const cost = (entries: number) =>
    inSphere(({ owner, clock, rowsOf }) => {
      owner.captureMany(
        Array.from({ length: entries }, (_, index) => ({ content: `old ${index}` })),
      );
      clock.now += 100 * DAY;
      expect(owner.runStalenessPass().flagged).toBe(entries);
      return rowsOf("runStalenessPass").rowsWritten;
    });
  expect((await cost(30)) - (await cost(10))).toBe(20 * 2);
});

function callEveryMethod({ owner, clock, sql }: Bench): void {
  const items = Array.from({ length: 40 }, (_, index): CaptureItem => ({
    content: `note ${index} alpha beta word${index}`,
    tags: ["all", `t${index % 5}`],
    kind: KINDS[index % 3]!,
    status: STATUSES[index % 2]!,
    volatility: VOLATILITIES[index % 3]!,
    occurredAt: NOW - index * DAY,
    ...(index % 10 === 0 && { expiresAt: NOW + DAY }),
  }));
  const [a, b, c, d, e] = owner.captureMany(items).results.map(({ id }) => id) as [
    string,
    string,
    string,
    string,
    string,
  ];
  owner.link(d, a, "supersedes");
  owner.link(b, a, "relates_to", { weight: 0.9 });
  owner.link(b, a, "relates_to", { weight: 1 });
  owner.link(c, a, "caused_by");
  owner.unlink(b, a, "relates_to");
  owner.capture(items[4]!.content, { tags: ["again"], links: [{ type: "caused_by", dst: b }] });
  owner.append(e, "more", { tags: ["x"] });
  owner.update(e, "other text", { tags: ["y"], kind: "instruction" });
  owner.setStatus(e, "deprecated");

  clock.now += 20 * DAY;
  const filter = { tag: "t1", kind: "semantic", status: "canonical", since: 0 } as const;
  owner.recall("alpha word3", { hops: 2 });
  owner.recall("alpha word3", filter);
  owner.recall("in August 2026", filter);
  owner.recall("alpha word3 as of August 2026", filter);
  owner.listRecent();
  owner.listRecent({ kind: "semantic" });
  owner.listRecent({ tag: "all", kind: "semantic" });
  owner.getEntry(c);
  owner.history(e);
  owner.connections(a);
  owner.getTags();
  owner.getCount();
  owner.getStats();
  owner.getBrief({ objective: "alpha", tag: "all" });
  owner.changes({ tag: "all", since: 0 });
  owner.exportPage();
  owner.graphView();
  owner.graphView({ seedIds: [a], hops: 2 });
  owner.runStalenessPass({ limit: 1 });
  owner.forget(d);
  sql.run("DELETE FROM meta");
  owner.capture("the index is older than the analyzer now");
}
