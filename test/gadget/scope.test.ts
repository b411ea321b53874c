import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Grant, Method } from "../../contracts/index.ts";
import { METHODS, METHODS_BY_ROLE, ROLES, SCOPED_METHODS } from "../../contracts/index.ts";
import type { Bench } from "../support/sphere.ts";
import { callsOf, errorOf, inSphere } from "../support/sphere.ts";

const SCOPE = ["alpha", "team"];
const scopedGrant = (role: Grant["role"] = "owner"): Grant => ({ role, actor: "x", tags: SCOPE });
const WORDS = ["tide", "moon", "harbour", "ledger", "orchid"];

type Step =
  | { kind: "visible"; words: string[]; tag: string | null }
  | { kind: "hidden"; words: string[]; tag: string | null }
  | { kind: "join" | "replace"; from: number; to: number; visible: boolean }
  | { kind: "echo"; of: number };

const text = {
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }),
  tag: fc.constantFrom(null, "alpha", "team", "other"),
};

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("visible" as const), ...text }),
  fc.record({ kind: fc.constant("hidden" as const), ...text }),
  fc.record({
    kind: fc.constantFrom("join" as const, "replace" as const),
    from: fc.nat(20),
    to: fc.nat(20),
    visible: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("echo" as const), of: fc.nat(20) }),
);

/** Plays the steps; without `hidden` only those that are of the scope. Answers of the scope, as JSON. */
function play(bench: Bench, ids: { prefix: string }, steps: readonly Step[], hidden: boolean) {
  const scoped = callsOf(bench.sphere, scopedGrant());
  const answers: unknown[] = [];
  const visible: string[] = [];
  const outside: string[] = [];
  const told = (work: () => unknown) => {
    try {
      answers.push(work());
    } catch (error) {
      const { code, message, details } = error as {
        code: string;
        message: string;
        details: object;
      };
      answers.push({ code, message, details });
    }
  };
  const quiet = (work: () => unknown) => {
    ids.prefix = "b";
    try {
      work();
    } catch {
      // What is refused outside changes nothing there.
    }
    ids.prefix = "a";
  };
  steps.forEach((each, at) => {
    bench.clock.now += 1_000;
    if (each.kind === "visible") {
      told(() => {
        const captured = scoped.capture(each.words.join(" "), { tags: each.tag ? [each.tag] : [] });
        if (captured.created) visible.push(captured.id);
        return captured;
      });
    } else if (each.kind === "hidden") {
      const tags = each.tag === null ? [] : [each.tag];
      if (hidden) {
        quiet(() =>
          outside.push(bench.owner.capture(each.words.join(" "), { tags, status: "canonical" }).id),
        );
      }
    } else if (each.kind === "echo") {
      const id = visible[each.of % Math.max(1, visible.length)] ?? "none";
      told(() => scoped.append(id, `echo ${at % 3}`, { tags: ["later"] }));
    } else {
      const type = each.kind === "join" ? "relates_to" : "supersedes";
      const from = visible[each.from % Math.max(1, visible.length)] ?? "none";
      const to = visible[each.to % Math.max(1, visible.length)] ?? "none";
      const other = outside[each.to % Math.max(1, outside.length)] ?? "none";
      if (each.visible) told(() => scoped.link(from, to, "relates_to"));
      else if (hidden) {
        quiet(() => bench.owner.link(other, from, type, { weight: 1 }));
        quiet(() => bench.owner.link(from, other, "relates_to", { weight: 1 }));
      }
    }
  });
  return { scoped, answers, visible, told };
}

function readAll(
  { scoped, answers, visible, told }: ReturnType<typeof play>,
  outsider: string,
): string {
  for (const word of [...WORDS, "tide moon echo", "later", "last week", '"moon harbour"']) {
    const options = { explain: true, hops: 3, includeInactive: true, full: true, observe: true };
    told(() => scoped.recall(word, options));
    told(() => scoped.recall(word, { tag: "alpha", topK: 3 }));
  }
  for (const id of [...visible, outsider]) {
    told(() => scoped.getEntry(id));
    told(() => scoped.history(id));
    told(() => scoped.connections(id));
    told(() => scoped.graphView({ seedIds: [id], hops: 3 }));
  }
  told(() => scoped.listRecent({ n: 3 }));
  told(() => scoped.listRecent({ tag: "other", kind: "episodic" }));
  told(() => scoped.getTags());
  told(() => scoped.getCount());
  told(() => scoped.getStats());
  told(() => scoped.getBrief({ objective: "tide moon", maxChars: 50_000 }));
  told(() => scoped.graphView());
  told(() => scoped.capture("orchid", { links: [{ type: "supersedes", dst: outsider }] }));
  told(() => scoped.captureMany(WORDS.map((content) => ({ content }))));
  const [first, second] = visible;
  if (first && second) {
    told(() => scoped.update(second, "tide", { tags: ["mine"] }));
    told(() => scoped.unlink(first, outsider, "relates_to"));
    told(() => scoped.forget(first));
  }
  told(() => scoped.forget(outsider));
  told(() => scoped.listRecent({ n: 200 }));
  told(() => scoped.getStats());
  return JSON.stringify(answers);
}

