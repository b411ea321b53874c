import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ARGUMENT_NAMES, ERROR_CODES, INPUTS, METHODS } from "../../contracts/index.ts";
import type { Method, MiniSphereApi } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open, Refusal } from "./suite.ts";
import { REFUSED } from "./writes-door-fields.ts";
import { callAny, entries, refusals, stateOf, withValueAt } from "./writes-support.ts";

/** Legal arguments of each method, with something at every path that the table of refusals names. */
const legal = (a: string, b: string): Record<Method, readonly unknown[]> => {
  const links = [{ type: "relates_to", dst: a }];
  return {
    recall: ["entry", {}],
    listRecent: [{}],
    getEntry: [a],
    history: [a, {}],
    connections: [a, {}],
    getTags: [],
    getCount: [],
    getStats: [],
    getBrief: [{}],
    graphView: [{ seedIds: [a] }],
    capture: ["new", { tags: ["x"], links }],
    captureMany: [[{ content: "new", tags: ["x"], links }]],
    append: [a, "more", { tags: ["x"] }],
    update: [a, "other", { tags: ["x"] }],
    setStatus: [a, "canonical", {}],
    forget: [a],
    link: [a, b, "relates_to", { metadata: { key: 1 } }],
    unlink: [a, b, "relates_to"],
    runStalenessPass: [{}],
  };
};

const WITH_FIELDS = METHODS.filter((method) => ARGUMENT_NAMES[method].length > 0);

