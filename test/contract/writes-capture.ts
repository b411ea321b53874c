import { describe, expect, it } from "vitest";
import type { Arguments, Entry, MiniSphereApi } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { entries, stateOf } from "./writes-support.ts";

type Options = NonNullable<Arguments<"capture">[1]>;

/** Something for every option of capture that the entry itself shows. */
const GIVEN = {
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
} as const satisfies Options;

export function registerCaptureTests(open: Open): void {
  describe("capture", () => {
    it("[CAP-1] answers with an id and the entry can be read at once by every read", async () => {
      const { owner } = await open();
      const captured = await owner.capture("The heron waits.", { tags: ["bird"] });
      expect(captured).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}$/),
        created: true,
        warnings: [],
      });
      const { id } = captured;
      expect(await owner.getEntry(id)).toMatchObject({ id, revision: 1, recallCount: 0 });
      expect(idsOf(await owner.recall("heron").then((result) => result.hits))).toEqual([id]);
      expect(idsOf(await owner.listRecent().then((result) => result.entries))).toEqual([id]);
      expect(await owner.history(id)).toEqual({ revisions: [], next: null });
      expect(await owner.connections(id)).toEqual({ edges: [], entries: [], next: null });
      expect(await owner.getTags()).toEqual([{ tag: "bird", count: 1 }]);
      expect(await owner.getCount()).toBe(1);
      expect((await owner.getStats()).entries).toBe(1);
      expect(idsOf((await owner.getBrief()).changes.newest)).toEqual([id]);
      expect(idsOf((await owner.graphView({ seedIds: [id] })).nodes)).toEqual([id]);
    });

    it("[CAP-2] fills in what is left out, cautiously", async () => {
      const { owner } = await open();
      for (const options of [undefined, {}, { importance: 0 }]) {
        const { id } = await owner.capture(`with ${JSON.stringify(options)}`, options);
        expect(await owner.getEntry(id)).toMatchObject({
          status: "draft",
          kind: "episodic",
          volatility: "state",
          claimTag: "UNKNOWN",
          importance: 0,
          tags: [],
          source: null,
          evidenceRef: null,
          expiresAt: null,
          origin: {},
          exhaust: false,
        });
      }
    });

    it("[CAP-3] refuses VERIFIED without evidenceRef", async () => {
      const { owner } = await open();
      const one = await refusal(owner.capture("true", { claimTag: "VERIFIED" }));
      expect(one).toMatchObject({
        code: "invalid_input",
        details: { path: "options.evidenceRef" },
      });
      const many = await refusal(owner.captureMany([{ content: "true", claimTag: "VERIFIED" }]));
      expect(many).toMatchObject({
        code: "invalid_input",
        details: { path: "items.0.evidenceRef", index: 0 },
      });
      expect(await owner.getCount()).toBe(0);
    });

    it("[CAP-4] dates an entry by when it happened and by when it was told", async () => {
      const { owner } = await open();
      const before = (await owner.getBrief()).at;
      const now = await owner.getEntry((await owner.capture("now")).id);
      const then = await owner.getEntry((await owner.capture("then", { occurredAt: 0 })).id);
      const after = (await owner.getBrief()).at;
      expect(now.occurredAt).toBe(now.createdAt);
      expect(now.updatedAt).toBe(now.createdAt);
      expect(then.occurredAt).toBe(0);
      for (const { createdAt } of [now, then]) {
        expect(createdAt).toBeGreaterThanOrEqual(before);
        expect(createdAt).toBeLessThanOrEqual(after);
      }
      const given = { createdAt: 5 } as object;
      expect(await refusal(owner.capture("told", given))).toMatchObject({
        code: "invalid_input",
        details: { path: "options.createdAt" },
      });
    });

    it("[INP-7] every option of capture and captureMany can be seen in a later read", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      const links = [
        { type: "caused_by", dst: a },
        { type: "decided", src: b },
      ] as const;
      const { id } = await owner.capture("one", { ...GIVEN, links: [...links] });
      const many = [{ content: "two", ...GIVEN, links: [...links] }];
      const other = (await owner.captureMany(many)).results[0]?.id ?? "";
      for (const each of [id, other]) {
        expect(await owner.getEntry(each)).toMatchObject(GIVEN);
        const { edges } = await owner.connections(each);
        expect(edges).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ src: each, dst: a, type: "caused_by" }),
            expect.objectContaining({ src: b, dst: each, type: "decided" }),
          ]),
        );
        expect(edges).toHaveLength(2);
      }
    });
  });

  describe("links of a capture", () => {
    it("[CAP-5] are edges as link makes them", async () => {
      const { owner } = await open();
      const [a = ""] = await entries(owner, 1);
      const links = [{ type: "follows", dst: a } as const];
      const { id } = await owner.capture("next", { links });
      const [edge] = (await owner.connections(id)).edges;
      expect(edge).toMatchObject({ src: id, dst: a, weight: 0.5, provenance: "explicit" });
      expect(edge?.metadata).toBeNull();
    });

    it("[CAP-5] leave nothing captured when one of them is refused", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      await owner.link(b, a, "supersedes");
      const fine = { type: "relates_to", dst: a } as const;
      const refused = [
        [{ type: "relates_to", dst: "00000000" }, "not_found"],
        [{ type: "about_person", dst: a }, "conflict"],
        [{ type: "follows", src: "00000000" }, "not_found"],
      ] as const;
      for (const [link, code] of refused) {
        const call = owner.capture("heron", { tags: ["bird"], links: [fine, link] });
        expect(await refusal(call)).toMatchObject({ code });
      }
      expect(await owner.getCount()).toBe(2);
      expect(await owner.getTags()).toEqual([]);
      expect((await owner.recall("heron")).hits).toEqual([]);
      expect((await owner.connections(a)).edges).toHaveLength(1);
      expect((await owner.capture("heron")).created).toBe(true);
    });

    it("[CAP-5] of equal bytes are refused by the rules of link, cycles and self-links too", async () => {
      const { owner } = await open();
      const { id: a } = await owner.capture("a");
      const { id: b } = await owner.capture("b", { links: [{ type: "supersedes", dst: a }] });
      const again = (link: NonNullable<Options["links"]>[number]) =>
        owner.capture("a", { tags: ["x"], links: [link] });
      const before = await stateOf(owner, a);
      const cycle = await refusal(again({ type: "supersedes", dst: b }));
      const self = await refusal(again({ type: "relates_to", dst: a }));
      expect([cycle.code, self.code]).toEqual(["conflict", "invalid_input"]);
      expect(await stateOf(owner, a)).toEqual(before);
    });
  });
}

