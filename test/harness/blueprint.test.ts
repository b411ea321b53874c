import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { MiniSphereApi } from "../../contracts/api.ts";
import { CONTRACT_VERSION } from "../../contracts/api.ts";
import { type Applied, applySeeds } from "../../src/cli/blueprint/apply.ts";
import { blueprintFiles, type Blueprint } from "../../src/cli/blueprint/manifest.ts";
import { parseSeeds } from "../../src/cli/blueprint/seeds.ts";
import { connect } from "../../src/client/index.ts";
import { runToEnd } from "../cli/support.ts";
import { copyProject } from "./project-copy.ts";
import { freshWorkspace, ROOT, startWorkers, tokenFor } from "./workers.ts";

const lines = (...seeds: object[]) => seeds.map((seed) => JSON.stringify(seed)).join("\n");
const seedsOf = (...seeds: object[]) => parseSeeds(lines(...seeds), "seeds.jsonl");

describe("contracts/blueprint.json", () => {
  const committed = async (path: string) => readFile(join(ROOT, path), "utf8");

  it("says what the code says, as does its schema", async () => {
    for (const [path, text] of await blueprintFiles()) expect(await committed(path)).toBe(text);
  });

  it("names the migrations that the code applies, in order", async () => {
    const { migrations } = JSON.parse(await committed("contracts/blueprint.json")) as Blueprint;
    const applied = [
      ...(await committed("migrations/index.ts")).matchAll(/id: (\d+), name: "(\w+)"/g),
    ];
    expect(migrations.map(({ id, name }) => [String(id), name])).toEqual(
      applied.map(([, id, name]) => [id, name]),
    );
  });

  it("fits its schema, and a blueprint that lacks something does not", async () => {
    const schema = z.fromJSONSchema(
      JSON.parse(
        await committed("contracts/blueprint.schema.json"),
      ) as z.core.JSONSchema.JSONSchema,
    );
    const blueprint = JSON.parse(await committed("contracts/blueprint.json")) as Blueprint;
    expect(schema.safeParse(blueprint).error).toBeUndefined();
    for (const key of Object.keys(blueprint)) {
      expect(schema.safeParse({ ...blueprint, [key]: undefined }).success).toBe(false);
    }
  });

  it("is found to have drifted, by what has drifted, and is written anew when asked", async () => {
    const { root, remove } = await copyProject();
    onTestFinished(remove);
    const check = (...args: string[]) =>
      runToEnd("npm", ["run", "-s", "blueprint:check", "--", ...args], { cwd: root });
    expect(await check()).toMatchObject({ code: 0 });

    const limits = join(root, "contracts/limits.ts");
    await writeFile(
      limits,
      (await readFile(limits, "utf8")).replace("tagsPerEntry: 64", "tagsPerEntry: 65"),
    );
    expect(await check()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^contracts\/blueprint\.json differs .*\(contract, limits\)/),
    });
    await check("--write");
    expect(await check()).toMatchObject({ code: 0 });
  });
});

