import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EDGE_TYPES, KINDS, MiniSphereError, STATUSES } from "../../contracts/index.ts";
import type { EdgeType, Kind, Role, Status } from "../../contracts/index.ts";
import type { Bench, Calls } from "../support/sphere.ts";
import { DAY, inSphere } from "../support/sphere.ts";

/*
 * Whatever is done, by whom, in which order: only what a curator made canonical stands among the instructions
 * of the brief, and nobody below a curator moves them.
 */

interface Options {
  kind?: Kind;
  status?: Status;
  tags?: string[];
  expiresAt?: number;
}

/** Entries are named by their position among those captured, texts by number, so that steps meet each other. */
type Step =
  | { do: "capture"; text: number; options: Options; link?: Link }
  | { do: "captureMany"; text: number; options: Options }
  | { do: "append" | "update"; at: number; text: number | null; options: Options }
  | { do: "setStatus"; at: number; status: Status }
  | { do: "link" | "unlink"; at: number; to: number; type: EdgeType }
  | { do: "forget"; at: number }
  | { do: "runStalenessPass" | "recall" };

interface Link {
  end: "src" | "dst";
  at: number;
  type: EdgeType;
}

type Call = Step & { by: Actor; days: number };

const ACTORS = {
  ada: "contributor",
  bob: "contributor",
  rae: "reader",
  max: "maintainer",
  cy: "curator",
  cleo: "curator",
} as const satisfies Record<string, Role>;
type Actor = keyof typeof ACTORS;

const what = <T extends string>(...names: readonly T[]) => fc.constantFrom(...names);

/** Mostly few, because each is a reason to be refused. */
const options = fc.oneof(
  fc.constant({}),
  fc.constantFrom("handoff", "rule").map((tag) => ({ tags: [tag] })),
  fc.record({ kind: what("instruction"), status: what(...STATUSES) }),
  fc.record(
    {
      kind: what(...KINDS),
      status: what(...STATUSES),
      expiresAt: fc.constantFrom(0, 1, 3, 1_000),
    },
    { requiredKeys: [] },
  ),
);
const at = fc.nat(5);
const text = fc.nat(5);
const type = fc.oneof({ weight: 3, arbitrary: what("supersedes") }, what(...EDGE_TYPES));
const link = fc.record({ end: fc.constantFrom("src" as const, "dst" as const), at, type });

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record(
    { do: what("capture"), text, options, link },
    { requiredKeys: ["do", "text", "options"] },
  ),
  fc.record({ do: what("captureMany"), text, options }),
  {
    weight: 2,
    arbitrary: fc.record({ do: what("append", "update"), at, text: fc.option(text), options }),
  },
  fc.record({ do: what("setStatus"), at, status: what("canonical", "canonical", ...STATUSES) }),
  {
    weight: 3,
    arbitrary: fc.record({ do: what("link", "link", "link", "unlink"), at, to: at, type }),
  },
  fc.record({ do: what("forget"), at }),
  fc.record({ do: what("runStalenessPass", "recall") }),
);
const call: fc.Arbitrary<Call> = fc
  .tuple(step, fc.constantFrom(...(Object.keys(ACTORS) as Actor[])), fc.constantFrom(0, 0, 0, 1, 2))
  .map(([each, by, days]) => ({ ...each, by, days }));

/** So that there is something to move from the first step on. */
const BEGINNING: readonly Call[] = [
  {
    do: "captureMany",
    text: 0,
    options: { kind: "instruction", status: "canonical" },
    by: "cy",
    days: 0,
  },
  { do: "captureMany", text: 2, options: { kind: "instruction" }, by: "ada", days: 0 },
  {
    do: "captureMany",
    text: 4,
    options: { kind: "instruction", status: "deprecated" },
    by: "cleo",
    days: 0,
  },
];

