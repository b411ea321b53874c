import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MiniSphereApi } from "../../contracts/api.ts";
import {
  expectedOf,
  inWorkspaces,
  levels,
  placeFixture,
  workspaceOf,
} from "../fixtures/databases/support.ts";
import { dumpWorkspace, FINDS } from "../fixtures/databases/workspace.ts";
import { asStorage } from "./node-storage.ts";
import { copyProject } from "./project-copy.ts";

/*
 * Databases written by earlier code, each a real file under a real Worker of this code. Three starts, in
 * order: this code upgrades them, older code refuses them, this code goes on with them.
 */

interface Used {
  opened: unknown;
  found: Record<string, string | undefined>;
  written: { found: string | undefined; count: number };
  left: unknown;
}
type Seen = Used & { refusal: unknown; afterRefusal: unknown };

const LEVELS = levels();
const seen = new Map<string, Seen>();
const files = new Map<string, string>();
let project: Awaited<ReturnType<typeof copyProject>>;

beforeAll(async () => {
  project = await copyProject();
  const { root } = project;
  for (const level of LEVELS) files.set(level, placeFixture(root, level));

  const upgraded = await inEach(root, use);
  const current = readFileSync(migrationsOf(root), "utf8");
  writeFileSync(migrationsOf(root), withoutTheLast(current));
  const refused = await inEach(root, (sphere) =>
    sphere.getCount().catch((error: unknown) => error),
  );
  writeFileSync(migrationsOf(root), current);
  const afterwards = await inEach(root, dumpWorkspace);

  for (const [at, level] of LEVELS.entries()) {
    seen.set(level, {
      ...upgraded[at]!,
      refusal: refused[at],
      afterRefusal: afterwards[at],
    });
  }
}, 240_000);
afterAll(() => project.remove());

it("[STO-3] every migration level before this one has a fixture that its own code has made", () => {
  const names = [...readFileSync(migrationsOf(project.root), "utf8").matchAll(/"(\d{4}_\w+)"/g)];
  const earlier = names.map(([, name]) => name).slice(0, -1);
  const missing = earlier.filter((name) => !LEVELS.includes(name!));
  expect(missing, "make them: npx node test/fixtures/databases/make.ts COMMIT").toEqual([]);
});

describe.each(LEVELS)("a database of level %s", (level) => {
  it("[STO-3] opens with all that its own code said of it", () => {
    expect(seen.get(level)!.opened).toMatchObject(saidOf(level));
  });

  it("[STO-3] finds its entries by their words", () => {
    expect(seen.get(level)!.found).toEqual(FINDS);
  });

  it("[STO-3] is written and forgets as any other", () => {
    const { ids } = expectedOf(level).said as { ids: string[] };
    expect(seen.get(level)!.written).toEqual({ found: NEW, count: ids.length });
  });

  it("[ANA-7] has an index, tallies and all that hangs on entries as if it were new", async () => {
    const database = new DatabaseSync(files.get(level)!);
    await expectInvariant(asStorage(database));
    database.close();
  });

  it("[STO-4] is refused by the code of the level before this one, in a sentence", () => {
    expect(seen.get(level)!.refusal).toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(NEWER) as string,
    });
  });

  it("[STO-4] is as it was after older code has refused it", () => {
    expect(seen.get(level)!.afterRefusal).toEqual(seen.get(level)!.left);
  });
});

/** What its own code said, but that captures were counted from the log then and are from what is there now ([BRF-3]). */
function saidOf(level: string): object {
  const said = expectedOf(level).said as { ids: string[]; brief: { counts: object } };
  const counts = { ...said.brief.counts, captured: said.ids.length };
  return { ...said, brief: { ...said.brief, counts } };
}

const NEWER =
  /^The database is newer than this code: it has migration \d{4}_\w+, the code ends at \w+\. Deploy the newer code again\.$/;
const NEW = "Written after the upgrade.";

/** By a name that the compiler does not follow: it leads to types of the runtime, which are not Node's. */
async function expectInvariant(storage: unknown): Promise<void> {
  const checks = (await import(["../support", "invariant.ts"].join("/"))) as {
    expectInvariant: (storage: unknown) => void;
  };
  checks.expectInvariant(storage);
}

/** The same work in the workspace of every level, with one start of the Workers. */
function inEach<T>(root: string, work: (sphere: MiniSphereApi) => Promise<T>): Promise<T[]> {
  return inWorkspaces(root, (open) =>
    Promise.all(LEVELS.map(async (level) => work(await open(workspaceOf(level))))),
  );
}

async function use(sphere: MiniSphereApi): Promise<Used> {
  const opened = await dumpWorkspace(sphere);
  const best = async (query: string) =>
    (await sphere.recall(query, { observe: true, topK: 1 })).hits[0]?.content;
  const found: Used["found"] = {};
  for (const words of Object.keys(FINDS)) found[words] = await best(words);

  const { id } = await sphere.capture(NEW, { tags: ["new"] });
  const again = await best("after upgrade");
  await sphere.forget(id);
  const written = { found: again, count: await sphere.getCount() };
  return { opened, found, written, left: await dumpWorkspace(sphere) };
}

const migrationsOf = (root: string) => join(root, "migrations/index.ts");

/** The code as it was before its last migration, as far as the database is concerned. */
function withoutTheLast(source: string): string {
  const declaration = "export const MIGRATIONS";
  expect(source).toContain(declaration);
  return `${source.replace(declaration, "const ALL")}\nexport const MIGRATIONS = ALL.slice(0, -1);\n`;
}
