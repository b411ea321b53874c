import type { CaptureItem } from "../../contracts/index.ts";
import type { Row } from "./corpus.ts";
import { idOf } from "./ids.ts";
import type { SpeedWorker } from "./speed-worker.ts";

const BATCH = 500;

export interface Filling {
  /** Milliseconds until committed, in all. */
  captureMany: number;
  bare: number;
}

/** Captures the rows with their links, 500 at once, and puts the same texts into the bare store. */
export async function fill(
  worker: SpeedWorker,
  workspace: string,
  rows: readonly Row[],
  progress: (share: number) => void,
): Promise<Filling> {
  const filling = { captureMany: 0, bare: 0 };
  for (let at = 0; at < rows.length; at += BATCH) {
    const items = rows.slice(at, at + BATCH).map(itemOf);
    const { captureMany, bare, ids } = await worker.fill(workspace, { items });
    // Links name entries by ids that they are still to get.
    if (ids.some((id, index) => id !== idOf(at + index)))
      throw new Error("An id is not as foreseen.");
    filling.captureMany += captureMany;
    filling.bare += bare;
    progress((at + items.length) / rows.length);
  }
  return filling;
}

function itemOf({ content, item, links }: Row): CaptureItem {
  return { content, ...item, links: links.map(({ type, dst }) => ({ type, dst: idOf(dst) })) };
}
