import { describe, expect, it } from "vitest";
import { ARGUMENT_NAMES, INPUTS, METHODS } from "../../contracts/index.ts";
import type { Method, MiniSphereApi } from "../../contracts/index.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { REFUSED } from "./writes-door-fields.ts";
import { callAny, entries, stateOf, withValueAt } from "./writes-support.ts";

/** Legal arguments of each method, with something at every path that the table of refusals names. */
const legal = (a: string, b: string): Record<Method, readonly unknown[]> => {
  const links = [{ type: "relates_to", dst: a }];
  const derivedFrom = [a];
  return {
    recall: ["entry", {}],
    listRecent: [{}],
    getEntry: [a, {}],
    history: [a, {}],
    changes: [{}],
    connections: [a, {}],
    getTags: [],
    getCount: [],
    getStats: [],
    getBrief: [{}],
    graphView: [{ seedIds: [a] }],
    capture: ["new", { tags: ["x"], links, derivedFrom }],
    captureMany: [[{ content: "new", tags: ["x"], links, derivedFrom }]],
    append: [a, "more", { tags: ["x"] }],
    update: [a, "other", { tags: ["x"] }],
    setStatus: [a, "canonical", {}],
    forget: [a, {}],
    link: [a, b, "relates_to", { metadata: { key: 1 } }],
    unlink: [a, b, "relates_to"],
    batch: [[{ method: "capture", args: ["new"], as: "a" }]],
    runStalenessPass: [{}],
    exportPage: [{}],
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
