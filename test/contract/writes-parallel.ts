import { describe, expect, it } from "vitest";
import type { MiniSphereApi } from "../../contracts/index.ts";
import type { Open } from "./suite.ts";
import { entries } from "./writes-support.ts";

export function registerParallelTests(open: Open): void {
  describe("parallel writes", () => {
    it("[CAP-9] 200 captures of equal bytes give one id, and one of them created: true", async () => {
      const { owner } = await open();
      const captured = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          owner.capture("same", { tags: [`t${index % 50}`] }),
        ),
      );
      expect(new Set(captured.map(({ id }) => id)).size).toBe(1);
      expect(captured.filter(({ created }) => created)).toHaveLength(1);
      expect(await owner.getCount()).toBe(1);
      const entry = await owner.getEntry(captured[0]?.id ?? "");
      expect(entry.tags).toHaveLength(50);
      expect(entry.revision).toBe(50);
    });

    it("[UPD-3][STO-2] of 50 updates with one ifRevision, one is done and the others conflict", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("tree");
      const answers = await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) => owner.update(id, `tree ${n}`, { ifRevision: 1 })),
      );
      const refused = answers.filter((answer) => answer.status === "rejected");
      expect(refused).toHaveLength(49);
      for (const { reason } of refused) {
        expect(reason).toMatchObject({ code: "conflict", details: { revision: 2 } });
      }
      const winner = answers.findIndex((answer) => answer.status === "fulfilled");
      expect(await owner.getEntry(id)).toMatchObject({ content: `tree ${winner}`, revision: 2 });
    });

    it("[STO-2] 2,000 mixed writes lose nothing", async () => {
      const { owner } = await open();
      const [log = "", hub = "", ...targets] = await entries(owner, 42);
      const wrote = await writeMixed(owner, { log, hub, targets });

      expect(await owner.getCount()).toBe(42 + wrote.captured.size);
      const kept = await Promise.all([...wrote.captured.keys()].map((id) => owner.getEntry(id)));
      expect(new Map(kept.map((entry) => [entry.id, entry.content]))).toEqual(wrote.captured);

      const { content, revision } = await owner.getEntry(log);
      const lines = content.split("\n\n").slice(1);
      expect(lines.toSorted()).toEqual(wrote.appended.toSorted());
      expect(revision).toBe(1 + wrote.appended.length);

      const { edges, byStatus } = await owner.getStats();
      expect(edges.byType.relates_to).toBe(wrote.linked);
      expect(byStatus.canonical).toBe(targets.length);
      const tags = (await owner.getEntry(hub)).tags;
      expect(tags).toEqual([...wrote.tagged].sort());
    });
  });
}

/** 2,000 calls, from seven kinds of callers at once. Resolves with what was acknowledged. */
async function writeMixed(
  owner: MiniSphereApi,
  { log, hub, targets }: { log: string; hub: string; targets: readonly string[] },
) {
  const captured = new Map<string, string>();
  const appended: string[] = [];
  const tagged = new Set<string>();
  let linked = 0;
  const keep = ({ id }: { id: string }, content: string) => captured.set(id, content);

  const kinds: ((n: number) => Promise<unknown>)[] = [
    async (n) => keep(await owner.capture(`note ${n}`, { tags: [`n${n % 7}`] }), `note ${n}`),
    async (n) => {
      const content = `shared ${n % 10}`;
      keep(await owner.capture(content), content);
    },
    async (n) => {
      const items = [{ content: `first ${n}` }, { content: `second ${n}` }];
      const { results } = await owner.captureMany(items);
      for (const [at, result] of results.entries()) keep(result, items[at]?.content ?? "");
    },
    async (n) => {
      await owner.append(log, `line ${n}`);
      appended.push(`line ${n}`);
    },
    async (n) => {
      const content = `forgotten once ${n}`;
      const { id } = await owner.capture(content);
      await owner.link(id, hub, "relates_to");
      await owner.forget(id);
      const links = [{ type: "relates_to", dst: hub } as const];
      keep(await owner.capture(content, { links }), content);
      linked += 1;
    },
    async (n) => {
      await owner.setStatus(targets[n % targets.length] ?? "", "canonical");
    },
    async (n) => {
      const tag = `tag${n % 60}`;
      await owner.capture("entry 1", { tags: [tag] });
      tagged.add(tag);
    },
  ];
  // One turn of each kind is 10 calls.
  await Promise.all(
    Array.from({ length: 200 * kinds.length }, (_, n) => kinds[n % kinds.length]?.(n)),
  );
  return { captured, appended, tagged, linked };
}