export function registerDedupTests(open: Open): void {
  describe("capture of equal bytes", () => {
    it("[CAP-6] answers with the id of the entry that has them", async () => {
      const { owner } = await open();
      const first = await owner.capture("Equal, byte for byte.");
      const again = await owner.capture("Equal, byte for byte.");
      expect(again).toEqual({ id: first.id, created: false, warnings: [] });
      expect(await owner.getEntry(first.id)).toMatchObject({ revision: 1 });
      expect(await owner.getCount()).toBe(1);
    });

    it.each([
      ["trailing space", "word", "word "],
      ["case", "word", "Word"],
      ["line end", "a\nb", "a\r\nb"],
      ["NFC against NFD", "\u00e9t\u00e9", "e\u0301te\u0301"],
      ["byte order mark", "word", "\ufeffword"],
      ["zero-width space", "word", "word\u200b"],
    ])("[CAP-6] a difference of %s makes two entries", async (_, one, two) => {
      const { owner } = await open();
      const [a, b] = [await owner.capture(one), await owner.capture(two)];
      expect(b.created).toBe(true);
      expect(b.id).not.toBe(a.id);
      expect((await owner.getEntry(a.id)).content).toBe(one);
      expect((await owner.getEntry(b.id)).content).toBe(two);
    });

    it("[CAP-6] follows the text that an entry has now", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("before");
      await owner.update(id, "after");
      expect(await owner.capture("after")).toMatchObject({ id, created: false });
      expect((await owner.capture("before")).created).toBe(true);
    });

    it("[CAP-7] adds the tags, merges the origin and makes the links", async () => {
      const { owner } = await open();
      const [a = ""] = await entries(owner, 1);
      const { id } = await owner.capture("text", { tags: ["one", "session:1"] });
      await owner.capture("text", {
        tags: ["two", "one", "session:2", "role:user"],
        links: [{ type: "follows", dst: a }],
      });
      expect(await owner.getEntry(id)).toMatchObject({
        tags: ["one", "two"],
        origin: { role: ["user"], session: ["1", "2"] },
        revision: 2,
      });
      expect((await owner.connections(id)).edges).toHaveLength(1);
      expect(idsOf((await owner.recall("two", { hops: 0 })).hits)).toEqual([id]);
    });

    it("[CAP-7] refuses a 65th tag and changes nothing", async () => {
      const { owner } = await open();
      const [a = ""] = await entries(owner, 1);
      const { id } = await owner.capture("text", { tags: tags(64) });
      const before = await stateOf(owner, id);
      const call = owner.capture("text", {
        tags: ["one too many", "session:9"],
        links: [{ type: "follows", dst: a }],
      });
      expect(await refusal(call)).toMatchObject({ code: "limit_exceeded" });
      expect(await stateOf(owner, id)).toEqual(before);
      expect((await owner.capture("text", { tags: tags(64) })).created).toBe(false);
    });

    it("[CAP-8] names every other option that differs, and ignores it", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("text");
      const before = await owner.getEntry(id);
      const { tags: _tags, ...others } = GIVEN;
      const { warnings } = await owner.capture("text", others);
      expect(warnings.map((warning) => warning.split(":")[0]).sort()).toEqual(
        Object.keys(others).sort(),
      );
      expect(await owner.getEntry(id)).toEqual(before);
    });

    it("[CAP-8] says nothing of options that are as the entry has them", async () => {
      const { owner } = await open();
      await owner.capture("text", GIVEN);
      const { warnings, created } = await owner.capture("text", GIVEN);
      expect({ warnings, created }).toEqual({ warnings: [], created: false });
    });

    it("[CAP-8] names a deprecated, an expired and a superseded original", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("deprecated");
      await owner.setStatus(id, "deprecated");
      await owner.capture("expired", { expiresAt: 1 });
      const old = await owner.capture("superseded");
      const head = await owner.capture("head", { links: [{ type: "supersedes", dst: old.id }] });
      const warned = async (content: string) => (await owner.capture(content)).warnings;
      expect(await warned("deprecated")).toEqual([expect.stringMatching(/^status: .*deprecated/)]);
      expect(await warned("expired")).toEqual([expect.stringMatching(/^status: .*deprecated/)]);
      expect(await warned("superseded")).toEqual([
        expect.stringMatching(new RegExp(`^superseded: .*${head.id}`)),
      ]);
      expect(await warned("head")).toEqual([]);
    });

    it("[CAP-10] that were forgotten stores them anew, with nothing of the old entry", async () => {
      const { owner } = await open();
      const [a = ""] = await entries(owner, 1);
      const old = await owner.capture("text", { ...GIVEN, kind: "episodic", tags: ["old"] });
      await owner.link(old.id, a, "follows");
      await owner.append(old.id, "more");
      await owner.update(old.id, "text");
      await owner.recall("text");
      await owner.forget(old.id);
      const anew = await owner.capture("text");
      expect(anew).toMatchObject({ created: true, warnings: [] });
      expect(anew.id).not.toBe(old.id);
      expect(await stateOf(owner, anew.id)).toMatchObject({
        entry: { revision: 1, recallCount: 0, tags: [], status: "draft", evidenceRef: null },
        history: { revisions: [] },
        connections: { edges: [], entries: [] },
      });
      expect(await owner.getTags()).toEqual([]);
    });
  });
}

