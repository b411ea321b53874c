import { describe, expect, it } from "vitest";
import type { Arguments, CaptureItem, EdgeType, Method } from "../../contracts/index.ts";
import { DAY, inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";

/** Rows that one call reads. */
function read<M extends Method>(bench: Bench, method: M, ...args: Arguments<M>): number {
  const before = bench.owner.getStats().usage[method]?.rowsRead ?? 0;
  (bench.owner[method] as (...args: unknown[]) => unknown)(...args);
  return bench.rowsOf(method).rowsRead - before;
}

const TAGS = 20;

/** Entries of every kind and status with tags, some stale, some expired, many changed; a hub of all of them. */
function fill({ owner, clock }: Bench, entries: number): { hub: string; ids: string[] } {
  const hub = owner.capture("the hub", { kind: "semantic" }).id;
  const ids: string[] = [];
  for (let start = 0; start < entries; start += 500) {
    const items = Array.from({ length: 500 }, (_, at): CaptureItem => {
      const n = start + at;
      return {
        content: `note ${n}`,
        tags: ["all", `t${n % TAGS}`, ...(n % 2 === 0 ? ["handoff"] : [])],
        volatility: n % 2 === 0 ? "volatile" : "state",
        ...(n % 2 === 1 && { kind: "instruction", status: "canonical" }),
        ...(n < 100 && { expiresAt: clock.now + (n % 2 === 0 ? 5 : 500) * DAY }),
        links: [{ type: "about_person", dst: hub }],
      };
    });
    ids.push(...owner.captureMany(items).results.map(({ id }) => id));
    clock.now += 1;
  }
  for (const id of ids) owner.update(id, null, { importance: 1 });
  return { hub, ids };
}

/** A hub with edges of some types into it, one type a part. */
function hubOf({ owner }: Bench, edges: number, types: readonly EdgeType[]): string {
  const hub = owner.capture("the hub", { kind: "semantic" }).id;
  for (let start = 0; start < edges; start += 500) {
    const items = Array.from({ length: 500 }, (_, at): CaptureItem => {
      const n = start + at;
      return { content: `spoke ${n}`, links: [{ type: types[n % types.length]!, dst: hub }] };
    });
    owner.captureMany(items);
  }
  return hub;
}

describe("reads of 3,500 entries cost what those of 2,500 cost", () => {
  const costs = (entries: number) =>
    inSphere((bench) => {
      const { hub } = fill(bench, entries);
      const { clock, owner } = bench;
      const lists = {
        getCount: read(bench, "getCount"),
        getTags: read(bench, "getTags"),
        "listRecent of a tag": read(bench, "listRecent", { tag: "all" }),
        "listRecent of a kind": read(bench, "listRecent", { kind: "instruction" }),
        "listRecent of a tag and a kind": read(bench, "listRecent", {
          tag: "all",
          kind: "semantic",
        }),
        "connections of a hub": read(bench, "connections", hub),
        "connections of a hub by type": read(bench, "connections", hub, { type: "about_person" }),
      };
      const first = owner.connections(hub, { n: 200 });
      const pages = {
        "a later page of a hub": read(bench, "connections", hub, { n: 5, cursor: first.next! }),
      };
      clock.now += 100 * DAY;
      return {
        ...lists,
        ...pages,
        getStats: read(bench, "getStats"),
        getBrief: read(bench, "getBrief", { since: 0 }),
        "getBrief of a common tag": read(bench, "getBrief", { tag: "all", since: 0 }),
        "getBrief of a tag that nothing has": read(bench, "getBrief", { tag: "none", since: 0 }),
      };
    });

  it("[CNT-5] [BRF-9] [LST-4] but for a row where one ends on the last there is", async () => {
    const [some, more] = [await costs(2_500), await costs(3_500)];
    for (const [name, rows] of Object.entries(more)) {
      expect(rows, name).toBeLessThanOrEqual(some[name as keyof typeof some] + 10);
    }
    expect(more.getCount).toBe(1);
    expect(more.getTags).toBeLessThanOrEqual(3 * (TAGS + 2));
    expect(more.getStats).toBeLessThanOrEqual(5_000);
    expect(more.getBrief).toBeLessThanOrEqual(15_000);
    for (const name of [
      "listRecent of a tag",
      "listRecent of a kind",
      "connections of a hub",
    ] as const) {
      expect(more[name], name).toBeLessThanOrEqual(200);
    }
    expect(more["a later page of a hub"]).toBeLessThanOrEqual(60);
  });
});

describe("changes", () => {
  it("[CHG-4] [CHG-5] reads rows by the lines it looks at, exactly, and at most 1,000 lines", async () => {
    await inSphere((bench) => {
      const { owner, as } = bench;
      as("curator", "ada").capture("first of all");
      const items = Array.from({ length: 500 }, (_, n): CaptureItem => ({ content: `note ${n}` }));
      const { id } = owner.captureMany(items).results[0]!;
      expect(read(bench, "changes", { limit: 10 })).toBe(11 + 11);
      for (let n = 0; n < 600; n++) owner.update(id, null, { importance: 1 + (n % 2) });
      expect(read(bench, "changes", { limit: 10 })).toBe(11 + 1);
      const before = read(bench, "changes", { limit: 10, actor: "ada" });
      expect(before).toBe(1_000);
      const page = owner.changes({ limit: 10, actor: "ada" });
      expect(page.entries).toEqual([]);
      const rest = owner.changes({ limit: 10, actor: "ada", cursor: page.next! });
      expect(rest).toMatchObject({ entries: [{ title: "first of all" }], next: null });
    });
  });
});

describe("a graph", () => {
  it("[GRA-4] around a hub of 10,000 edges reads at most 3,000 rows, at any limit", async () => {
    await inSphere((bench) => {
      const hub = hubOf(bench, 10_000, ["about_person"]);
      for (const limit of [1, 20, 300, 1_000, 1_500]) {
        for (const hops of [1, 3]) {
          const rows = read(bench, "graphView", { seedIds: [hub], limit, hops });
          expect(rows, `limit ${limit}, hops ${hops}`).toBeLessThanOrEqual(3_000);
          expect(bench.owner.graphView({ seedIds: [hub], limit, hops }).nodes).toHaveLength(limit);
        }
      }
    });
  });

  it("[GRA-4] around a hub of many types, or around its neighbours, reads no more", async () => {
    await inSphere((bench) => {
      const hub = hubOf(bench, 3_000, ["about_person", "part_of_project", "caused_by"]);
      const { edges } = bench.owner.connections(hub, { n: 100 });
      const spokes = edges.map((edge) => edge.src);
      for (const limit of [100, 300, 1_500]) {
        for (const seedIds of [[hub], spokes, [hub, ...spokes.slice(1)]]) {
          expect(read(bench, "graphView", { seedIds, limit, hops: 3 })).toBeLessThanOrEqual(3_000);
        }
      }
      const { edges: shown } = bench.owner.graphView({ seedIds: [hub], limit: 100 });
      expect(new Set(shown.map(({ type }) => type)).size).toBe(3);
    });
  });

  it("[GRA-4] without seeds reads at most 3,000 rows", async () => {
    await inSphere((bench) => {
      hubOf(bench, 2_000, ["about_person", "caused_by"]);
      for (const limit of [1, 300, 1_500]) {
        expect(read(bench, "graphView", { limit })).toBeLessThanOrEqual(3_000);
        expect(bench.owner.graphView({ limit }).truncated).toBe(true);
      }
    });
  });
});

describe("a maintenance pass", () => {
  it("[MNT-2] reads and writes rows by what it flags, not by what is due or exists", async () => {
    const costs = (entries: number) =>
      inSphere((bench) => {
        const { owner, clock } = bench;
        for (let start = 0; start < entries; start += 500) {
          owner.captureMany(
            Array.from({ length: 500 }, (_, n) => ({ content: `old ${start + n}` })),
          );
        }
        clock.now += 100 * DAY;
        return [10, 20, 40].map((limit) => {
          const before = bench.owner.getStats().usage["runStalenessPass"];
          expect(owner.runStalenessPass({ limit }).flagged).toBe(limit);
          const after = bench.rowsOf("runStalenessPass");
          return {
            read: after.rowsRead - (before?.rowsRead ?? 0),
            written: after.rowsWritten - (before?.rowsWritten ?? 0),
          };
        });
      });
    const [few, many] = [await costs(500), await costs(2_000)];
    expect(many).toEqual(few);
    const [ten, twenty, forty] = many;
    expect([ten!.written, twenty!.written, forty!.written]).toEqual([21, 41, 81]);
    expect(twenty!.read - ten!.read).toBeLessThanOrEqual(10 * 15);
    expect(forty!.read - twenty!.read).toBeLessThanOrEqual(20 * 15);
  });
});
