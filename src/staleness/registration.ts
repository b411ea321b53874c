import type { DueNews } from "../../contracts/index.ts";
import type { Stores } from "../storage/stores.ts";

/*
 * What a workspace tells the directory ([MNT-6]). The directory must never hold a later time than the
 * workspace's earliest due one; a message about it may be lost, late, or overtaken by a pass.
 */

/** What the directory must hear of; null when it knows of a time that is as early. */
export function dueNews({ entries, registration, runs }: Stores): DueNews | null {
  const dueAt = entries.earliestDue();
  const known = registration.known();
  if (dueAt === null || (known !== null && known <= dueAt)) return null;
  return { dueAt, run: runs.lastRun() };
}

/**
 * The directory has heard. That counts only as long as no pass has come since: after one the directory
 * holds what the pass reported, which may be later than the news.
 */
export function acknowledgeDue({ registration, runs }: Stores, { dueAt, run }: DueNews): void {
  if (runs.lastRun() === run) registration.lower(dueAt);
}
