import { countPhrases, isPhrase } from "../analysis/phrases.ts";
import { pack } from "../lib/packed-counts.ts";
import type { Found, RecallDeps, SupersessionView } from "./deps.ts";
import { admission, passes } from "./filter.ts";
import type { Filtered, HasTag, RecallFilter } from "./filter.ts";
import { scoreTexts } from "./bm25.ts";
import type { ScoredText } from "./bm25.ts";
import { feedback } from "./feedback.ts";
import { countsInTexts } from "./lexicon.ts";
import type { Lexicon, NumberedText } from "./lexicon.ts";
import { maxScore } from "./max-score.ts";
import type { RankingParams } from "./params.ts";
import { liftByProximity } from "./proximity.ts";
import type { CandidateFacts, SelectedTerm } from "./stages.ts";
import { byScoreThenId } from "./stages.ts";

/** A direct hit: words of its own, or of an entry that it replaced, matched. */
export interface KeywordHit {
  id: string;
  score: number;
  /** Query words that matched. */
  matched: string[];
  /** Superseded entries that it answers for ([REC-15]). */
  supersedes: string[];
  fork: boolean;
}

export interface KeywordArm {
  /** Best first; every one passes the filter. */
  hits: KeywordHit[];
  /** Every entry met, by id. */
  found: Map<string, Found>;
  /** Their texts, by id. */
  texts: Map<string, NumberedText>;
  /** How many entries matched before the filter, up to the pool. */
  matches: number;
}

/**
 * Stage 2: the exact best entries by BM25, scored again by what only their texts tell. Superseded matches hand
 * their score to the heads that replaced them. When the pool does not hold enough that passes the filter, it is
 * filled up with the best that do, so a filter starves nothing ([REC-7]).
 */
export function keywordArm(
  deps: RecallDeps,
  terms: readonly SelectedTerm[],
  corpus: { entryCount: number; averageTokens: number },
  filter: RecallFilter,
  tagged: HasTag,
  topK: number,
  lexicon: Lexicon,
): KeywordArm {
  const found = pool(deps, terms, corpus, filter, tagged, topK);
  const matches = found.size;
  const supersession = replacements(deps, found, filter);
  addHeads(deps, found, supersession);

  const rows = [...found.values()];
  const texts = new Map(rows.map(({ text }) => [text.id, lexicon.numbered(text)]));
  const scored = scorePool(
    texts,
    termCounts(deps, rows, [...texts.values()], terms),
    terms,
    corpus,
    deps.params,
  );
  const hits = answer(scored, supersession).filter((hit) => {
    const each = found.get(hit.id);
    return each !== undefined && passes(toFiltered(each), filter, supersession, tagged);
  });
  return { hits, found, texts, matches };
}

/** BM25, then what only the texts together and the order of their words can tell. */
function scorePool(
  texts: ReadonlyMap<string, NumberedText>,
  counts: readonly Uint32Array[],
  terms: readonly SelectedTerm[],
  corpus: { entryCount: number; averageTokens: number },
  params: RankingParams,
): ScoredText[] {
  const all = [...texts.values()];
  const scored = scoreTexts(all, counts, terms, corpus, params);
  const fed = feedback(scored, all, terms, corpus, params);
  return liftByProximity(fed, (id) => texts.get(id), terms, params).sort(byScoreThenId);
}

const NOTHING_SUPERSEDED: SupersessionView = {
  isSuperseded: () => false,
  isReplacedLater: () => false,
  headsOf: () => [],
  replacedBy: () => [],
};

/** The entries that are scored by their texts: the best of all, and as many that pass the filter. */
function pool(
  deps: RecallDeps,
  terms: readonly SelectedTerm[],
  { averageTokens }: { averageTokens: number },
  filter: RecallFilter,
  tagged: HasTag,
  topK: number,
): Map<string, Found> {
  const limit = deps.params.keywordPool;
  const enough = Math.max(limit / 2, topK);
  const searched = terms.filter((term) => term.searched);
  const { size, tokenCounts } = deps.facts;
  const corpus = { size, tokenCounts, averageTokens };
  const found = new Map<string, Found>();
  const read = (docs: readonly number[]) => {
    for (const each of deps.read(docs)) found.set(each.text.id, each);
  };
  const best = (k: number, admits?: (doc: number) => boolean) =>
    maxScore(searched, deps.postings, corpus, deps.params, k, admits).map(({ doc }) => doc);

  read(best(limit));
  if (found.size < limit) return found;
  const plain = [...found.values()].filter((each) => isPlain(each, filter)).length;
  if (!isNarrow(filter) && plain >= enough) return found;

  const admits = admission(deps.facts, filter, tagged);
  const known = new Set([...found.values()].map(({ doc }) => doc));
  const passesAsRead = (each: Found) =>
    isPlain(each, filter) && passes(toFiltered(each), filter, NOTHING_SUPERSEDED, tagged);
  let replaced = 0;
  // What expired or was replaced is admitted and does not pass: then the next best are looked at too.
  for (let k = limit; ; k *= 4) {
    const ranked = best(k, admits);
    for (const each of deps.read(ranked.filter((doc) => !known.has(doc)))) {
      known.add(each.doc);
      replaced += each.contested ? 1 : 0;
      if (!each.contested || replaced <= REPLACED_MOST) found.set(each.text.id, each);
    }
    const passing = [...found.values()].filter(passesAsRead);
    if (passing.length >= limit || ranked.length < k) return found;
  }
}

/** Matches with a `supersedes` edge into them that a filtered search hands on to their heads: each costs a closure. */
const REPLACED_MOST = 400;

