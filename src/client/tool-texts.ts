import type { Method } from "../../contracts/inputs.ts";

/** What each tool is for, said to the model that chooses. A method without a text is no tool. */
export const TOOL_TEXTS: Readonly<Partial<Record<Method, string>>> = {
  recall:
    "Finds what this workspace remembers about some words. Use it before you answer from memory or decide anything. Superseded facts are answered by what replaced them.",
  listRecent: "Lists what was captured last, newest first.",
  getEntry: "Gives one entry whole: text, tags, claim, evidence and what replaced it.",
  history: "Gives the earlier texts and statuses of an entry.",
  connections: "Gives the edges of an entry and what is at their other ends.",
  getTags: "Lists the tags in use and how many entries have each.",
  getBrief:
    "Gives what to read first when picking up work: standing instructions, handoffs, what changed, what is stale. Call it once at the beginning of a session.",
  graphView: "Gives a part of the graph of entries and edges, around some entries.",
  changes: "Tells what happened since a time: captured, updated, superseded, forgotten, linked.",
  capture:
    "Remembers one fact, decision or event. One idea in one entry, in words that make sense alone. Equal text is not stored twice.",
  captureMany: "Remembers up to a page of entries at once.",
  append: "Adds text to an entry.",
  update: "Changes an entry's text or its fields. Pass content null to keep the text.",
  setStatus: "Says how settled an entry is: draft, canonical or deprecated.",
  forget:
    "Erases an entry for ever. To replace a fact, capture the new one with a supersedes link.",
  link: "Connects two entries. A supersedes edge from new to old says that the new one replaces the old.",
  unlink: "Removes an edge.",
};

/** What fields mean whose name and type do not say it. */
export const FIELD_TEXTS: Readonly<Record<string, string>> = {
  query: "Words or a question. Quotes around words ask for the phrase.",
  id: "The id of an entry, as recall and others answer it.",
  src: "The id of the entry that the edge is from.",
  dst: "The id of the entry that the edge is to.",
  topK: "How many hits at most.",
  hops: "How far to follow edges from what the words found.",
  since: "Only what happened at or after this time, in milliseconds since 1970 UTC.",
  until: "Only what happened at or before this time, in milliseconds since 1970 UTC.",
  asOf: "Answer as things stood at this time, in milliseconds since 1970 UTC.",
  occurredAt: "When it happened, if not now, in milliseconds since 1970 UTC.",
  expiresAt: "When it stops being so, in milliseconds since 1970 UTC.",
  observe: "Read without counting as a use.",
  includeInactive: "Also what was deprecated or superseded.",
  includeExhaust: "Also raw tool calls and machine-made entries.",
  explain: "Also say how each hit came to its place.",
  full: "Whole texts instead of excerpts.",
  claimTag: "How sure it is. VERIFIED needs evidenceRef.",
  evidenceRef: "Where the evidence is: a file, a commit, a URL.",
  volatility: "How fast it ages.",
  importance: "0 to 5.",
  links: "Edges to make with it: { type, dst } from the new entry, { type, src } to it.",
  derivedFrom: "Ids of the entries that it rests on; it cannot claim more than the weakest.",
  ifRevision: "Refuse the change when the entry is at another revision.",
  cursor: "The `next` of the last answer, to go on from there.",
  n: "How many at most.",
  objective: "What the work is about.",
};
