import { describe, expect, it } from "vitest";
import type { Arguments } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { entries, GIVEN, idsOf, stateOf } from "./writes-support.ts";

type Link = NonNullable<NonNullable<Arguments<"capture">[1]>["links"]>[number];

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
        { type: "relates_to", src: a },
        { type: "decided", src: b },
      ] as const;
      const ground = await owner.capture("ground", { claimTag: "VERIFIED", evidenceRef: "p. 1" });
      const given = { ...GIVEN, links: [...links], derivedFrom: [ground.id] };
      const { id } = await owner.capture("one", given);
      const many = [{ content: "two", ...given }];
      const other = (await owner.captureMany(many)).results[0]?.id ?? "";
      for (const each of [id, other]) {
        expect(await owner.getEntry(each)).toMatchObject(GIVEN);
        const { edges } = await owner.connections(each);
        expect(edges).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ type: "relates_to" }),
            expect.objectContaining({ src: b, dst: each, type: "decided" }),
            expect.objectContaining({ src: each, dst: ground.id, type: "caused_by" }),
          ]),
        );
        expect(edges).toHaveLength(3);
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
      const again = (link: Link) => owner.capture("a", { tags: ["x"], links: [link] });
      const before = await stateOf(owner, a);
      const cycle = await refusal(again({ type: "supersedes", dst: b }));
      const self = await refusal(again({ type: "relates_to", dst: a }));
      expect([cycle.code, self.code]).toEqual(["conflict", "invalid_input"]);
      expect(await stateOf(owner, a)).toEqual(before);
    });
  });
}
