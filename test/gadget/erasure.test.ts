import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { Sphere } from "../../src/gadget/sphere.ts";
import { dumpOf } from "../support/dump.ts";
import type { Dump } from "../support/dump.ts";
import { expectInvariant } from "../support/invariant.ts";
import { NOW, callsOf } from "../support/sphere.ts";
import type { Calls } from "../support/sphere.ts";

/** Traces are inner parts of words: the blocks of an index share the beginnings of neighbouring words. */
const TEXTS = [
  ["The zugzwang befuddled quizzaciously", ["ugzwang", "fuddl", "zzacious"]],
  ["wyrmholeGateXv klaxon_qrt src/zyzzyva/jq.ts", ["wyrmhole", "laxon", "yzzyva"]],
  ["魑魅魍魎跋扈饕餮", ["魑魅", "魍魎", "饕餮", "扈"]],
  ["薔薇ヴィオロン ฌานสมาบัติ", ["薔薇", "ヴィオ", "ฌาน"]],
  ["🦤🪼 zebrafinchling", ["🦤", "🪼", "finchling"]],
] as const;

/** Of the tags, the evidence, the sources, the origin and an edge's metadata of the entry below. */
const ATTRIBUTES = [
  "ultraviolet",
  "vantablack",
  "periwinkle",
  "xylographic",
  "mauvetag",
  "chartreus",
  "celadon",
  "heliotrope",
  "gamboge",
];

describe("forget", () => {
  it("[FGT-1] leaves no row of the entry, and counts what went with it", async () => {
    const tick = openWorkspace();
    const id = await tick(({ owner }) => {
      const { id } = owner.capture("soon gone", { tags: ["one", "two"] });
      owner.link(id, owner.capture("stays").id, "relates_to");
      owner.link(owner.capture("stays too").id, id, "caused_by");
      owner.update(id, "soon gone indeed");
      owner.setStatus(id, "canonical");
      owner.recall("gone");
      return id;
    });
    expect((await tick(({ owner }) => owner.forget(id))).removed).toEqual({
      edges: 2,
      revisions: 2,
      tags: 2,
    });
    const after = await tick(({ dump }) => dump());
    for (const table of ["tags", "edges", "revisions", "recalls"]) {
      expect(after[table]).toEqual([]);
    }
    for (const table of ["entries", "entries_fts", "entries_fts_content", "entries_fts_docsize"]) {
      expect(after[table]).toHaveLength(2);
    }
  });

  it("[FGT-4] leaves the id in the audit log, and nowhere else", async () => {
    const tick = openWorkspace();
    const id = await tick(({ owner }) => {
      const { id } = owner.capture("a middle");
      owner.link(owner.capture("above").id, id, "supersedes");
      owner.link(id, owner.capture("below").id, "supersedes");
      return id;
    });
    await tick(({ owner }) => owner.forget(id));
    const { events, ...rest } = await tick(({ dump }) => dump());
    expect(holders(cellsOf({ events: events! }), id)).not.toEqual([]);
    expect(holders(cellsOf(rest), id)).toEqual([]);
  });

  it("[FGT-3] leaves no trace of a text, in any script, nor of what hung on it", async () => {
    const traces = [...TEXTS.flatMap(([, words]) => words), ...ATTRIBUTES];
    const tick = openWorkspace();
    await tick(({ owner }) => fill(owner, 0));
    const ids = await tick(({ owner }) => [
      ...TEXTS.map(([text]) => owner.capture(text).id),
      captureWithEverything(owner),
    ]);
    await tick(({ owner }) => fill(owner, 1));
    const before = cellsOf(await tick(({ dump }) => dump()));
    expect(traces.filter((trace) => holders(before, trace).length === 0)).toEqual([]);

    for (const id of ids) await tick(({ owner }) => owner.forget(id));
    const after = cellsOf(await tick(({ dump }) => dump()));
    expect(traces.flatMap((trace) => holders(after, trace))).toEqual([]);

    await tick(({ owner }) => fill(owner, 2));
    const merged = cellsOf(await tick(({ dump }) => dump()));
    expect(traces.flatMap((trace) => holders(merged, trace))).toEqual([]);
    await tick(({ storage }) => expectInvariant(storage));
  });

  it("[FGT-3] leaves none of an entry's thousands of words in an index of many blocks", async () => {
    const words = Array.from({ length: 3_000 }, (_, at) => `${word(at)}q${word(at + 9)}`);
    const tick = openWorkspace();
    const id = await tick(({ owner }) => {
      fill(owner, 0);
      const { id } = owner.capture(words.join(" "));
      fill(owner, 1);
      return id;
    });
    await tick(({ owner }) => owner.forget(id));
    const after = await tick(({ dump }) => dump());
    const terms = new Set(after["entries_vocab"]!.map((row) => row["term"]));
    expect(words.filter((each) => terms.has(each))).toEqual([]);
    const cells = cellsOf(after);
    const sample = words.map((each) => each.slice(2, -2));
    expect(sample.flatMap((trace) => holders(cells, trace))).toEqual([]);
    await tick(({ storage }) => expectInvariant(storage));
  });
});

