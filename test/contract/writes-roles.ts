import { describe, expect, it } from "vitest";
import type { Arguments } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { callAny, entries, idsOf, refusals, stateOf } from "./writes-support.ts";

export function registerRoleTests(open: Open): void {
  describe("actors", () => {
    it("[ACC-3] are stamped into entries, revisions and runs by the capability", async () => {
      const { owner, as } = await open();
      const ada = await as("contributor", "agent:ada");
      const bob = await as("curator", "agent:bob");
      const { id } = await ada.capture("tree");
      const many = (await ada.captureMany([{ content: "shrub" }])).results[0]?.id ?? "";
      await bob.update(id, "oak");
      await ada.append(id, "grown");
      await bob.capture("oak\n\ngrown", { tags: ["wood"] });
      await bob.setStatus(id, "canonical");
      await (await as("maintainer", "agent:carl")).runStalenessPass();
      for (const each of [id, many]) expect((await owner.getEntry(each)).actor).toBe("agent:ada");
      expect((await owner.history(id)).revisions.map((revision) => revision.actor)).toEqual([
        "agent:bob",
        "agent:bob",
        "agent:ada",
        "agent:bob",
      ]);
      expect((await owner.getStats()).runs[0]?.trigger).toBe("agent:carl");
    });

    it.each(["actor", "role", "grant", "trigger"])(
      "[ACC-3] no argument of any method sets %s",
      async (name) => {
        const { owner, as } = await open();
        const curator = await as("curator");
        const [a = "", b = ""] = await entries(owner, 2);
        const forged = { [name]: "owner" };
        const calls = {
          recall: ["entry", forged],
          capture: ["new", forged],
          captureMany: [[{ content: "new", ...forged }]],
          append: [a, "more", forged],
          update: [a, null, forged],
          setStatus: [a, "canonical", forged],
          link: [a, b, "follows", forged],
        } as const;
        for (const [method, args] of Object.entries(calls)) {
          const error = await refusal(callAny(curator, method as keyof typeof calls, args));
          expect(error.code).toBe("invalid_input");
          expect(error.details["path"]).toMatch(new RegExp(`\\.${name}$`));
        }
      },
    );
  });

  describe("a contributor", () => {
    it("[ACC-5] writes drafts", async () => {
      const { owner, as } = await open();
      const contributor = await as("contributor");
      const { id } = await contributor.capture("tree", { kind: "instruction", status: "draft" });
      const { results } = await contributor.captureMany([{ content: "shrub" }]);
      await contributor.append(id, "grown", { status: "draft", tags: ["wood"] });
      for (const each of [id, results[0]?.id ?? ""]) {
        expect((await owner.getEntry(each)).status).toBe("draft");
      }
    });

    it.each(["canonical", "deprecated"] as const)(
      "[ACC-5] is forbidden status %s, and nothing is written",
      async (status) => {
        const { owner, as } = await open();
        const contributor = await as("contributor");
        const { id } = await contributor.capture("tree");
        const before = await stateOf(owner, id);
        const instruction = { kind: "instruction", status } as const;
        const calls = [
          contributor.capture("new", { status }),
          contributor.capture("new", instruction),
          contributor.capture("tree", { status, tags: ["x"] }),
          contributor.append(id, "grown", { status }),
        ];
        for (const error of await refusals(calls)) expect(error.code).toBe("forbidden");
        const items: Arguments<"captureMany">[0] = [{ content: "new" }, { content: "x", status }];
        expect(await refusal(contributor.captureMany(items))).toMatchObject({
          code: "forbidden",
          details: { index: 1 },
        });
        expect(await stateOf(owner, id)).toEqual(before);
        expect(await owner.getCount()).toBe(1);
      },
    );

    it("[ACC-5] is forbidden to append to an entry that is not a draft, or no longer", async () => {
      const { owner, as } = await open();
      const contributor = await as("contributor");
      const canonical = await owner.capture("canonical", { status: "canonical" });
      const deprecated = await owner.capture("deprecated", { status: "deprecated" });
      const expired = await owner.capture("expired", { expiresAt: 1 });
      for (const { id } of [canonical, deprecated, expired]) {
        const before = await stateOf(owner, id);
        const error = await refusal(contributor.append(id, "more"));
        expect(error).toMatchObject({ code: "forbidden", details: { id } });
        expect(await stateOf(owner, id)).toEqual(before);
      }
    });

    it("[ACC-5] adds text and tags to another actor's draft, and nothing that changes what it is", async () => {
      const { as } = await open();
      const [one, two] = [await as("contributor", "one"), await as("contributor", "two")];
      const { id } = await one.capture("a draft");
      await two.append(id, "more", { tags: ["seen"] });
      for (const options of [{ expiresAt: 1 }, { kind: "semantic" as const }, { source: null }]) {
        expect(await refusal(two.append(id, "x", options))).toMatchObject({ code: "forbidden" });
      }
      await one.append(id, "and more", { importance: 3 });
      expect(await one.getEntry(id)).toMatchObject({
        content: "a draft\n\nmore\n\nand more",
        tags: ["seen"],
        importance: 3,
      });
    });

    it("[ACC-6] does not replace the metadata of an edge", async () => {
      const { owner, as } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      await owner.link(a, b, "caused_by", { metadata: { why: "known" } });
      const contributor = await as("contributor");
      const call = contributor.link(a, b, "caused_by", { metadata: { why: "mine" } });
      expect(await refusal(call)).toMatchObject({ code: "forbidden" });
      expect((await contributor.link(a, b, "caused_by")).edge.metadata).toEqual({ why: "known" });
    });

    it("[ACC-6] links, and supersedes from its own draft only", async () => {
      const { owner, as } = await open();
      const contributor = await as("contributor", "ada");
      const [theirs = "", other = ""] = await entries(owner, 2);
      const { id: mine } = await contributor.capture("mine");
      const { id: earlier } = await contributor.capture("mine, earlier");
      const { id: canonical } = await owner.capture("canonical", { status: "canonical" });
      const { id: expired } = await contributor.capture("expired", { expiresAt: 1 });
      expect((await contributor.link(canonical, theirs, "follows")).created).toBe(true);
      expect((await contributor.link(mine, canonical, "supersedes")).created).toBe(true);
      expect((await contributor.link(mine, earlier, "supersedes")).created).toBe(true);
      const proposal = { links: [{ type: "supersedes", dst: canonical } as const] };
      expect((await contributor.capture("proposal", proposal)).created).toBe(true);
      const takeover = { links: [{ type: "supersedes", src: canonical } as const] };
      const refused = [
        contributor.link(canonical, other, "supersedes"),
        contributor.link(theirs, canonical, "supersedes"),
        contributor.link(expired, earlier, "supersedes"),
        contributor.capture("victim", takeover),
        contributor.capture("canonical", { links: [{ type: "supersedes", dst: other }] }),
      ];
      for (const error of await refusals(refused)) expect(error.code).toBe("forbidden");
      expect((await owner.getEntry(canonical)).superseded).toBe(false);
      expect(await owner.getCount()).toBe(7);
    });

    it("[ACC-6] does not silence the draft of another actor, a handoff note for one", async () => {
      const { owner, as } = await open();
      const [ada, bob] = [await as("contributor", "ada"), await as("contributor", "bob")];
      const { id: note } = await ada.capture("Read this first", { tags: ["handoff"] });
      const { id: mine } = await bob.capture("mine");
      const links = [{ type: "supersedes", dst: note } as const];
      const calls = [bob.link(mine, note, "supersedes"), bob.capture("new", { links })];
      for (const error of await refusals(calls)) {
        expect(error).toMatchObject({ code: "forbidden", details: { id: note } });
      }
      expect(idsOf((await owner.getBrief()).handoffs)).toEqual([note]);
      await owner.link(mine, note, "supersedes");
      expect((await owner.getBrief()).handoffs).toEqual([]);
    });

    it("[ACC-6] meeting equal bytes tags a draft only, and is told otherwise", async () => {
      const { owner, as } = await open();
      const contributor = await as("contributor");
      const [a = ""] = await entries(owner, 1);
      const draft = await owner.capture("draft");
      const canonical = await owner.capture("canonical", { status: "canonical", tags: ["old"] });
      const expired = await owner.capture("expired", { expiresAt: 1 });
      const options = { tags: ["new", "session:1"] };
      expect((await contributor.capture("draft", options)).warnings).toEqual([
        expect.stringMatching(/^tags: .*session:1.* moved to origin/),
      ]);
      expect(await owner.getEntry(draft.id)).toMatchObject({
        tags: ["new"],
        origin: { session: ["1"] },
      });

      const { warnings } = await contributor.capture("canonical", {
        ...options,
        links: [{ type: "follows", src: a }],
      });
      expect(warnings).toEqual([expect.stringMatching(/^tags: not added/)]);
      expect(await owner.getEntry(canonical.id)).toMatchObject({ tags: ["old"], origin: {} });
      expect((await owner.connections(canonical.id)).edges).toHaveLength(1);

      const late = (await contributor.capture("expired", { tags: ["new"] })).warnings;
      expect(late).toContainEqual(expect.stringMatching(/^tags: not added/));
      expect((await owner.getEntry(expired.id)).tags).toEqual([]);
      const known = (await contributor.capture("canonical", { tags: ["OLD"] })).warnings;
      expect(known).toEqual([]);
    });
  });

  describe("a reader", () => {
    it("[ACC-7] observes, whatever it asks for; others count", async () => {
      const { owner, as } = await open();
      const { id } = await owner.capture("heron");
      const reader = await as("reader");
      for (const options of [undefined, {}, { observe: false }, { observe: true }]) {
        expect((await reader.recall("heron", options)).hits).toHaveLength(1);
      }
      expect((await owner.getEntry(id)).recallCount).toBe(0);
      for (const role of ["contributor", "curator", "owner"] as const) {
        await (await as(role)).recall("heron");
      }
      expect((await owner.getEntry(id)).recallCount).toBe(3);
    });
  });
}