describe("the standing instructions", () => {
  it("[ACC-20] are what curators made canonical, and nobody else moves them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 20, maxLength: 40 }), (calls) =>
        inSphere((bench) => {
          const world = { ids: [] as string[], asserted: new Set<string>() };
          for (const each of [...BEGINNING, ...calls]) {
            bench.clock.now += each.days * DAY;
            const before = standing(bench);
            perform(bench, each, world);
            const after = standing(bench);
            if (ACTORS[each.by] !== "curator") expect(after).toEqual(before);
            expect(after.filter(({ id }) => !world.asserted.has(id))).toEqual([]);
          }
        }),
      ),
      { numRuns: 50 },
    );
  });

  it("[ACC-20] [BRF-1] are made and taken away by a curator's word", () =>
    inSphere((bench) => {
      const curator = bench.as("curator");
      const { id } = bench.as("contributor").capture("Run the tests", { kind: "instruction" });
      expect(standing(bench)).toEqual([]);
      curator.setStatus(id, "canonical");
      expect(standing(bench).map((each) => each.id)).toEqual([id]);
      curator.update(id, null, { status: "draft" });
      expect(standing(bench)).toEqual([]);
    }));
});

function standing({ owner }: Bench) {
  const { instructions, omitted } = owner.getBrief({ maxChars: 100_000 });
  expect(omitted).toEqual({});
  return instructions;
}

/** One call, refused or not; `world` keeps which entries a curator has called canonical since they were not. */
function perform(bench: Bench, each: Call, world: { ids: string[]; asserted: Set<string> }): void {
  const calls = bench.as(ACTORS[each.by], each.by);
  const captured = new Map<string, Status | undefined>();
  const id = (n: number) => world.ids[n % Math.max(1, world.ids.length)] ?? "none";
  const said = (about: string, status: Status | undefined) => {
    if (status === "canonical" && ACTORS[each.by] === "curator") world.asserted.add(about);
    else if (status !== undefined) world.asserted.delete(about);
  };
  try {
    run(bench, calls, each, id, captured);
  } catch (error) {
    if (!(error instanceof MiniSphereError) || error.code === "internal") throw error;
    return;
  }
  for (const [about, status] of captured) {
    world.ids.push(about);
    said(about, status);
  }
  if (each.do === "append" || each.do === "update") said(id(each.at), each.options.status);
  if (each.do === "setStatus") said(id(each.at), each.status);
  if (each.do === "forget") world.ids = world.ids.filter((known) => known !== id(each.at));
}

function run(
  { clock }: Bench,
  calls: Calls,
  each: Call,
  id: (n: number) => string,
  captured: Map<string, Status | undefined>,
): void {
  const dated = ({ expiresAt, ...rest }: Options) => ({
    ...rest,
    ...(expiresAt !== undefined && { expiresAt: clock.now + expiresAt * DAY }),
  });
  const keep = (result: { id: string; created: boolean }, status: Status | undefined) => {
    if (result.created) captured.set(result.id, status);
  };
  switch (each.do) {
    case "capture": {
      const links = each.link && [
        { type: each.link.type, [each.link.end]: id(each.link.at) } as {
          type: EdgeType;
          dst: string;
        },
      ];
      const result = calls.capture(`text ${each.text}`, {
        ...dated(each.options),
        ...(links && { links }),
      });
      return keep(result, each.options.status);
    }
    case "captureMany": {
      const items = [each.text, each.text + 1].map((n) => ({
        content: `text ${n}`,
        ...dated(each.options),
      }));
      for (const result of calls.captureMany(items).results) keep(result, each.options.status);
      return;
    }
    case "append":
      return void calls.append(id(each.at), `text ${each.text}`, dated(each.options));
    case "update":
      return void calls.update(
        id(each.at),
        each.text === null ? null : `text ${each.text}`,
        dated(each.options),
      );
    case "setStatus":
      return void calls.setStatus(id(each.at), each.status);
    case "link":
      return void calls.link(id(each.at), id(each.to), each.type);
    case "unlink":
      return void calls.unlink(id(each.at), id(each.to), each.type);
    case "forget":
      return void calls.forget(id(each.at));
    case "runStalenessPass":
      return void calls.runStalenessPass();
    case "recall":
      return void calls.recall("text");
  }
}
