import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { CONTRACT_VERSION, METHODS_BY_ROLE } from "../../../contracts/api.ts";
import { INPUTS, type Method } from "../../../contracts/inputs.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { ROLES } from "../../../contracts/vocabulary.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { ROOT } from "../program.ts";

/*
 * The blueprint: what a workspace of this code is, as data, for those who deploy or host one without reading
 * the code. Made from the code, so that it cannot say anything else; `npm run blueprint:check` compares.
 */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const limit = z.int().min(0);

export const BlueprintSchema = z.strictObject({
  $schema: z.string().describe("Where this schema is, from the file"),
  name: z
    .string()
    .describe("The package's name; in a folder made for a workspace, the workspace's"),
  contract: z.strictObject({
    version: z.string().regex(/^\d+\.\d+\.\d+$/),
    sha256: sha256.describe("Of the contract and the types beside it"),
  }),
  class: z.literal("MiniSphere").describe("The Durable Object's class, an export of the bundle"),
  storage: z.literal("sqlite"),
  surface: z
    .record(z.enum(ROLES), z.array(z.enum(Object.keys(INPUTS) as [Method, ...Method[]])))
    .describe("The methods of each role's capability"),
  bindings: z.strictObject({
    required: z.array(z.string()).describe("Bindings of the class; it needs none"),
    optional: z.array(
      z.strictObject({
        name: z.string(),
        binding: z.string(),
        used: z.boolean().describe("Whether this version of the code makes use of it"),
      }),
    ),
  }),
  limits: z.record(z.string(), z.union([limit, z.record(z.string(), limit)])),
  migrations: z.array(
    z.strictObject({
      id: z.int().min(1),
      name: z.string(),
      sha256: sha256.describe("As recorded in the database, line endings aside"),
    }),
  ),
  seeds: z
    .array(z.strictObject({ key: z.string(), hash: z.string().regex(/^[0-9a-f]{16}$/) }))
    .describe("What a new workspace is told first, by key, with the hash of each"),
});
export type Blueprint = z.output<typeof BlueprintSchema>;

/** Bindings that the class could be given ([STO-9] says that it needs none). */
export const OPTIONAL_BINDINGS = [{ name: "ai", binding: "AI", used: false }];

/** The blueprint of the code as it is, without a workspace's seeds. */
export async function blueprintOfCode(): Promise<Blueprint> {
  return BlueprintSchema.parse({
    $schema: "./blueprint.schema.json",
    name: "mini-sphere",
    contract: { version: CONTRACT_VERSION, sha256: await contractHash() },
    class: "MiniSphere",
    storage: "sqlite",
    surface: METHODS_BY_ROLE,
    bindings: { required: [], optional: OPTIONAL_BINDINGS },
    limits: LIMITS,
    migrations: await migrations(),
    seeds: [],
  });
}

/** The two committed files, path from the root → text that they must have. */
export async function blueprintFiles(): Promise<Map<string, string>> {
  return new Map([
    ["contracts/blueprint.json", json(await blueprintOfCode())],
    ["contracts/blueprint.schema.json", json(blueprintJsonSchema())],
  ]);
}

export const blueprintJsonSchema = () => z.toJSONSchema(BlueprintSchema);

export const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

async function contractHash(): Promise<string> {
  const names = (await readdir(join(ROOT, "contracts"))).filter((name) =>
    /\.(?:md|ts)$/.test(name),
  );
  const texts = names.sort().map(async (name) => `${name}\n${await text("contracts", name)}`);
  return sha256Hex((await Promise.all(texts)).join("\n"));
}

async function migrations(): Promise<Blueprint["migrations"]> {
  const names = (await readdir(join(ROOT, "migrations"))).filter((name) => name.endsWith(".sql"));
  return Promise.all(
    names.sort().map(async (file) => {
      const name = file.replace(".sql", "");
      return {
        id: Number(name.slice(0, 4)),
        name,
        sha256: sha256Hex(await text("migrations", file)),
      };
    }),
  );
}

/** Line endings do not count: a checkout on another system is the same code. */
const text = async (...path: string[]) =>
  (await readFile(join(ROOT, ...path), "utf8")).replaceAll("\r\n", "\n");