function isNarrow({ tag, kind, status, since, until }: RecallFilter): boolean {
  return [tag, kind, status, since, until].some((each) => each !== undefined);
}

function isPlain(each: Found, filter: RecallFilter): boolean {
  return (
    (filter.includeInactive || (each.status !== "deprecated" && !each.contested)) &&
    (filter.includeExhaust || !each.exhaust)
  );
}

/** Nothing counts as replaced while inactive entries are shown as they are. */
function replacements(
  deps: RecallDeps,
  found: ReadonlyMap<string, Found>,
  filter: RecallFilter,
): SupersessionView {
  return filter.includeInactive
    ? NOTHING_SUPERSEDED
    : supersessionOf(deps, found.values(), filter.asOf);
}

export function supersessionOf(
  deps: RecallDeps,
  rows: Iterable<Found>,
  asOf: number | undefined,
): SupersessionView {
  const contested = [...rows].filter((each) => each.contested).map((each) => each.text.id);
  return contested.length === 0 ? NOTHING_SUPERSEDED : deps.supersession(contested, asOf);
}

/** Heads of superseded matches join the pool even when none of their own words match. */
function addHeads(
  deps: RecallDeps,
  found: Map<string, Found>,
  supersession: SupersessionView,
): void {
  const heads = [...found.keys()].flatMap((id) => supersession.headsOf(id));
  const missing = [...new Set(heads)].filter((id) => !found.has(id));
  if (missing.length > 0) for (const each of deps.find(missing)) found.set(each.text.id, each);
}

/**
 * Packed counts of each term in each entry. Phrases, and terms that are not searched, count as they stand in title
 * and body as far as those were read: no list of theirs is kept.
 */
export function termCounts(
  deps: RecallDeps,
  rows: readonly Found[],
  texts: readonly NumberedText[],
  terms: readonly SelectedTerm[],
): Uint32Array[] {
  const docs = rows.map(({ doc }) => doc);
  const pick = (part: readonly SelectedTerm[], counts: readonly Uint32Array[]) =>
    part.map((term, at) => [term, counts[at] ?? new Uint32Array(docs.length)] as const);
  const tokensOf = (part: readonly SelectedTerm[]) => part.map(({ token }) => token);
  // A phrase is looked up only where it may stand in what was not read.
  const wereCut = texts.some((text) => text.wasCut);
  const searched = terms.filter((term) => term.searched && (wereCut || !isPhrase(term.token)));
  const others = terms.filter((term) => !term.searched && !isPhrase(term.token));
  const phrases = terms.filter((term) => isPhrase(term.token));
  const counts = new Map([
    ...pick(searched, deps.postings.countsIn(docs, tokensOf(searched))),
    ...pick(others, countsInTexts(texts, tokensOf(others))),
  ]);
  for (const [phrase, read] of pick(phrases, phraseCounts(texts, tokensOf(phrases)))) {
    const listed = counts.get(phrase);
    const beyond = (row: number) => (texts[row]?.wasCut ? (listed?.[row] ?? 0) : 0);
    counts.set(
      phrase,
      read.map((count, row) => count || beyond(row)),
    );
  }
  return terms.map((term) => counts.get(term) ?? new Uint32Array(docs.length));
}

function phraseCounts(texts: readonly NumberedText[], phrases: readonly string[]): Uint32Array[] {
  if (phrases.length === 0) return [];
  const counts = texts.map(({ title, body }) => [
    countPhrases(phrases, title),
    countPhrases(phrases, body),
  ]);
  return phrases.map((_phrase, at) =>
    Uint32Array.from(counts, ([title, body]) => pack(title?.[at] ?? 0, body?.[at] ?? 0)),
  );
}

/** Each match, or the heads that answer for it, keeping the best score an entry earns either way. */
function answer(
  scored: readonly { id: string; score: number; matched: string[] }[],
  supersession: SupersessionView,
): KeywordHit[] {
  const hits = new Map<string, KeywordHit & { answersFor: Set<string> }>();
  const earn = (id: string, from: { score: number; matched: string[] }) => {
    const known = hits.get(id) ?? { ...NO_HIT, id, answersFor: new Set() };
    const matched = [...new Set([...known.matched, ...from.matched])];
    const hit = { ...known, score: Math.max(known.score, from.score), matched };
    hits.set(id, hit);
    return hit;
  };
  for (const match of scored) {
    const heads = supersession.headsOf(match.id);
    // Superseded without a known head: replaced by something beyond the closure's limit.
    if (heads.length === 0 && !supersession.isSuperseded(match.id)) earn(match.id, match);
    for (const head of heads) {
      const hit = earn(head, match);
      hit.fork ||= heads.length > 1;
      for (const each of supersession.replacedBy(head, match.id)) hit.answersFor.add(each);
    }
  }
  return [...hits.values()]
    .map(({ answersFor, ...hit }) => ({
      ...hit,
      supersedes: [...answersFor].sort().slice(0, SUPERSEDES_SHOWN),
    }))
    .sort(byScoreThenId);
}

export const NO_HIT = { score: 0, matched: [], supersedes: [] as string[], fork: false };

/** Entries that a head names at most as replaced by it: a chain of thousands would spend a hit's budget. */
const SUPERSEDES_SHOWN = 50;

export const toFiltered = (each: Found): Filtered => ({ ...each, id: each.text.id });

export function toFacts(each: Found): CandidateFacts {
  return {
    id: each.text.id,
    kind: each.kind,
    status: each.status,
    volatility: each.volatility,
    exhaust: each.exhaust,
    importance: each.importance,
    tags: [],
    occurredAt: each.occurredAt,
    textAt: each.textAt,
    recallCount: 0,
  };
}
