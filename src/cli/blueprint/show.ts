import { columns } from "../show/layout.ts";
import type { Applied } from "./apply.ts";

const WORDS: Readonly<Record<keyof Applied, string>> = {
  added: "added",
  updated: "updated",
  edited: "edited, left alone",
  unchanged: "unchanged",
  present: "known before",
  retired: "no longer in the blueprint, left alone",
};

/** What became of the seeds: each that is not simply as it was, and the counts. */
export function showApplied(applied: Applied): string {
  const lists = Object.entries(applied) as [keyof Applied, Applied["added"]][];
  const counts = lists
    .filter(([, placed]) => placed.length > 0)
    .map(([what, placed]) => `${placed.length} ${WORDS[what]}`);
  const news = lists
    .filter(([what]) => what !== "unchanged")
    .flatMap(([what, placed]) =>
      placed.map(({ key, id }) => [`${id}  ${key}`, WORDS[what]] as const),
    );
  return [`Seeds: ${counts.join("; ")}.`, ...(news.length === 0 ? [] : [columns(news, "  ")])].join(
    "\n",
  );
}
