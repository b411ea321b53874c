import type { Changed, Status } from "../../contracts/index.ts";
import { staleTimes } from "../staleness/staleness.ts";
import type { StoredEntry } from "../storage/entry-row.ts";
import { assertNotExpired, assertRevision } from "./change.ts";
import type { Context } from "./context.ts";
import { audit } from "./context.ts";
import { requireEntry } from "./entry.ts";
import { auditSuperseded } from "./link.ts";

export function setStatus(
  ctx: Context,
  id: string,
  status: Status,
  options: { reason?: string | undefined; ifRevision?: number | undefined } = {},
): Changed {
  const entry = requireEntry(ctx, id);
  assertRevision(entry, options.ifRevision);
  assertNotExpired(ctx, entry, status);
  if (status !== entry.status) return changeStatus(ctx, entry, status, options.reason ?? null);
  if (status === "canonical") affirm(ctx, entry);
  return { id, revision: entry.revision };
}

/** Writes the status, its revision and its line of the audit log; never `updatedAt`, never the index. */
export function changeStatus(
  ctx: Context,
  entry: StoredEntry,
  status: Status,
  reason: string | null,
): Changed {
  const { stores, now } = ctx;
  const revision = entry.revision + 1;
  const next = {
    ...entry,
    status,
    revision,
    affirmedAt: status === "canonical" ? now : entry.affirmedAt,
  };
  stores.entries.save(entry, { ...next, ...staleTimes(next, now) });
  stores.revisions.add({
    rid: entry.rid,
    revision,
    changes: { status: [entry.status, status] },
    content: null,
    reason,
    actor: ctx.grant.actor,
    at: now,
  });
  audit(ctx, status === "deprecated" ? "deprecated" : "updated", entry.id, {
    status: [entry.status, status],
  });
  auditSuperseded(ctx, entry, next);
  return { id: entry.id, revision };
}

/** Said again to be canonical: fresh for another term, the entry itself unchanged ([STA-2]). */
function affirm(ctx: Context, entry: StoredEntry): void {
  const next = { ...entry, affirmedAt: ctx.now };
  ctx.stores.entries.save(entry, { ...next, ...staleTimes(next, ctx.now) });
  audit(ctx, "affirmed", entry.id);
}
