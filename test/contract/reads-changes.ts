import { describe, expect, it } from "vitest";
import type { Changes, ChangeLine } from "../../contracts/index.ts";
import { allPages, captured, capturedAll, DAY, idsOf, times } from "./reads-support.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";

const whatOf = (lines: readonly ChangeLine[]) => lines.map((line) => line.what);
const linesOf = ({ entries }: Changes, id: string) =>
  entries.find((entry) => entry.id === id)?.changes ?? [];

export function registerChangeReads(open: Open): void {
  describe("changes", () => {
    it("[CHG-1][CHG-2] tells what happened to each entry, newest first, with fields, edges and actor", async () => {
      const { owner, as } = await open();
      const a = await captured(owner, "The port is 80\nand more");
      const ada = await as("curator", "ada");
      await ada.update(a, "The port is 81", { tags: ["network"] });
      const b = await captured(ada, "The port is 443", {
        kind: "semantic",
        links: [{ type: "caused_by", dst: a }],
      });
      await owner.link(a, b, "relates_to");
      await owner.unlink(a, b, "relates_to");
      await owner.setStatus(a, "canonical");
      await owner.setStatus(a, "canonical");
      const c = await captured(owner, "The port is 444");
      await ada.link(c, a, "supersedes");
      await owner.setStatus(c, "canonical");
      await owner.setStatus(b, "deprecated", { reason: "wrong" });

      const told = await owner.changes();
      expect(idsOf(told.entries)).toEqual([b, a, c].toSorted(byFirst(told)));
      expect(told.entries.find(({ id }) => id === a)).toMatchObject({
        title: "The port is 81",
        kind: "episodic",
        status: "canonical",
      });
      expect(whatOf(linesOf(told, a)).filter((what) => !/linked/.test(what))).toEqual([
        "superseded",
        "affirmed",
        "updated",
        "updated",
        "captured",
      ]);
      expect(linesOf(told, a)[0]).toMatchObject({ what: "superseded", by: c });
      expect(linesOf(told, a).find((line) => line.actor === "ada")).toMatchObject({
        what: "updated",
        fields: ["content", "tags"],
      });
      expect(linesOf(told, b)[0]).toMatchObject({ what: "deprecated", fields: ["status"] });
      expect(linesOf(told, b).at(-1)).toMatchObject({
        what: "captured",
        actor: "ada",
        links: [{ type: "caused_by", src: b, dst: a }],
      });
      const [one = "", two = ""] = [a, b].sort();
      const edge = [{ type: "relates_to", src: one, dst: two }];
      expect(linesOf(told, one).filter(({ links }) => links?.[0]?.type === "relates_to")).toEqual([
        expect.objectContaining({ what: "unlinked", links: edge }),
        expect.objectContaining({ what: "linked", links: edge }),
      ]);
      expect(JSON.stringify(told)).not.toContain("wrong");
    });

    it("[CHG-1] begins at since, 7 days back when it is not given", async () => {
      const { owner } = await open();
      await captured(owner, "lantern");
      const before = Date.now();
      const { since, entries } = await owner.changes();
      expect(since).toBeGreaterThan(before - 8 * DAY);
      expect(since).toBeLessThanOrEqual(Date.now() - 7 * DAY);
      expect(entries).toHaveLength(1);
      expect(await owner.changes({ since: before + DAY })).toEqual({
        since: before + DAY,
        entries: [],
        next: null,
      });
    });

    it("[CHG-3] tells of a forgotten entry by its id only, and nothing else names it", async () => {
      const { owner, as } = await open();
      const [a = "", b = "", c = ""] = await capturedAll(
        owner,
        times(3, (n) => ({ content: `heron ${n}` })),
      );
      await owner.link(b, a, "supersedes");
      await owner.link(a, b, "caused_by");
      await owner.link(c, b, "caused_by");
      await owner.update(b, "heron moved", { tags: ["bird"] });
      await (await as("curator", "eve")).forget(b);
      const told = await owner.changes();
      expect(told.entries[0]).toEqual({
        id: b,
        title: null,
        kind: null,
        status: null,
        changes: [{ what: "forgotten", at: expect.any(Number), actor: "eve" }],
      });
      expect(JSON.stringify(told.entries.slice(1))).not.toContain(b);
      expect(linesOf(told, a)).toHaveLength(3);
      expect(JSON.stringify(await owner.changes({ tag: "bird" }))).not.toContain(b);
    });

    it("[CHG-3] with actor and with tag tells only theirs", async () => {
      const { owner, as } = await open();
      const ada = await as("contributor", "ada");
      const one = await captured(ada, "of ada", { tags: ["Crane"] });
      const two = await captured(owner, "of the owner", { tags: ["crane"] });
      await owner.append(one, "more");
      await captured(owner, "of no tag");
      expect(await ada.changes({ actor: "ada" })).toMatchObject({
        entries: [{ id: one, changes: [{ what: "captured", actor: "ada" }] }],
        next: null,
      });
      expect(idsOf((await owner.changes({ tag: "crane" })).entries)).toEqual([one, two]);
      expect((await owner.changes({ actor: "nobody" })).entries).toEqual([]);
    });

    it("[CHG-2][CHG-4] pages hold limit changes and give each once, also while more are made", async () => {
      const { owner } = await open();
      const ids = await capturedAll(
        owner,
        times(5, (n) => ({ content: `entry ${n}` })),
      );
      for (const id of ids) await owner.setStatus(id, "canonical");
      const pages = await allPages(
        (cursor) => owner.changes({ limit: 3, ...cursor }),
        () => captured(owner, `added ${crypto.randomUUID()}`),
      );
      const lines = pages.map((page) => page.entries.flatMap((entry) => entry.changes));
      expect(lines.map((all) => all.length)).toEqual([3, 3, 3, 1]);
      const told = pages.flatMap(({ entries }) =>
        entries.flatMap(({ id, changes }) => changes.map(({ what }) => `${id} ${what}`)),
      );
      const each = ids.flatMap((id) => [`${id} captured`, `${id} updated`]);
      expect(told.toSorted()).toEqual(each.toSorted());
      const { next } = await owner.listRecent({ n: 1 });
      const error = await refusal(owner.changes({ cursor: next ?? "" }));
      expect(error).toMatchObject({ code: "invalid_input", details: { path: "options.cursor" } });
    });
  });
}

/** In the order of the newest change. */
const byFirst = (told: Changes) => (x: string, y: string) =>
  (linesOf(told, y)[0]?.at ?? 0) - (linesOf(told, x)[0]?.at ?? 0) ||
  idsOf(told.entries).indexOf(x) - idsOf(told.entries).indexOf(y);
