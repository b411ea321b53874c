import { MiniSphereError } from "../../contracts/index.ts";
import { workersAiEmbedder } from "../bindings/embedder.ts";
import type { Embedder, WorkersAi } from "../bindings/embedder.ts";
import type { SecretPolicy } from "./secrets.ts";
import { SECRET_POLICIES } from "./secrets.ts";
import type { SphereOptions } from "./sphere.ts";

const SECRETS = "SPHERE_SECRETS";
const EMBEDDING_MODEL = "SPHERE_EMBEDDING_MODEL";
const MAX_DATABASE_BYTES = "SPHERE_MAX_DATABASE_BYTES";
/** An empty database has 0.14 MB; more than the platform's 10 GB would never be met. */
const RANGE = { min: 1_000_000, max: 10_000_000_000 };

/**
 * What the environment says of a workspace; an empty one says nothing, and defaults hold ([LIM-3], [SEC-3]).
 *
 * @throws MiniSphereError `unavailable` when a variable makes no sense: a guess could fill the database, or
 * store what should not be.
 */
export function settingsOf(env: unknown): Pick<SphereOptions, "maxDatabaseBytes" | "secrets"> {
  const variables = Object(env) as Record<string, unknown>;
  return { ...databaseBytes(variables[MAX_DATABASE_BYTES]), ...secrets(variables[SECRETS]) };
}

/**
 * The embedder of the environment: any Worker bound as `EMBEDDER`, else Workers AI when `SPHERE_EMBEDDING_MODEL`
 * names a model; null without ([BND-1]).
 *
 * @throws MiniSphereError `unavailable` when a model is named and nothing is bound that could run it.
 */
export function embedderOf(env: unknown): Embedder | null {
  const { EMBEDDER, AI, [EMBEDDING_MODEL]: model } = Object(env) as Record<string, unknown>;
  if (EMBEDDER !== undefined) return EMBEDDER as Embedder;
  if (model === undefined) return null;
  if (typeof model === "string" && model !== "" && AI !== undefined)
    return workersAiEmbedder(AI as WorkersAi, model);
  throw new MiniSphereError(
    "unavailable",
    `This Worker's variable ${EMBEDDING_MODEL} names a model of Workers AI, and needs the binding AI beside it; ` +
      "its operator must add the one or take the other away.",
  );
}

function databaseBytes(given: unknown): Pick<SphereOptions, "maxDatabaseBytes"> {
  if (given === undefined) return {};
  // A variable of a Worker is a string or, as in a config that writes it without quotes, a number.
  const bytes = typeof given === "string" && /^\d+$/.test(given) ? Number(given) : given;
  if (isWhole(bytes) && bytes >= RANGE.min && bytes <= RANGE.max)
    return { maxDatabaseBytes: bytes };
  throw new MiniSphereError(
    "unavailable",
    `This Worker's variable ${MAX_DATABASE_BYTES} must be a whole number of bytes from ${RANGE.min} to ` +
      `${RANGE.max}, not ${JSON.stringify(given)}; its operator must correct it.`,
  );
}

function secrets(given: unknown): Pick<SphereOptions, "secrets"> {
  if (given === undefined) return {};
  if (SECRET_POLICIES.includes(given as SecretPolicy)) return { secrets: given as SecretPolicy };
  throw new MiniSphereError(
    "unavailable",
    `This Worker's variable ${SECRETS} must be one of ${SECRET_POLICIES.join(", ")}, not ` +
      `${JSON.stringify(given)}; its operator must correct it.`,
  );
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}
