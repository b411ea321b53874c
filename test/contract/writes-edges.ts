import { describe, expect, it } from "vitest";
import { EDGE_RULES, EDGE_TYPES, KINDS } from "../../contracts/index.ts";
import type { EdgeType, Kind, MiniSphereApi } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { callAny, entries, refusals, stateOf } from "./writes-support.ts";

export function registerEdgeTests(open: Open): void {
  describe("edges", () => {
    it("[EDG-1] are of eight types and no other", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      for (const type of ["knows", "", "Follows", "follows ", "relates-to", null, 0]) {
        for (const method of ["link", "unlink"] as const) {
          const error = await refusal(callAny(owner, method, [a, b, type]));
          expect(error).toMatchObject({ code: "invalid_input", details: { path: "type" } });
        }
        const links = [{ type, dst: a }];
        const error = await refusal(callAny(owner, "capture", ["c", { links }]));
        expect(error.code).toBe("invalid_input");
      }
      expect(EDGE_TYPES).toHaveLength(8);
    });

    it.each(EDGE_TYPES)(
      "[EDG-2] %s takes the kinds of the table and refuses the others",
      async (type) => {
        const { owner } = await open();
        const { results } = await owner.captureMany(
          KINDS.flatMap((kind) =>
            ["one", "two"].map((name) => ({ content: `${kind} ${name}`, kind })),
          ),
        );
        const idsOf = Object.fromEntries(
          KINDS.map((kind, at) => [kind, [results[2 * at]?.id, results[2 * at + 1]?.id]]),
        ) as Record<Kind, [string, string]>;
        for (const srcKind of KINDS) {
          for (const dstKind of KINDS) {
            const [src, dst] = [idsOf[srcKind][0], idsOf[dstKind][1]];
            if (allowed(type, srcKind, dstKind)) {
              expect((await owner.link(src, dst, type)).created).toBe(true);
              await owner.unlink(src, dst, type);
            } else {
              const error = await refusal(owner.link(src, dst, type));
              expect(error).toMatchObject({
                code: "conflict",
                details: { type, src: srcKind, dst: dstKind },
              });
              for (const word of [type, srcKind, dstKind]) expect(error.message).toContain(word);
            }
          }
        }
      },
    );

    it("[EDG-3] forbid a change of kind that one of them does not allow, and are named", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = "", d = ""] = await entries(owner, 4);
      const { id: person } = await owner.capture("Ada", { kind: "semantic" });
      const follows = (await owner.link(a, b, "follows")).edge;
      const about = (await owner.link(b, person, "about_person")).edge;
      const supersedes = (await owner.link(c, d, "supersedes")).edge;
      const changes = [
        [a, "semantic", follows],
        [b, "instruction", follows],
        [person, "episodic", about],
        [c, "semantic", supersedes],
        [d, "semantic", supersedes],
      ] as const;
      for (const [id, kind, { type, src, dst }] of changes) {
        const before = await stateOf(owner, id);
        const calls = [owner.update(id, null, { kind }), owner.append(id, "more", { kind })];
        for (const error of await refusals(calls)) {
          expect(error).toMatchObject({ code: "conflict", details: { id, type, src, dst } });
          for (const name of [type, src, dst]) expect(error.message).toContain(name);
        }
        expect(await stateOf(owner, id)).toEqual(before);
      }
    });

    it("[EDG-3] allow a change of kind that each of them allows", async () => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      await owner.link(a, b, "relates_to");
      await owner.link(a, b, "caused_by");
      await owner.link(a, b, "follows");
      expect((await refusal(owner.update(a, null, { kind: "semantic" }))).code).toBe("conflict");
      await owner.unlink(a, b, "follows");
      await owner.update(a, null, { kind: "semantic" });
      expect((await owner.getEntry(a)).kind).toBe("semantic");
    });

    it("[EDG-4] of supersedes never close a cycle, whatever the statuses along it", async () => {
      const { owner } = await open();
      const ids = await entries(owner, 5);
      await chain(owner, ids);
      const [top = ""] = ids;
      await owner.setStatus(ids[1] ?? "", "deprecated");
      await owner.setStatus(ids[2] ?? "", "canonical");
      await owner.update(ids[3] ?? "", null, { expiresAt: 1 });
      for (const below of ids.slice(1)) {
        expect(await refusal(owner.link(below, top, "supersedes"))).toMatchObject({
          code: "conflict",
        });
        const links = [{ type: "supersedes", dst: top } as const];
        const content = (await owner.getEntry(below)).content;
        expect((await refusal(owner.capture(content, { links }))).code).toBe("conflict");
      }
      expect((await owner.getStats()).edges.byType.supersedes).toBe(4);
      await owner.unlink(ids[1] ?? "", ids[2] ?? "", "supersedes");
      expect((await owner.link(ids[4] ?? "", top, "supersedes")).created).toBe(true);
    });

    it("[EDG-4] other types may close one", async () => {
      const { owner } = await open();
      const [a = "", b = "", c = ""] = await entries(owner, 3);
      for (const [src, dst] of [
        [a, b],
        [b, c],
        [c, a],
      ] as const) {
        expect((await owner.link(src, dst, "follows")).created).toBe(true);
      }
    });
  });
}

function allowed(type: EdgeType, src: Kind, dst: Kind): boolean {
  const rule = EDGE_RULES[type];
  return rule.src.includes(src) && (rule.dst === "same" ? src === dst : rule.dst.includes(dst));
}

/** Each supersedes the next. */
async function chain(owner: MiniSphereApi, ids: readonly string[]): Promise<void> {
  for (const [at, id] of ids.slice(1).entries()) await owner.link(ids[at] ?? "", id, "supersedes");
}