describe("a seed file", () => {
  const good = { key: "a", content: "One." };
  const refusals: [string, string, string][] = [
    ["is not JSON", "{", "line 2: it is not JSON"],
    ["is not an object", "[1]", "line 2: it is not a JSON object"],
    ["has no key", lines({ content: "x" }), "line 2: key: must be"],
    ["has a key with spaces", lines({ key: "a b", content: "x" }), "line 2: key: must be"],
    ["has no content", lines({ key: "b" }), "line 2: content: "],
    ["has empty content", lines({ key: "b", content: "" }), "line 2: content: must not be empty"],
    ["has an unknown option", lines({ key: "b", content: "x", colour: "red" }), "line 2: colour: "],
    ["has a bad kind", lines({ key: "b", content: "x", kind: "fact" }), "line 2: kind: "],
    [
      "is verified without evidence",
      lines({ key: "b", content: "x", claimTag: "VERIFIED" }),
      "line 2: evidenceRef: is required",
    ],
    ["has tags that are none", lines({ key: "b", content: "x", tags: "a" }), "line 2: tags: "],
    [
      "has no room for the tag of seeds",
      lines({ key: "b", content: "x", tags: Array.from({ length: 64 }, (_, at) => `t${at}`) }),
      "line 2: tags: ",
    ],
    ["has a source", lines({ key: "b", content: "x", source: "me" }), "line 2: source: a seed"],
    ["has links", lines({ key: "b", content: "x", links: [] }), "line 2: links: a seed"],
    [
      "has an origin tag",
      lines({ key: "b", content: "x", tags: ["Session:1"] }),
      'line 2: tags: "session:1" names',
    ],
    ["has the key of another", lines({ key: "a", content: "x" }), 'line 2: the key "a" stands'],
    ["has the content of another", lines({ key: "b", content: "One." }), "line 2: its content"],
  ];

  it.each(refusals)("with a line that %s is refused by its number", (_, line, sentence) => {
    expect(() => parseSeeds(`${lines(good)}\n${line}`, "seeds.jsonl")).toThrow(
      `seeds.jsonl, ${sentence}`,
    );
  });

  it("counts empty lines, and takes them", () => {
    expect(parseSeeds(`\n${lines(good)}\r\n\n`, "seeds.jsonl")).toHaveLength(1);
    expect(() => parseSeeds("\n\n{", "seeds.jsonl")).toThrow("line 3");
  });

  it("without any seed is refused", () => {
    expect(() => parseSeeds("\n", "seeds.jsonl")).toThrow("has no seeds");
  });
});

let workers: Awaited<ReturnType<typeof startWorkers>>;
beforeAll(async () => {
  workers = await startWorkers();
});
afterAll(() => workers.close());

/** A workspace and what applying seeds to it does. */
async function openWorkspace() {
  const workspace = freshWorkspace();
  const token = await tokenFor(workspace, "curator");
  const sphere: MiniSphereApi = connect({ url: workers.url, token, transport: "batch" }) as never;
  const apply = async (...seeds: object[]) =>
    keysOf(await applySeeds(sphere, "test", seedsOf(...seeds)));
  const entries = async () => (await sphere.listRecent({ n: 200 })).entries;
  const idOf = async (content: string) =>
    (await entries()).find((entry) => entry.content === content)?.id ?? "";
  return { workspace, token, sphere, apply, entries, idOf };
}

/** The keys of the lists that are not empty. */
const keysOf = (applied: Applied) =>
  Object.fromEntries(
    Object.entries(applied)
      .filter(([, placed]) => placed.length > 0)
      .map(([what, placed]) => [what, (placed as Applied["added"]).map(({ key }) => key)]),
  );

const FULL = {
  key: "full",
  content: "Coal is bought in April.",
  kind: "semantic",
  status: "canonical",
  volatility: "durable",
  claimTag: "VERIFIED",
  evidenceRef: "https://example.com/coal",
  importance: 4,
  tags: [" Coal ", "blueprint", "Łódź"],
  expiresAt: Date.UTC(2100, 0, 1),
};
const PLAIN = { key: "plain", content: "The depot has two cranes." };

