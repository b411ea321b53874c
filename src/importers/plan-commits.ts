import { textForEntry } from "./entry-text.ts";
import type { Commit } from "./git-history.ts";
import { type Plan, type PlannedEntry, PROJECT } from "./plan.ts";

const FILES_SHOWN = 10;

/** Commits as episodes, oldest first, each after its parents; and a handoff note from the newest. */
export function planCommits(newestFirst: readonly Commit[]): Plan {
  const commits = newestFirst.toReversed();
  const entries = commits.map(commitEntry);
  const newest = newestFirst[0];
  if (newest) entries.push(handoffEntry(newest));

  const edges = commits.flatMap((commit) => [
    ...commit.parents.map((parent) => ({
      src: keyOf(commit.hash),
      dst: keyOf(parent),
      type: "follows" as const,
    })),
    { src: keyOf(commit.hash), dst: PROJECT, type: "part_of_project" as const },
  ]);
  return { entries, edges };
}

const keyOf = (hash: string) => `commit:${hash}`;

function commitEntry(commit: Commit): PlannedEntry {
  return {
    key: keyOf(commit.hash),
    item: {
      // The hash makes two commits with equal messages two entries.
      content: textForEntry([
        commit.subject || "(no message)",
        commit.body,
        fileList(commit.files),
        `Commit ${shortHash(commit)} by ${commit.author}`,
      ]),
      kind: "episodic",
      status: "canonical",
      volatility: "durable",
      claimTag: "VERIFIED",
      evidenceRef: `git:${commit.hash}`,
      source: "git",
      occurredAt: commit.at,
      tags: ["commit"],
    },
  };
}

function handoffEntry(newest: Commit): PlannedEntry {
  return {
    key: "handoff",
    item: {
      content: textForEntry([
        `Read this first: the newest commit is ${shortHash(newest)}, "${newest.subject}"`,
        newest.body,
        fileList(newest.files),
      ]),
      kind: "episodic",
      volatility: "volatile",
      claimTag: "VERIFIED",
      evidenceRef: `git:${newest.hash}`,
      source: "git",
      occurredAt: newest.at,
      tags: ["handoff"],
    },
  };
}

function fileList(files: readonly string[]): string {
  if (files.length === 0) return "";
  const more = files.length - FILES_SHOWN;
  const shown = files.slice(0, FILES_SHOWN).join(", ");
  return `Files: ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

const shortHash = (commit: Commit) => commit.hash.slice(0, 10);