describe("update", () => {
  it("[UPD-1] leaves the old words in the history only, in no block of the index", async () => {
    const tick = openWorkspace();
    const id = await tick(({ owner }) => {
      fill(owner, 0);
      return owner.capture("the zugzwang was here 魑魅魍魎").id;
    });
    await tick(({ owner }) => owner.update(id, "nothing to see"));
    const { revisions, ...rest } = await tick(({ dump }) => dump());
    for (const trace of ["ugzwang", "魑魅", "魍魎"]) {
      expect(holders(cellsOf({ revisions: revisions! }), trace)).toEqual(["revisions.content"]);
      expect(holders(cellsOf(rest), trace)).toEqual([]);
    }
  });
});

/** An entry with all that can carry words; its id. */
function captureWithEverything(owner: Calls): string {
  const text = "an entry that has everything";
  const { id } = owner.capture(text, {
    tags: ["ultraviolet"],
    source: "from vantablack",
    evidenceRef: "proof periwinkle",
    claimTag: "VERIFIED",
  });
  owner.capture(text, { tags: ["session:xylographic", "mauvetag"] });
  owner.append(id, "and chartreuse too", { source: "now celadon" });
  const neighbour = owner.capture("an ordinary neighbour", {
    claimTag: "VERIFIED",
    evidenceRef: "page 1",
  }).id;
  owner.link(id, neighbour, "caused_by", { metadata: { heliotrope: "gamboge" } });
  return id;
}

interface Tick {
  owner: Calls;
  storage: DurableObjectStorage;
  dump: () => Dump;
}

/** A fresh workspace. Each step that it is given runs in a tick of its own, in a sphere woken anew. */
function openWorkspace() {
  const stub = env.SPHERES.getByName(crypto.randomUUID());
  return <T>(step: (tick: Tick) => T): Promise<T> =>
    runInDurableObject(stub, (_instance, { storage }) =>
      step({
        owner: callsOf(new Sphere({ storage, clock: () => NOW }), { role: "owner", actor: "test" }),
        storage,
        dump: () => dumpOf(storage),
      }),
    );
}

type Cell = { where: string; text: string };

/** Every string of a dump, in lower case: columns as text, blobs as hexadecimal digits. */
function cellsOf(dump: Dump): Cell[] {
  return Object.entries(dump).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) =>
        typeof value === "string"
          ? [{ where: `${table}.${column}`, text: value.toLowerCase() }]
          : [],
      ),
    ),
  );
}

/** The columns that hold a trace, as text or as the bytes of its UTF-8. */
function holders(cells: readonly Cell[], trace: string): string[] {
  const hex = new TextEncoder().encode(trace).toHex();
  return cells
    .filter(({ text }) => text.includes(trace) || text.includes(hex))
    .map(({ where }) => where);
}

/** 200 entries of common and of rare words, none of them a trace, so that the index merges several times. */
function fill(owner: Calls, round: number): void {
  for (let index = 0; index < 200; index++) {
    const seed = 10_000 + (round * 200 + index) * 31;
    const words = Array.from({ length: 30 }, (_each, at) => word(seed + at));
    owner.capture(`entry ${seed} ${words.join(" ")}`, { tags: [`round${round}`] });
  }
}

/** A word of eight letters, the same for the same number. */
function word(seed: number): string {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  return Array.from({ length: 8 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return "bcdfghklmnprstvw"[state >>> 28];
  }).join("");
}
