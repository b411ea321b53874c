import { MiniSphereError } from "../../contracts/index.ts";
import type { SecretPolicy } from "./secrets.ts";
import { SECRET_POLICIES } from "./secrets.ts";
import type { SphereOptions } from "./sphere.ts";

const SECRETS = "SPHERE_SECRETS";
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