describe("a scope", () => {
  it("[ACC-11] gives the same answers, to the byte, whatever is outside it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        const world = (hidden: boolean) => {
          const ids = { prefix: "a", n: 0, m: 0 };
          const newId = () =>
            ids.prefix + String(ids.prefix === "a" ? ids.n++ : ids.m++).padStart(7, "0");
          return inSphere((bench) => readAll(play(bench, ids, steps, hidden), "b0000000"), {
            newId,
          });
        };
        expect(await world(true)).toBe(await world(false));
      }),
      { numRuns: 8 },
    );
  });

  it("[ACC-10] stamps what it writes, and its tags cannot be taken off", () =>
    inSphere((bench) => {
      const scoped = callsOf(bench.sphere, scopedGrant());
      const { id } = scoped.capture("one", { tags: ["own"] });
      expect(bench.owner.getEntry(id).tags).toEqual(["alpha", "own", "team"]);
      scoped.update(id, null, { tags: [] });
      expect(bench.owner.getEntry(id).tags).toEqual(SCOPE);
      const many = Array.from({ length: 64 }, (_, n) => `t${n}`);
      expect(errorOf(() => scoped.capture("two", { tags: many })).code).toBe("limit_exceeded");
      const part = bench.owner.capture("three", { tags: ["alpha"] });
      expect(errorOf(() => scoped.getEntry(part.id)).code).toBe("not_found");
    }));

  it("[ACC-11] keeps equal bytes apart from what is outside, and as one inside", () =>
    inSphere((bench) => {
      const scoped = callsOf(bench.sphere, scopedGrant());
      const outside = bench.owner.capture("the same");
      const inside = scoped.capture("the same");
      expect(inside).toMatchObject({ created: true, warnings: [] });
      expect(scoped.capture("the same")).toMatchObject({ id: inside.id, created: false });
      expect(bench.owner.capture("the same")).toMatchObject({ id: outside.id, created: false });
    }));

  it("[ACC-11] forget inside erases edges to the outside, tells of none, and keeps chains whole", () =>
    inSphere(({ owner, sphere }) => {
      const scoped = callsOf(sphere, scopedGrant());
      const [old, head] = [owner.capture("old"), owner.capture("new")];
      const middle = scoped.capture("middle");
      owner.link(middle.id, old.id, "supersedes");
      owner.link(head.id, middle.id, "supersedes");
      expect(scoped.getEntry(middle.id).superseded).toBe(false);
      expect(scoped.forget(middle.id).removed.edges).toBe(0);
      expect(owner.getEntry(old.id).supersededBy).toEqual([head.id]);
    }));

  it("[ACC-12] shows no size, usage or runs", () =>
    inSphere((bench) => {
      bench.owner.runStalenessPass();
      const stats = callsOf(bench.sphere, scopedGrant()).getStats();
      expect(stats).toMatchObject({ databaseSize: null, usage: {}, runs: [], entries: 0 });
    }));
});

describe("the table of grants", () => {
  const ENDED = 1;
  const attenuations: [string, Partial<Grant>][] = [
    ["none", {}],
    ["withTags", { tags: SCOPE }],
    ["asActor", { actor: "x/y" }],
    ["until later", { until: 9e15 }],
    ["until now", { until: ENDED }],
    ["all of them", { tags: SCOPE, actor: "x/y", until: 9e15 }],
  ];

  it("[ACC-2] [ACC-12] [ACC-14] every role × method × attenuation is allowed or refused as declared", () =>
    inSphere(({ sphere }) => {
      for (const role of ROLES) {
        for (const method of METHODS) {
          for (const [name, less] of attenuations) {
            const calls = callsOf(sphere, { role, actor: "x", ...less }) as unknown as Record<
              Method,
              (...args: unknown[]) => unknown
            >;
            // Arguments that no schema takes: what is allowed is refused by its schema, and nothing happens.
            const { code } = errorOf(() => calls[method](Symbol("no argument"), 1, 2, 3, 4, 5));
            const has = (list: readonly string[]) => list.includes(method);
            const allowed =
              has(METHODS_BY_ROLE[role]) && (less.tags === undefined || has(SCOPED_METHODS));
            const expected =
              less.until === ENDED ? "unauthenticated" : allowed ? "invalid_input" : "forbidden";
            expect(`${role} ${method} ${name}: ${code}`).toBe(
              `${role} ${method} ${name}: ${expected}`,
            );
          }
        }
      }
    }));
});