describe("applying seeds", () => {
  it("captures them, stamped with the blueprint, the key and a hash", async () => {
    const { sphere, apply, idOf } = await openWorkspace();
    expect(await apply(FULL, PLAIN)).toEqual({ added: ["full", "plain"] });
    const { key, ...said } = FULL;
    const full = await sphere.getEntry(await idOf(FULL.content));
    expect(full).toMatchObject({ ...said, tags: ["blueprint", "coal", "łódź"] });
    expect(full.source).toMatch(new RegExp(`^blueprint:test#${key}@[0-9a-f]{16}$`));
    expect(await sphere.getEntry(await idOf(PLAIN.content))).toMatchObject({
      status: "draft",
      tags: ["blueprint"],
      source: expect.stringMatching(/^blueprint:test#plain@/),
    });
  });

  it("again changes nothing", async () => {
    const { sphere, apply, entries } = await openWorkspace();
    await apply(FULL, PLAIN);
    const before = await entries();
    expect(await apply(FULL, PLAIN)).toEqual({ unchanged: ["full", "plain"] });
    expect(await entries()).toEqual(before);
    expect((await sphere.getEntry(before[0]!.id)).revision).toBe(1);
  });

  it.each([
    ["text", { content: "Coal is bought in May." }],
    ["options", { importance: 1, tags: ["coal"] }],
    ["evidence taken away", { claimTag: "INFERRED", evidenceRef: undefined, expiresAt: undefined }],
  ])("brings what nobody has changed up to newer %s, time after time", async (_, change) => {
    const { sphere, apply, idOf } = await openWorkspace();
    await apply(FULL);
    const id = await idOf(FULL.content);
    const newer = { ...FULL, ...change };
    expect(await apply(newer)).toEqual({ updated: ["full"] });
    expect(await apply(newer)).toEqual({ unchanged: ["full"] });
    expect(await apply(FULL)).toEqual({ updated: ["full"] });
    expect(await sphere.getEntry(id)).toMatchObject({ content: FULL.content, revision: 3 });
  });

  it.each<[string, (sphere: MiniSphereApi, id: string) => Promise<unknown>]>([
    ["rewritten", (sphere, id) => sphere.update(id, "Coal is too dear.")],
    ["added to", (sphere, id) => sphere.append(id, "Not this year.")],
    ["tagged", (sphere, id) => sphere.update(id, null, { tags: ["blueprint", "mine"] })],
    ["deprecated", (sphere, id) => sphere.setStatus(id, "deprecated")],
    ["weighed anew", (sphere, id) => sphere.update(id, null, { importance: 5 })],
    [
      "replaced",
      (sphere, id) =>
        sphere.capture("Coal is bought in June.", {
          kind: "semantic",
          status: "canonical",
          links: [{ type: "supersedes", dst: id }],
        }),
    ],
  ])("leaves what somebody has %s, and says so", async (_, edit) => {
    const { sphere, apply, idOf } = await openWorkspace();
    await apply(FULL, PLAIN);
    const id = await idOf(FULL.content);
    await edit(sphere, id);
    const edited = await sphere.getEntry(id);
    expect(
      await apply({ ...FULL, content: "Coal is bought in May." }, { ...PLAIN, importance: 1 }),
    ).toEqual({ updated: ["plain"], edited: ["full"] });
    expect(await sphere.getEntry(id)).toEqual(edited);
  });

  it("is not misled by recalls and links, which change no entry", async () => {
    const { sphere, apply, idOf } = await openWorkspace();
    await apply(FULL, PLAIN);
    await sphere.recall("coal");
    await sphere.link(await idOf(PLAIN.content), await idOf(FULL.content), "relates_to");
    expect(await apply({ ...FULL, importance: 1 }, PLAIN)).toEqual({
      updated: ["full"],
      unchanged: ["plain"],
    });
  });

  it("says which seeds are no longer in the blueprint, and leaves them", async () => {
    const { apply, entries } = await openWorkspace();
    await apply(FULL, PLAIN);
    expect(await apply(PLAIN)).toEqual({ unchanged: ["plain"], retired: ["full"] });
    expect(await entries()).toHaveLength(2);
  });

  it("knows what the workspace knew before, and does not take it over", async () => {
    const { sphere, apply, idOf } = await openWorkspace();
    await sphere.capture(PLAIN.content, { source: "mine" });
    expect(await apply(PLAIN)).toEqual({ present: ["plain"] });
    expect((await sphere.getEntry(await idOf(PLAIN.content))).source).toBe("mine");
  });

  it("leaves the seeds of other blueprints alone", async () => {
    const { sphere, apply } = await openWorkspace();
    await applySeeds(sphere, "other", seedsOf(FULL));
    expect(await apply(PLAIN)).toEqual({ added: ["plain"] });
  });

  it("takes more seeds than one call may carry", async () => {
    const { sphere, apply } = await openWorkspace();
    const many = Array.from({ length: 501 }, (_, at) => ({
      key: `k${at}`,
      content: `Seed ${at}.`,
    }));
    expect((await apply(...many))["added"]).toHaveLength(501);
    expect(await sphere.getCount()).toBe(501);
    expect((await apply(...many))["unchanged"]).toHaveLength(501);
  });
});

describe("npm run blueprint", () => {
  const command = (...args: string[]) =>
    runToEnd("npm", ["run", "-s", "blueprint", "--", ...args], { env: { SPHERE_TOKEN: "" } });

  async function scratch(seeds: string): Promise<{ out: string; file: string }> {
    const directory = await mkdtemp(join(tmpdir(), "mini-sphere-blueprint-"));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const file = join(directory, "seeds.jsonl");
    await writeFile(file, seeds);
    return { out: join(directory, "out"), file };
  }

  it(
    "writes a folder, checks it, seeds it and shows its brief; then brings it up to newer seeds",
    { timeout: 240_000 },
    async () => {
      const rule = {
        key: "rule",
        content: "Answer in whole sentences.",
        kind: "instruction",
        status: "canonical",
      };
      const { out, file } = await scratch(lines(rule, PLAIN));
      const first = await command("my_notes", "--out", out, "--seed", file, "--bindings", "ai");
      expect(first).toMatchObject({ code: 0, stderr: "" });
      expect(first.stdout).toMatch(/^wrangler\.toml: would deploy\. Total Upload/m);
      expect(first.stdout).toMatch(/^wrangler\.scheduler\.toml: would deploy\./m);
      expect(first.stdout).toContain("Seeds: 2 added.");
      expect(first.stdout).toMatch(/Standing instructions\n.*\n {4}Answer in whole sentences\./);

      const read = (name: string) => readFile(join(out, name), "utf8");
      expect(JSON.parse(await read("blueprint.json"))).toMatchObject({
        name: "my_notes",
        contract: { version: CONTRACT_VERSION },
        seeds: [{ key: "rule" }, { key: "plain" }],
      });
      expect(await read("wrangler.toml")).toMatch(/^name = "mini-sphere-my-notes"$/m);
      expect(await read("wrangler.toml")).toMatch(/^# \[ai\]$/m);
      expect(await read("wrangler.scheduler.toml")).toMatch(/^service = "mini-sphere-my-notes"$/m);
      expect(await read("README.md")).toContain("deploy -c wrangler.scheduler.toml");
      expect(await readdir(join(out, "worker"))).toContain("main.js");

      await writeFile(file, lines({ ...rule, content: "Answer in short sentences." }, PLAIN));
      const second = await command("my_notes", "--out", out, "--seed", file);
      expect(second).toMatchObject({ code: 0, stderr: "" });
      expect(second.stdout).toContain("Seeds: 1 updated; 1 unchanged.");
      expect(second.stdout).toContain("Answer in short sentences.");
    },
  );

  it("applies seeds to a workspace that runs elsewhere", async () => {
    const { workspace, token, sphere } = await openWorkspace();
    const { file } = await scratch(lines(PLAIN));
    const args = [workspace, "--seed", file, "--apply", workers.url, "--token", token];
    expect(await command(...args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Seeds: 1 added."),
    });
    expect(await sphere.getCount()).toBe(1);
  });

  it("applies nothing of a file with a bad line", async () => {
    const { workspace, token, sphere } = await openWorkspace();
    const { out, file } = await scratch(`${lines(PLAIN)}\n{"key":"b"}`);
    for (const where of [
      ["--out", out],
      ["--apply", workers.url, "--token", token],
    ]) {
      expect(await command(workspace.slice(0, 30), "--seed", file, ...where)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/seeds\.jsonl, line 2: content: /),
      });
    }
    await expect(readdir(out)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await sphere.getCount()).toBe(0);
  });

  it("refuses a folder that holds something else, and leaves it", async () => {
    const { out, file } = await scratch(lines(PLAIN));
    const directory = join(out, "..");
    expect(await command("notes", "--out", directory)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not the blueprint of "notes"'),
    });
    expect(await readdir(directory)).toEqual(["seeds.jsonl"]);
    expect(file).toContain(directory);
  });

  it.each([
    [["Notes!"], "The workspace must be 1 to 64"],
    [["a".repeat(50)], "at most 41"],
    [["notes", "--apply", "http://localhost"], "--apply needs --seed"],
    [["notes", "--seed", "nowhere.jsonl"], "nowhere.jsonl cannot be read (ENOENT)"],
    [["notes", "--bindings", "gpu"], "Allowed choices are ai"],
  ])("refuses %j in words", async (args, words) => {
    expect(await command(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words),
    });
  });
});
