import type { DueNews } from "../../contracts/index.ts";
import type { Stores } from "../storage/stores.ts";

/*
 * What a workspace tells the directory ([MNT-6]). The directory must never hold a later time than the
 * workspace's earliest due one; a message about it may be lost, late, or overtaken by a pass.
 */

/** Overdue for so long, a workspace takes it that the directory has lost what it was told. */
const GIVEN_UP_MS = 86_400_000;

/** When the workspace is next due, null for never, and the news if the directory knows of no time as early. */
export function dueState(stores: Stores, now: number): { dueAt: number | null; news?: DueNews } {
  const dueAt = stores.entries.earliestDue();
  if (dueAt === null || !isEarlier(dueAt, stores, now)) return { dueAt };
  return { dueAt, news: { dueAt, run: stores.runs.lastRun() } };
}

/**
 * The directory has heard. That counts only as long as no pass has come since: after one the directory
 * holds what the pass reported, which may be later than the news.
 */
export function acknowledgeDue(stores: Stores, { dueAt, run }: DueNews, now: number): void {
  if (stores.runs.lastRun() !== run || !isEarlier(dueAt, stores, now)) return;
  stores.registration.set(dueAt);
}

function isEarlier(dueAt: number, { registration }: Stores, now: number): boolean {
  const known = registration.known();
  return known === null || dueAt < known || known <= now - GIVEN_UP_MS;
}
