import { diffWordsWithSpace } from "diff";
import type { Entry, Revision } from "../../../contracts/entities.ts";
import { el } from "../dom.ts";
import { when } from "../format.ts";

/** What happened to the entry, newest first, each change of text as a diff against what followed it. */
export function revisionList(entry: Entry, revisions: readonly Revision[]): HTMLElement {
  if (revisions.length === 0)
    return el("p", { class: "empty" }, "Never changed since it was captured.");
  // The text after a change is what the next change of the text replaced, or today's.
  let after = { content: entry.content, truncated: false };
  const items = revisions.map((revision) => {
    const item = shown(revision, after);
    if (revision.content !== null)
      after = { content: revision.content, truncated: revision.truncated };
    return item;
  });
  return el("ol", { class: "plain revisions" }, ...items);
}

function shown(revision: Revision, after: { content: string; truncated: boolean }): HTMLElement {
  const { content, truncated, changes, reason, actor, at } = revision;
  const fields = Object.entries(changes).map(([name, [from, to]]) =>
    el(
      "li",
      {},
      `${name}: `,
      el("del", {}, JSON.stringify(from)),
      " → ",
      el("ins", {}, JSON.stringify(to)),
    ),
  );
  return el(
    "li",
    {},
    el(
      "p",
      {},
      el("strong", {}, `Revision ${revision.revision}`),
      el("span", { class: "quiet" }, ` ${actor} · `, when(at)),
    ),
    reason === null ? null : el("p", { class: "quiet", dir: "auto" }, reason),
    content === null
      ? null
      : difference(content, truncated ? after.content.slice(0, content.length) : after.content),
    truncated || after.truncated
      ? el("p", { class: "quiet" }, "History keeps the first 400 characters; the diff is of those.")
      : null,
    fields.length === 0 ? null : el("ul", { class: "plain" }, ...fields),
  );
}

function difference(before: string, after: string): HTMLElement {
  const parts = diffWordsWithSpace(before, after, { timeout: 200 }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return el(
    "p",
    { class: "diff", dir: "auto" },
    ...parts.map(({ value, added, removed }) =>
      added ? el("ins", {}, value) : removed ? el("del", {}, value) : value,
    ),
  );
}