export function registerDoorTests(open: Open): void {
  describe("the door of every method", () => {
    it.each(WITH_FIELDS)(
      "[INP-1][INP-2][INP-3] %s refuses what does not fit, names the field and changes nothing",
      async (method) => {
        const { owner } = await open();
        const [a = "", b = ""] = await entries(owner, 2);
        const args = legal(a, b)[method];
        const before = await stateOf(owner, a);
        const wrong = await Promise.all(
          Object.entries(REFUSED[method]).flatMap(([path, values]) =>
            values.map(async (value) => {
              const answer = await outcome(owner, method, withValueAt(method, args, path, value));
              return answer.refusedAt(path) ? null : { path, value: shown(value), answer };
            }),
          ),
        );
        expect(wrong.filter((each) => each !== null)).toEqual([]);
        expect(await stateOf(owner, a)).toEqual(before);
        expect(await owner.getCount()).toBe(2);
      },
    );

    it("[INP-1] the table of refusals has every argument and option there is", () => {
      for (const method of METHODS) {
        expect(Object.keys(REFUSED[method])).toEqual(expect.arrayContaining(fieldsOf(method)));
      }
    });

    it.each(WITH_FIELDS)("[INP-1] %s names the argument that is missing", async (method) => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      const args = legal(a, b)[method];
      const names = ARGUMENT_NAMES[method].filter((name) => name !== "options");
      for (const [given, name] of names.entries()) {
        const error = await refusal(callAny(owner, method, args.slice(0, given)));
        expect(error).toMatchObject({ code: "invalid_input", details: { path: name } });
      }
    });

    it.each(METHODS)("[INP-1] %s refuses an argument too many", async (method) => {
      const { owner } = await open();
      const [a = "", b = ""] = await entries(owner, 2);
      const args = [...legal(a, b)[method], "one too many"];
      const error = await refusal(callAny(owner, method, args));
      expect(error).toMatchObject({ code: "invalid_input", details: { path: "arguments" } });
    });
  });

  describe("ids", () => {
    it.each([
      "00000000",
      "ABCDEF01",
      "not an id",
      "x".repeat(64),
      "'; DROP TABLE entries; --",
      "🦆",
    ])("[INP-4] %j names no entry, and is not_found everywhere", async (unknown) => {
      const { owner } = await open();
      const [a = ""] = await entries(owner, 1);
      const calls = [
        () => owner.getEntry(unknown),
        () => owner.history(unknown),
        () => owner.connections(unknown),
        () => owner.graphView({ seedIds: [a, unknown] }),
        () => owner.append(unknown, "more"),
        () => owner.update(unknown, "other"),
        () => owner.update(unknown, null, { importance: 1 }),
        () => owner.setStatus(unknown, "canonical"),
        () => owner.forget(unknown),
        () => owner.link(a, unknown, "relates_to"),
        () => owner.link(unknown, a, "follows"),
        () => owner.unlink(a, unknown, "relates_to"),
        () => owner.unlink(unknown, a, "relates_to"),
        () => owner.capture("new", { links: [{ type: "relates_to", dst: unknown }] }),
        () => owner.capture("new", { links: [{ type: "relates_to", src: unknown }] }),
        () =>
          owner.captureMany([{ content: "new", links: [{ type: "relates_to", dst: unknown }] }]),
      ];
      for (const call of calls) {
        expect(await refusal(call())).toMatchObject({
          code: "not_found",
          details: { id: unknown },
        });
      }
      expect(await owner.getCount()).toBe(1);
    });

    it("[INP-4] every id that a method returns is accepted by every other method", async () => {
      const { owner } = await open();
      for (const id of await idsFromEveryMethod(owner)) {
        await owner.getEntry(id);
        await owner.history(id);
        await owner.connections(id);
        await owner.graphView({ seedIds: [id] });
        const other = await owner.capture(`other of ${id}`, {
          links: [{ type: "caused_by", dst: id }],
        });
        await owner.append(id, `appended to ${id}`);
        await owner.update(id, `updated ${id}`);
        await owner.setStatus(id, "canonical");
        await owner.link(id, other.id, "relates_to");
        expect(await owner.unlink(id, other.id, "relates_to")).toEqual({ removed: true });
        expect((await owner.forget(id)).id).toBe(id);
      }
    });
  });

  describe("content", () => {
    it("[INP-5] is kept byte for byte", async () => {
      const { owner } = await open();
      const text = fc
        .string({ unit: "binary", minLength: 1, maxLength: 200 })
        .filter((each) => !each.includes("\0"));
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (contents) => {
          const { results } = await owner.captureMany(contents.map((content) => ({ content })));
          const kept = await Promise.all(results.map(({ id }) => owner.getEntry(id)));
          expect(kept.map((entry) => entry.content)).toEqual(contents);
        }),
        { numRuns: 10 },
      );
    });

    it.each([
      " ",
      "\n\n\t ",
      "\ufeff",
      "\ufeffwith a mark",
      "a\r\nb\r",
      "e\u0301",
      "🦆",
      "\u200b",
      "C++",
    ])("[INP-5] %j is legal and not normalised", async (content) => {
      const { owner } = await open();
      const { id } = await owner.capture(content);
      expect((await owner.getEntry(id)).content).toBe(content);
      await owner.update(id, "something else");
      await owner.update(id, content);
      expect((await owner.getEntry(id)).content).toBe(content);
    });
  });

  describe("times", () => {
    it("[INP-6] since and until are inclusive at both ends, and until before since is refused", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("heron", { occurredAt: 5_000 });
      const found = async (options: { since?: number; until?: number }) =>
        (await owner.recall("heron", options)).hits.map((hit) => hit.id);
      expect(await found({ since: 5_000, until: 5_000 })).toEqual([id]);
      expect(await found({ since: 5_000 })).toEqual([id]);
      expect(await found({ until: 5_000 })).toEqual([id]);
      expect(await found({ since: 5_001 })).toEqual([]);
      expect(await found({ until: 4_999 })).toEqual([]);
      expect(await refusal(owner.recall("heron", { since: 5_000, until: 4_999 }))).toMatchObject({
        code: "invalid_input",
        details: { path: "options.until" },
      });
    });
  });

  describe("refusals", () => {
    it("[ERR-1][ERR-3] carry code and details of their own, and one sentence without content", async () => {
      const { owner } = await open();
      for (const error of await oneOfEachKind(owner)) {
        expect(Object.hasOwn(error, "code") && Object.hasOwn(error, "details")).toBe(true);
        expect(ERROR_CODES).toContain(error.code);
        expect(error).toBeInstanceOf(Error);
        expect(error.message).toMatch(/^[^\n]+\.$/);
        expect(error.message).not.toMatch(/[.!?] +[A-Z]/);
        expect(JSON.parse(JSON.stringify(error.details))).toEqual(error.details);
        expect(JSON.stringify(error.details) + error.message).not.toContain("kingfisher");
      }
    });
  });
}

