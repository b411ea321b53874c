import type { MiniSphereApi } from "../../../contracts/api.ts";
import { hasErrorCode } from "../../../contracts/errors.ts";
import { LIMITS } from "../../../contracts/limits.ts";
import { inBatches, readStamp, SEED_TAG, type Seed, seedHash, stampOf } from "./seeds.ts";

/** What became of each seed; the lists are of keys with the ids of their entries. */
export interface Applied {
  /** Captured now. */
  added: Placed[];
  /** Nobody had changed it since it was applied: it says now what the blueprint says. */
  updated: Placed[];
  /** Somebody changed, deprecated or replaced it since: it is left alone, though the blueprint has news. */
  edited: Placed[];
  /** The blueprint has no news of it. */
  unchanged: Placed[];
  /** An entry that is no seed of this blueprint has the same bytes; it gets the seed's tags ([CAP-7]). */
  present: Placed[];
  /** The blueprint no longer has it; its entry is left alone. */
  retired: Placed[];
}

export interface Placed {
  key: string;
  id: string;
}

/** Brings the seeds of a workspace up to the blueprint. Takes a curator; can be repeated at any point. */
export async function applySeeds(
  sphere: MiniSphereApi,
  blueprint: string,
  seeds: readonly Seed[],
): Promise<Applied> {
  const known = await knownSeeds(sphere, blueprint);
  const applied: Applied = {
    added: [],
    updated: [],
    edited: [],
    unchanged: [],
    present: [],
    retired: [],
  };
  for (const batch of inBatches(
    seeds.filter(({ key }) => !known.has(key)),
    LIMITS.captureMany,
  )) {
    const { results } = await sphere.captureMany(batch.map((seed) => capture(blueprint, seed)));
    for (const [at, { id, created }] of results.entries()) {
      applied[created ? "added" : "present"].push({ key: batch[at]!.key, id });
    }
  }
  for (const seed of seeds) {
    const before = known.get(seed.key);
    if (before === undefined) continue;
    const outcome = await bringUp(sphere, blueprint, seed, before);
    applied[outcome].push({ key: seed.key, id: before.id });
    known.delete(seed.key);
  }
  applied.retired = [...known].map(([key, { id }]) => ({ key, id }));
  return applied;
}

interface Known {
  id: string;
  /** Of the seed as it was applied last. */
  hash: string;
}

async function knownSeeds(sphere: MiniSphereApi, blueprint: string): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  let cursor: string | null = null;
  do {
    const { entries, next }: Awaited<ReturnType<MiniSphereApi["listRecent"]>> =
      await sphere.listRecent({
        tag: SEED_TAG,
        n: LIMITS.page.max,
        ...(cursor !== null && { cursor }),
      });
    for (const { id, source } of entries) {
      const stamp = readStamp(blueprint, source);
      if (stamp !== null) known.set(stamp.key, { id, hash: stamp.hash });
    }
    cursor = next;
  } while (cursor !== null);
  return known;
}

async function bringUp(
  sphere: MiniSphereApi,
  blueprint: string,
  seed: Seed,
  { id, hash }: Known,
): Promise<"unchanged" | "updated" | "edited"> {
  if (seedHash(seed) === hash) return "unchanged";
  const entry = await sphere.getEntry(id);
  if (seedHash(entry) !== hash || entry.superseded) return "edited";
  const { key: _key, content, ...options } = seed;
  try {
    await sphere.update(id, content, {
      ...options,
      source: stampOf(blueprint, seed),
      ifRevision: entry.revision,
    });
    return "updated";
  } catch (error) {
    // Changed a moment ago, or its new text is another entry's by now.
    if (hasErrorCode(error) && error.code === "conflict") return "edited";
    throw error;
  }
}

function capture(blueprint: string, seed: Seed) {
  const { key: _key, evidenceRef, expiresAt, ...rest } = seed;
  return {
    ...rest,
    ...(evidenceRef !== null && { evidenceRef }),
    ...(expiresAt !== null && { expiresAt }),
    source: stampOf(blueprint, seed),
  };
}
