import type {
  ClaimTag,
  EdgeType,
  EmptyReason,
  Kind,
  Provenance,
  Status,
  Volatility,
} from "./vocabulary.ts";

/*
 * Result shapes (contract section 3). Plain JSON-like data: nothing here may be a Map, a Date or a class,
 * because Cap'n Web carries none of them. Times are milliseconds since the epoch, UTC.
 */

/** What every listed entry shows. `content` is at most 400 characters; `truncated` says when it was cut. */
export interface EntrySummary {
  id: string;
  content: string;
  truncated: boolean;
  kind: Kind;
  /** `deprecated` also when the entry is past its `expiresAt` and no pass has run yet. */
  status: Status;
  volatility: Volatility;
  claimTag: ClaimTag;
  evidenceRef: string | null;
  importance: number;
  tags: string[];
  source: string | null;
  /** Who captured it: stamped by the capability. */
  actor: string;
  occurredAt: number;
  createdAt: number;
  updatedAt: number;
  stale: boolean;
  /** Superseded by a counting `supersedes` edge ([SUP-1]). */
  superseded: boolean;
  /** A raw tool call, a tool result or machine-made: left out of recall unless asked. */
  exhaust: boolean;
}

/** Everything about one entry. `truncated` is always false here. */
export interface Entry extends EntrySummary {
  expiresAt: number | null;
  revision: number;
  recallCount: number;
  staleSince: number | null;
  /** The heads that replace it, when it is superseded. */
  supersededBy: string[];
  /** More than one head replaces it. */
  fork: boolean;
  /** Ids of superseded entries that it rests on, within 2 hops. */
  restsOnSuperseded: string[];
  /** What the claim is worth, where what it derives from bears less than `claimTag` ([EVD-2]). */
  effectiveClaim?: ClaimTag;
  /** The grounds that bear less, with `effectiveClaim`. */
  restsOnWeaker?: string[];
  /** Session, turn, role and model tags, moved out of `tags` at capture: prefix → values. */
  origin: Record<string, string[]>;
  /**
   * With `asOf`: the time, and whether every change since is known. When `exact` is false, the oldest state
   * that is kept is later than the time ([HIS-2]).
   */
  asOf?: { at: number; exact: boolean };
}

export interface Edge {
  src: string;
  dst: string;
  type: EdgeType;
  weight: number;
  provenance: Provenance;
  metadata: Record<string, unknown> | null;
  createdAt: number;
  updatedAt: number;
}

export interface Revision {
  /** The revision that the change produced; the state before it was `revision - 1`. */
  revision: number;
  /** What changed: field → [before, after]. `content` is not here; its old text is `content` below. */
  changes: Record<string, [unknown, unknown]>;
  /** The text before the change, at most 400 characters; null when the text did not change. */
  content: string | null;
  truncated: boolean;
  reason: string | null;
  actor: string;
  at: number;
}

/** One change of an entry, as the audit log has it; never content. */
export interface ChangeLine {
  what:
    | "captured"
    | "updated"
    | "deprecated"
    | "superseded"
    | "forgotten"
    | "linked"
    | "unlinked"
    | "affirmed";
  at: number;
  actor: string;
  /** Names of what changed; `history` has the values. */
  fields?: string[];
  /** What superseded it. */
  by?: string;
  /** Edges that were made, strengthened or taken away. */
  links?: { type: EdgeType; src: string; dst: string }[];
}

/** An entry and what happened to it, newest first; title, kind and status are now's. */
export interface ChangedEntry {
  id: string;
  /** The first line; null, like kind and status, when the entry was forgotten. */
  title: string | null;
  kind: Kind | null;
  status: Status | null;
  changes: ChangeLine[];
}

export interface Changes {
  since: number;
  /** The entry with the newest change first. */
  entries: ChangedEntry[];
  next: string | null;
}

/** A piece of the export ([EXP-1]); `next` is null after the last one. */
export interface ExportPage {
  /** NDJSON; a record may begin in one piece and end in another. */
  text: string;
  next: string | null;
}

export interface PathStep {
  /** The entry that the step leads to. */
  id: string;
  type: EdgeType;
  direction: "out" | "in";
}

/** How a hit came to its place; only with `explain: true`. */
export interface Why {
  /** 1-based rank in each arm, null where the arm did not find it. */
  ranks: { keyword: number | null; graph: number | null; vector: number | null };
  /** `score` is the product of these ([REC-9]). */
  factors: {
    rrf: number;
    recency: number;
    importance: number;
    tagOverlap: number;
    window: number;
    clamp: number;
  };
  matchedTerms: string[];
  /** Edges from a keyword hit to this one; empty for a direct hit. */
  path: { from: string; steps: PathStep[] } | null;
}