interface Outcome {
  code: string;
  path: unknown;
  /** Refused by the arguments alone, naming the field or what is inside it. */
  refusedAt: (field: string) => boolean;
}

async function outcome(
  api: MiniSphereApi,
  method: Method,
  args: readonly unknown[],
): Promise<Outcome> {
  const error = await refusal(callAny(api, method, args)).catch(() => null);
  const code = error?.code ?? "accepted";
  const path = String(error?.details?.["path"]);
  const refusedAt = (field: string) =>
    code === "invalid_input" && (path === field || path.startsWith(`${field}.`));
  return { code, path, refusedAt };
}

function shown(value: unknown): string {
  return (typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? String(value))).slice(
    0,
    60,
  );
}

/** Arguments and options as the schemas have them. */
function fieldsOf(method: Method): string[] {
  type Schema = { unwrap?: () => Schema; element?: Schema; shape?: object };
  const { items } = INPUTS[method].def as unknown as { items: readonly Schema[] };
  return items.flatMap((schema, index) => {
    const name = ARGUMENT_NAMES[method][index] ?? "";
    const inner = name === "options" ? schema.unwrap?.() : schema;
    const keys = (each: Schema | undefined) => Object.keys(each?.shape ?? {});
    return [
      name,
      ...keys(inner).map((key) => `${name}.${key}`),
      ...keys(inner?.element).map((key) => `${name}.0.${key}`),
    ];
  });
}

async function idsFromEveryMethod(owner: MiniSphereApi): Promise<Set<string>> {
  const captured = await owner.capture("a heron stands", {
    kind: "instruction",
    status: "canonical",
  });
  const { results } = await owner.captureMany([{ content: "a heron flies", tags: ["handoff"] }]);
  const { edge } = await owner.link(captured.id, results[0]?.id ?? "", "relates_to");
  const brief = await owner.getBrief({ objective: "heron" });
  const graph = await owner.graphView();
  const recent = await owner.listRecent();
  const { hits } = await owner.recall("heron");
  const { entries: neighbours } = await owner.connections(captured.id);
  const named = [captured, ...results, ...recent.entries, ...hits, ...neighbours, ...graph.nodes];
  const quoted = [brief.instructions, brief.handoffs, brief.changes.newest].flat();
  const ids = new Set([...named, ...quoted].map((each) => each.id));
  for (const end of [edge.src, edge.dst]) ids.add(end);
  return ids;
}

/** Refusals of every code that one owner can meet, from calls that hold the word kingfisher as content. */
async function oneOfEachKind(owner: MiniSphereApi): Promise<Refusal[]> {
  const [a = "", b = ""] = await entries(owner, 2);
  const taken = await owner.capture("kingfisher");
  const large = await owner.capture("kingfisher ".repeat(45_000));
  const tags = Array.from({ length: 64 }, (_, index) => `t${index}`);
  await owner.update(a, null, { tags });
  await owner.capture("kingfisher, expired", { expiresAt: 1 });
  const expired = await owner.capture("kingfisher, expired");
  await owner.link(a, b, "follows");
  await owner.link(a, b, "supersedes");
  return refusals([
    owner.capture("kingfisher".repeat(110_000)),
    owner.capture("kingfisher\0"),
    owner.capture("kingfisher", { claimTag: "VERIFIED" }),
    callAny(owner, "capture", ["kingfisher", { colour: "blue" }]),
    owner.captureMany([
      { content: "kingfisher, once more", links: [{ type: "follows", dst: "x" }] },
    ]),
    owner.getEntry("kingfisher".slice(0, 4)),
    owner.update(a, "kingfisher"),
    owner.update(a, null, { ifRevision: 7 }),
    owner.update(a, null, { kind: "semantic" }),
    owner.update(a, "kingfisher, changed", { claimTag: "VERIFIED" }),
    owner.append(large.id, "kingfisher ".repeat(1_000)),
    owner.append(a, "kingfisher", { tags: ["one too many"] }),
    owner.capture("entry 0", { tags: ["one too many"] }),
    owner.setStatus(expired.id, "canonical"),
    owner.link(a, a, "relates_to"),
    owner.link(b, a, "supersedes"),
    owner.link(taken.id, a, "about_person"),
    owner.listRecent({ cursor: "kingfisher" }),
  ]);
}
