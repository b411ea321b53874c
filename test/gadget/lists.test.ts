import { describe, expect, it } from "vitest";
import { NOW, inSphere } from "../support/sphere.ts";
import type { Calls } from "../support/sphere.ts";

/** Ids in the order of all pages; `between` runs after each page that has a next one. */
function everyId(
  owner: Calls,
  options: NonNullable<Parameters<Calls["listRecent"]>[0]>,
  between: () => void = () => undefined,
): string[] {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = owner.listRecent({ ...options, ...(cursor !== undefined && { cursor }) });
    ids.push(...page.entries.map(({ id }) => id));
    cursor = page.next;
    if (cursor !== null) between();
  }
  return ids;
}

describe("listRecent", () => {
  it("[LST-1] lists what was told last first, whenever it happened", async () => {
    await inSphere(({ owner, clock }) => {
      const ids = Array.from({ length: 5 }, (_, n) => {
        clock.now += 1;
        return owner.capture(`entry ${n}`, { occurredAt: NOW - n * 1_000 }).id;
      });
      expect(everyId(owner, {})).toEqual(ids.toReversed());
    });
  });

  it("[LST-1] a change of an entry does not move it", async () => {
    await inSphere(({ owner, clock }) => {
      const ids = Array.from({ length: 3 }, (_, n) => {
        clock.now += 1;
        return owner.capture(`entry ${n}`).id;
      });
      clock.now += 1;
      owner.update(ids[0]!, "changed");
      owner.setStatus(ids[1]!, "canonical");
      expect(everyId(owner, {})).toEqual(ids.toReversed());
    });
  });

  it("[LST-1] equal times are in the order of ids, on every page size", async () => {
    await inSphere(({ owner }) => {
      const items = Array.from({ length: 25 }, (_, n) => ({ content: `entry ${n}`, tags: ["t"] }));
      const ids = owner.captureMany(items).results.map(({ id }) => id);
      for (const n of [1, 4, 25, 200]) {
        expect(everyId(owner, { n })).toEqual(ids.toSorted());
        expect(everyId(owner, { n, tag: "t" })).toEqual(ids.toSorted());
        expect(everyId(owner, { n, kind: "episodic" })).toEqual(ids.toSorted());
      }
    });
  });

  it("[LST-3] gives each entry once while others of the same time are added", async () => {
    await inSphere(({ owner }) => {
      const items = Array.from({ length: 15 }, (_, n) => ({ content: `entry ${n}` }));
      const ids = owner.captureMany(items).results.map(({ id }) => id);
      let added = 0;
      const seen = everyId(owner, { n: 2 }, () => {
        if (added < 20) owner.capture(`added ${added++}`);
      });
      expect(new Set(seen).size).toBe(seen.length);
      expect(ids.filter((id) => !seen.includes(id))).toEqual([]);
    });
  });

  it("[LST-3] goes on when the entry that ended a page is forgotten", async () => {
    await inSphere(({ owner, clock }) => {
      const ids = Array.from({ length: 6 }, (_, n) => {
        clock.now += 1;
        return owner.capture(`entry ${n}`).id;
      }).toReversed();
      const first = owner.listRecent({ n: 2 });
      owner.forget(ids[1]!);
      const rest = owner.listRecent({ cursor: first.next! });
      expect(rest.entries.map(({ id }) => id)).toEqual(ids.slice(2));
    });
  });

  it("[LST-3] a cursor works in an object that has just woken", async () => {
    await inSphere(({ owner, wake }) => {
      owner.captureMany(Array.from({ length: 5 }, (_, n) => ({ content: `entry ${n}` })));
      const { next } = owner.listRecent({ n: 2 });
      expect(wake().listRecent({ cursor: next! })).toEqual(owner.listRecent({ cursor: next! }));
    });
  });
});

describe("history", () => {
  it("[HIS-1] says when and by whom, each change by itself", async () => {
    await inSphere(({ owner, as, clock }) => {
      const { id } = as("contributor", "ann").capture("draft text");
      clock.now += 10;
      as("contributor", "bob").append(id, "more");
      clock.now += 10;
      as("curator", "eve").setStatus(id, "canonical", { reason: "checked" });
      expect(owner.getEntry(id).actor).toBe("ann");
      expect(
        owner.history(id).revisions.map(({ actor, at, reason }) => [actor, at, reason]),
      ).toEqual([
        ["eve", NOW + 20, "checked"],
        ["bob", NOW + 10, null],
      ]);
    });
  });
});

describe("usage", () => {
  it("[CNT-4] counts since the object woke", async () => {
    await inSphere(({ owner, wake }) => {
      owner.capture("lantern");
      owner.recall("lantern");
      expect(owner.getStats().usage).toMatchObject({ capture: { calls: 1 }, recall: { calls: 1 } });
      const woken = wake();
      expect(woken.getStats().usage).toEqual({});
      woken.recall("lantern");
      expect(woken.getStats().usage).toMatchObject({
        getStats: { calls: 1 },
        recall: { calls: 1 },
      });
    });
  });

  it("[CNT-2] counting reads rows by the answer, not by the entries", async () => {
    const rows = (entries: number) =>
      inSphere(({ owner, rowsOf }) => {
        owner.captureMany(Array.from({ length: entries }, (_, n) => ({ content: `entry ${n}` })));
        expect(owner.getCount()).toBe(entries);
        return rowsOf("getCount").rowsRead;
      });
    expect(await rows(400)).toBe(await rows(4));
  });
});