export function registerCaptureManyTests(open: Open): void {
  describe("captureMany", () => {
    it("[CPM-1] answers as capture would have, one after the other", async () => {
      const items = [
        { content: "first", tags: ["a"] },
        { content: "second", status: "canonical" as const },
        { content: "first", tags: ["b", "session:1"], importance: 3 },
        { content: "third", tags: ["model:x"] },
        { content: "second" },
      ];
      const [one, many] = [await open(), await open()];
      const singly = [];
      for (const { content, ...options } of items) {
        singly.push(await one.owner.capture(content, options));
      }
      const { results } = await many.owner.captureMany(items);
      expect(results.map(({ created }) => created)).toEqual([true, true, false, true, false]);
      expect(results.map(({ warnings }) => warnings)).toEqual(singly.map((each) => each.warnings));
      expect(results[2]?.id).toBe(results[0]?.id);
      expect(results[4]?.id).toBe(results[1]?.id);
      const ids = results.map((result) => result.id);
      expect(await factsOf(many.owner, ids)).toEqual(
        await factsOf(
          one.owner,
          singly.map((each) => each.id),
        ),
      );
    });

    it("[CPM-2] stores nothing when one item is refused, and says which", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("there", { tags: tags(64) });
      const before = await stateOf(owner, id);
      const bad = [
        [{ content: "", tags: [] }, "invalid_input"],
        [{ content: "x", importance: 6 }, "invalid_input"],
        [{ content: "x", links: [{ type: "follows" as const, dst: "00000000" }] }, "not_found"],
        [{ content: "x", links: [{ type: "about_person" as const, dst: id }] }, "conflict"],
        [{ content: "there", tags: ["one too many"] }, "limit_exceeded"],
      ] as const;
      for (const [item, code] of bad) {
        const fine = {
          content: "fine",
          tags: ["new"],
          links: [{ type: "follows" as const, dst: id }],
        };
        const items = [fine, { content: "fine too" }, item] as Arguments<"captureMany">[0];
        expect(await refusal(owner.captureMany(items))).toMatchObject({
          code,
          details: { index: 2 },
        });
      }
      expect(await stateOf(owner, id)).toEqual(before);
      expect(await owner.getCount()).toBe(1);
      expect((await owner.recall("fine")).hits).toEqual([]);
    });
  });
}

export const tags = (n: number) => Array.from({ length: n }, (_, index) => `t${index}`);

const idsOf = (list: readonly { id: string }[]) => list.map((each) => each.id);

/** What does not depend on ids and clocks. */
function factsOf(api: MiniSphereApi, ids: readonly string[]): Promise<Partial<Entry>[]> {
  return Promise.all(
    ids.map(async (each) => {
      const {
        id: _id,
        occurredAt: _o,
        createdAt: _c,
        updatedAt: _u,
        actor: _a,
        ...facts
      } = await api.getEntry(each);
      return facts;
    }),
  );
}