export interface Hit {
  id: string;
  content: string;
  truncated: boolean;
  score: number;
  kind: Kind;
  status: Status;
  claimTag: ClaimTag;
  evidenceRef: string | null;
  tags: string[];
  source: string | null;
  /** Who captured it: stamped by the capability. */
  actor: string;
  occurredAt: number;
  createdAt: number;
  stale: boolean;
  inWindow: boolean;
  /** Superseded entries whose words were matched, and what stands between them and this head. */
  supersedes?: string[];
  /** The matched entry has several heads; each is returned. */
  fork?: boolean;
  /** Heads of a superseded hit; only with `includeInactive`. */
  supersededBy?: string[];
  restsOnSuperseded?: string[];
  /** What the claim is worth, where what it derives from bears less than `claimTag` ([EVD-2]). */
  effectiveClaim?: ClaimTag;
  /** The grounds that bear less, with `effectiveClaim`. */
  restsOnWeaker?: string[];
  /** With `asOf`: the text has changed since, and is shown as it was then ([REC-28]). */
  changedSince?: true;
  /** With `changedSince`: it was found by words that its text of then lacks. */
  matchedLater?: true;
  /** With `asOf`: revisions since are not all kept, and what is shown is the oldest that is ([HIS-2]). */
  inexact?: true;
  /** Present on a hit that only its neighbours led to: the keyword hit it came from and the edges taken. */
  via?: { from: string; steps: PathStep[] };
  why?: Why;
}

export interface TimeWindow {
  /** Both ends inclusive; null means open. */
  since: number | null;
  until: number | null;
}

export interface RecallResult {
  hits: Hit[];
  /** The text that was searched, after time phrases were taken out. */
  queryUsed: string;
  /** The window that the query's words named; null when they named none. */
  window: TimeWindow | null;
  /** The time as of which it answers, given or from the words ([REC-21], [RWR-6]); null for now. */
  asOf: number | null;
  /** Why `hits` is empty; null when it is not. */
  reason: EmptyReason | null;
  /** Optional arms that failed and were left out. */
  degraded: string[];
}

/** `"1000+"`, or fewer than that and a plus: so many were counted where the count stopped, and there may be more. */
export type BoundedCount = number | `${number}+`;

export interface BriefItem {
  id: string;
  content: string;
  truncated: boolean;
  kind: Kind;
  status: Status;
  claimTag: ClaimTag;
  /** Who captured it: stamped by the capability. */
  actor: string;
  occurredAt: number;
  /** What the claim is worth, where what it derives from bears less than `claimTag` ([EVD-2]). */
  effectiveClaim?: ClaimTag;
  stale?: true;
}

export interface BriefChange {
  id: string;
  what: "captured" | "updated" | "superseded" | "deprecated";
  at: number;
  title: string;
}

export interface Brief {
  at: number;
  /** Canonical, active entries of kind `instruction`, newest first. */
  instructions: BriefItem[];
  /** Active episodic entries tagged `handoff`, newest first. */
  handoffs: BriefItem[];
  changes: {
    since: number;
    counts: {
      captured: BoundedCount;
      updated: BoundedCount;
      superseded: BoundedCount;
      deprecated: BoundedCount;
      forgotten: BoundedCount;
    };
    newest: BriefChange[];
  };
  warnings: string[];
  staleness: { byVolatility: Record<Volatility, BoundedCount>; oldest: BriefItem[] };
  evidence: {
    /** Over all entries of the workspace. */
    workspace: Record<ClaimTag, number>;
    /** Over the entries that this brief quotes, by what their claims are worth ([EVD-2]). */
    brief: Record<ClaimTag, number>;
    /** How many of those claim more than what they derive from bears. */
    weakened: number;
  };
  counts: { entries: number; byKind: Record<Kind, number>; byStatus: Record<Status, number> };
  /** Only when the caller named an objective. */
  objective?: { knowledge: BriefItem[]; episodes: BriefItem[]; warnings: BriefItem[] };
  /** Items left out to keep within `maxChars`, by list. */
  omitted: Record<string, number>;
}

/** One audited maintenance run. */
export interface StalenessRun {
  at: number;
  /** The actor that asked for it. */
  trigger: string;
  scanned: number;
  flagged: number;
  expired: number;
  /** Due entries left for the next run, counted up to 1,000. */
  remaining: number;
  nextDueAt: number | null;
}

export interface Usage {
  calls: number;
  rowsRead: number;
  rowsWritten: number;
  /** Rows of posting lists and doc values; an awake object reads each once ([CNT-4]). */
  postingsRead: number;
}

export interface Stats {
  contractVersion: string;
  entries: number;
  byKind: Record<Kind, number>;
  byStatus: Record<Status, number>;
  byVolatility: Record<Volatility, number>;
  byClaimTag: Record<ClaimTag, number>;
  stale: Record<Volatility, BoundedCount>;
  edges: { total: number; byType: Record<EdgeType, number> };
  tags: number;
  /** Bytes; null within a scope ([ACC-12]). */
  databaseSize: number | null;
  /** Per method, since the object woke. */
  usage: Record<string, Usage>;
  nextDueAt: number | null;
  /** The newest maintenance runs, newest first, at most 5. */
  runs: StalenessRun[];
}

export interface GraphNode {
  id: string;
  title: string;
  kind: Kind;
  status: Status;
  importance: number;
  stale: boolean;
  superseded: boolean;
}

export interface Graph {
  nodes: GraphNode[];
  edges: Edge[];
  truncated: boolean;
}

export interface Captured {
  id: string;
  created: boolean;
  /** Sentences, each beginning with the option it is about. */
  warnings: string[];
}

export interface Changed {
  id: string;
  revision: number;
  /** What was masked, one sentence each; only where something was ([SEC-2]). */
  warnings?: string[];
}

export interface Forgotten {
  id: string;
  removed: { edges: number; revisions: number; tags: number };
}
