import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

const FAR = 10_000;

/** A directory that no other test writes to. */
const fresh = () => env.DIRECTORY.getByName(crypto.randomUUID());

/** What it says is due, as plain data: [workspace, due time], longest due first. */
async function listed(directory: ReturnType<typeof fresh>, now = FAR, limit = 100) {
  const due = await directory.listDue(now, limit);
  return due.map(({ workspace, dueAt }) => [workspace, dueAt]);
}

describe("[MNT-6] the directory", () => {
  it("keeps the earlier of the times it is told", async () => {
    const directory = fresh();
    await directory.note("lab", 300);
    await directory.note("lab", 100);
    await directory.note("lab", 200);
    expect(await listed(directory)).toEqual([["lab", 100]]);
  });

  it("lists what is due, longest due first, then by name", async () => {
    const directory = fresh();
    for (const [workspace, dueAt] of [
      ["c", 200],
      ["b", 200],
      ["a", 300],
      ["d", 100],
    ] as const) {
      await directory.note(workspace, dueAt);
    }
    expect(await listed(directory, 250)).toEqual([
      ["d", 100],
      ["b", 200],
      ["c", 200],
    ]);
    expect(await listed(directory, 250, 2)).toEqual([
      ["d", 100],
      ["b", 200],
    ]);
    expect(await listed(directory, 99)).toEqual([]);
  });

  it("replaces the time that a pass was run for", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await directory.settle("lab", 100, 500);
    expect(await listed(directory)).toEqual([["lab", 500]]);
  });

  it("forgets a workspace that is never due again", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await directory.settle("lab", 100, null);
    expect(await listed(directory)).toEqual([]);
  });

  it("keeps an earlier time that came after the pass was listed", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await directory.note("lab", 50);
    await directory.settle("lab", 100, 500);
    expect(await listed(directory)).toEqual([["lab", 50]]);
  });

  it("keeps a later time that came between a pass and its settling", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await directory.note("lab", 300);
    await directory.settle("lab", 100, 500);
    expect(await listed(directory)).toEqual([["lab", 300]]);
  });

  it("keeps it also when the pass found nothing more to do", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await directory.note("lab", 300);
    await directory.settle("lab", 100, null);
    expect(await listed(directory)).toEqual([["lab", 300]]);
  });

  it("takes the earlier of two overlapping passes", async () => {
    const directory = fresh();
    await directory.note("lab", 100);
    await directory.settle("lab", 100, 300);
    await directory.settle("lab", 100, 500);
    expect(await listed(directory)).toEqual([["lab", 300]]);
  });

  it("settles a workspace that it did not know", async () => {
    const directory = fresh();
    await directory.settle("lab", 100, 500);
    expect(await listed(directory)).toEqual([["lab", 500]]);
  });

  it("loses nothing that is noted, whatever happens in between", async () => {
    const time = fc.integer({ min: 1, max: FAR });
    const step = fc.oneof(
      fc.record({ note: time }),
      // A pass at a time when the workspace was due, of which `next` is what the object found.
      fc.record({ next: fc.option(time), meanwhile: fc.array(time, { maxLength: 3 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const directory = fresh();
        let earliest = Infinity;
        for (const each of steps) {
          if ("note" in each) {
            await directory.note("lab", each.note);
            earliest = Math.min(earliest, each.note);
          } else {
            const seen = (await directory.listDue(FAR, 1))[0]?.dueAt ?? 0;
            for (const dueAt of each.meanwhile) await directory.note("lab", dueAt);
            await directory.settle("lab", seen, each.next);
            earliest = Math.min(each.next ?? Infinity, ...each.meanwhile);
          }
          const known = (await directory.listDue(FAR, 1))[0]?.dueAt ?? Infinity;
          expect(known).toBeLessThanOrEqual(earliest);
        }
      }),
      { numRuns: 30 },
    );
  });
});
