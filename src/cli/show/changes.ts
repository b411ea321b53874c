import type { ChangedEntry, ChangeLine, Changes } from "../../../contracts/entities.ts";
import { day, printable, wrap } from "./layout.ts";

/** What happened since a time, for people: an entry a block, a change a line. */
export function showChanges({ since, entries, next }: Changes, width: number): string {
  const blocks = entries.map((entry) => showEntry(entry, width));
  if (blocks.length === 0)
    blocks.push(`Nothing ${next === null ? "" : "yet "}since ${day(since)}.`);
  if (next !== null) blocks.push(`More with --cursor ${next}`);
  return blocks.join("\n\n");
}

function showEntry({ id, title, kind, status, changes }: ChangedEntry, width: number): string {
  const known = [id, kind, status].filter((each) => each !== null).join("  ");
  const head = title === null ? known : `${known}  ${title.replaceAll("\n", " ")}`;
  return [wrap(head, width), ...changes.map((each) => wrap(showChange(each), width, "  "))].join(
    "\n",
  );
}

function showChange({ what, at, actor, fields, by, links = [] }: ChangeLine): string {
  const about = [
    fields?.join(", "),
    by && `by ${by}`,
    ...links.map(({ type, src, dst }) => `${src} —${type}→ ${dst}`),
  ].filter(Boolean);
  const time = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const line = `${time}  ${what}  ${printable(actor)}`;
  return about.length === 0 ? line : `${line}: ${about.join("; ")}`;
}
