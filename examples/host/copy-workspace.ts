import type { Edge, Entry, MiniSphereApi } from "../../contracts/index.ts";

/** Well below the bounds of `captureMany`. */
const BATCH = { items: 100, bytes: 1_000_000 };

/**
 * Copies what a workspace knows into another one, wherever the two run: the stubs of a namespace object, a
 * facet, or a client's. It may be repeated after a break. Ids, `createdAt`, actors, history, recall counts
 * and the audit log are new in the copy.
 *
 * @returns the id in `to` of each id in `from`.
 */
export async function copyWorkspace(
  from: MiniSphereApi,
  to: MiniSphereApi,
): Promise<Map<string, string>> {
  const ids = await idsOldestFirst(from);
  const copies = new Map<string, string>();
  let batch: Entry[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const { results } = await to.captureMany(batch.map(captureOf));
    for (const [at, { id }] of results.entries()) copies.set(batch[at]!.id, id);
    batch = [];
  };
  let bytes = 0;
  for (const id of ids) {
    const entry = await from.getEntry(id);
    // A character is at most three bytes.
    const size = 3 * entry.content.length;
    if (batch.length === BATCH.items || bytes + size > BATCH.bytes) {
      await flush();
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  await flush();
  for (const id of ids) await copyEdges(from, to, { id, copies });
  return copies;
}

/** So that the copy lists them in the same order. */
async function idsOldestFirst(from: MiniSphereApi): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { entries: { id: string }[]; next: string | null } = await from.listRecent({
      n: 200,
      ...(cursor !== null && { cursor }),
    });
    ids.push(...page.entries.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== null);
  return ids.toReversed();
}

function captureOf(entry: Entry) {
  const { content, kind, status, volatility, claimTag, importance, occurredAt } = entry;
  const { source, evidenceRef, expiresAt } = entry;
  const origin = Object.entries(entry.origin).flatMap(([prefix, values]) =>
    values.map((value) => `${prefix}:${value}`),
  );
  return {
    content,
    kind,
    status,
    volatility,
    claimTag,
    importance,
    occurredAt,
    tags: [...entry.tags, ...origin],
    ...(source !== null && { source }),
    ...(evidenceRef !== null && { evidenceRef }),
    ...(expiresAt !== null && { expiresAt }),
  };
}

async function copyEdges(
  from: MiniSphereApi,
  to: MiniSphereApi,
  { id, copies }: { id: string; copies: ReadonlyMap<string, string> },
): Promise<void> {
  let cursor: string | null = null;
  do {
    const page: { edges: Edge[]; next: string | null } = await from.connections(id, {
      n: 200,
      ...(cursor !== null && { cursor }),
    });
    // Each edge is met at both of its ends, and copied at its src.
    for (const { src, dst, type, ...edge } of page.edges.filter((each) => each.src === id)) {
      const [newSrc, newDst] = [copies.get(src), copies.get(dst)];
      if (newSrc === undefined || newDst === undefined) continue;
      const { weight, provenance, metadata } = edge;
      await to.link(newSrc, newDst, type, {
        weight,
        provenance,
        ...(metadata && { metadata: metadata as never }),
      });
    }
    cursor = page.next;
  } while (cursor !== null);
}
