import type {
  EmptyReason,
  Hit,
  RecallOptions,
  RecallResult,
  TimeWindow,
} from "../../contracts/index.ts";
import { LIMITS } from "../../contracts/index.ts";
import { analyseQuery } from "../analysis/analyzer.ts";
import { isPhrase, phraseTerms } from "../analysis/phrases.ts";
import { scoreTexts } from "./bm25.ts";
import type { Found, RecallDeps } from "./deps.ts";
import { maximalMarginalRelevance, termVectors } from "./diversify.ts";
import { hasTag, passes, toFilter } from "./filter.ts";
import type { HasTag, RecallFilter } from "./filter.ts";
import { fuse } from "./fuse.ts";
import { propagate } from "./graph-arm.ts";
import {
  keywordArm,
  NO_HIT,
  supersessionOf,
  termCounts,
  toFacts,
  toFiltered,
} from "./keyword-arm.ts";
import type { KeywordArm, KeywordHit } from "./keyword-arm.ts";
import { Lexicon } from "./lexicon.ts";
import type { NumberedText } from "./lexicon.ts";
import { present } from "./present.ts";
import { rerank } from "./rerank.ts";
import { rewriteQuery } from "./rewrite-query.ts";
import { selectTerms } from "./select-terms.ts";
import type {
  Candidate,
  Fused,
  GraphPath,
  QueryTerm,
  RankedList,
  RewrittenQuery,
  Scored,
  SelectedTerm,
} from "./stages.ts";
import { vectorArm } from "./vector-arm.ts";
import { walk } from "./walk.ts";

export interface Recalled {
  result: RecallResult;
  /** Internal numbers of the presented hits that the keyword or vector arm found: whose recall counts ([REC-18]). */
  direct: number[];
}

/** A query on its way: what every stage may look at. */
interface Search {
  deps: RecallDeps;
  options: RecallOptions;
  filter: RecallFilter;
  tagged: HasTag;
  rewritten: RewrittenQuery;
  /** Every term of the query, and those of them that some entry holds. */
  asked: readonly QueryTerm[];
  terms: readonly SelectedTerm[];
  corpus: { entryCount: number; averageTokens: number };
}

/**
 * The retrieval pipeline, top to bottom (contract section 5). Throws nothing: whatever the text, an empty
 * list says why it is empty.
 */
export function recall(today: RecallDeps, query: string, options: RecallOptions): Recalled {
  const rewritten = rewriteQuery(query, today.now);
  const asOf = options.asOf ?? rewritten.asOf ?? undefined;
  const deps = asOf === undefined ? today : today.asOf(asOf);
  const corpus = deps.corpus();
  const filter = toFilter({ ...options, asOf });
  const { forms } = deps.params;
  const asked = [
    ...analyseQuery(rewritten.text, forms),
    ...phraseTerms(rewritten.text, forms.phrase),
  ];
  const selected = selectTerms(asked, frequencies(deps, asked), corpus.entryCount, deps.params);
  const tagged =
    filter.tag === undefined ? () => false : hasTag(deps.tagged(filter.tag), deps.facts.size);
  const search = { deps, options, filter, tagged, rewritten, asked, terms: selected, corpus };

  if (corpus.entryCount === 0) return nothing(search, "empty_workspace");
  if (asked.every((term) => term.stopWord)) {
    return rewritten.window ? thatTime(search, rewritten.window) : nothing(search, "no_terms");
  }
  if (selected.length === 0 && deps.meaning === null) return nothing(search, "no_match");

  const lexicon = new Lexicon();
  const topK = options.topK ?? LIMITS.topK.default;
  const keyword = keywordArm(deps, selected, corpus, filter, tagged, topK, lexicon);
  if (keyword.matches === 0 && deps.meaning === null) return nothing(search, "no_match");
  const graph = graphArm(search, keyword, lexicon);
  const others = new Set([...keyword.hits, ...graph.ranking].map((each) => each.id));
  const vector = vectorArm(deps, search, keyword, others, lexicon);
  if (keyword.matches === 0 && vector.ranking.length === 0) return nothing(search, "no_match");

  const fused = fuse(
    { keyword: keyword.hits, graph: graph.ranking, vector: vector.ranking },
    deps.params,
  );
  const candidates = shortList(search, fused, keyword);
  const scored = rerank(candidates, rerankContext(search), deps.params);
  const vectorOf = termVectors(lexicon, deps.params.similarityChars);
  const chosen = maximalMarginalRelevance(
    scored,
    (id) => vectorOf(textOf(keyword, id)),
    topK,
    deps.params.mmrLambda,
    deps.params.mmrFloor,
  );
  if (chosen.length === 0) return nothing(search, "all_filtered");
  const docs = new Map([...keyword.found].map(([id, { doc }]) => [id, doc]));
  return answer(search, chosen, docs, directHits(keyword, vector.nearest), graph.paths);
}

/** What the query itself found, by words or by meaning. */
function directHits(keyword: KeywordArm, nearest: ReadonlySet<string>): KeywordHit[] {
  const byWords = new Set(keyword.hits.map(({ id }) => id));
  const others = [...nearest].filter((id) => !byWords.has(id));
  return [...keyword.hits, ...others.map((id) => ({ ...NO_HIT, id, matched: [] }))];
}

function frequencies(deps: RecallDeps, terms: readonly QueryTerm[]): ReadonlyMap<string, number> {
  const sought = terms.filter((term) => !term.stopWord).map((term) => term.token);
  if (sought.length === 0) return new Map();
  const known = deps.documentFrequency([...new Set(sought.flatMap((each) => each.split(" ")))]);
  // A phrase whose tokens all stand somewhere is worth what a word of one entry is: how many hold it is not known.
  const phrases = sought
    .filter((token) => isPhrase(token) && token.split(" ").every((each) => known.get(each)))
    .map((phrase) => [phrase, 1] as const);
  return new Map([...known, ...phrases]);
}

function nothing(search: Search, reason: EmptyReason): Recalled {
  return {
    result: { hits: [], ...howTaken(search), reason, degraded: [...search.deps.degraded] },
    direct: [],
  };
}

/** How the query was taken. */
function howTaken({ rewritten, filter }: Search) {
  return { queryUsed: rewritten.text, window: rewritten.window, asOf: filter.asOf ?? null };
}

/** Stage 3: walk from the best hits, score what is met by its own words, propagate. */
function graphArm(
  search: Search,
  keyword: KeywordArm,
  lexicon: Lexicon,
): { ranking: RankedList; paths: ReadonlyMap<string, GraphPath> } {
  const { deps, options, filter, terms, corpus } = search;
  const hops = options.hops ?? LIMITS.hops.default;
  const seeds = keyword.hits.slice(0, deps.params.graph.seeds);
  if (hops === 0 || seeds.length === 0) return { ranking: [], paths: new Map() };

  const edges = walk(
    deps,
    seeds.map((seed) => seed.id),
    hops,
  );
  const met = [...new Set(edges.map((edge) => edge.to))].filter((id) => !keyword.found.has(id));
  const neighbours = met.length === 0 ? [] : deps.find(met);
  const texts = neighbours.map(({ text }) => lexicon.numbered(text));
  for (const each of neighbours) keyword.found.set(each.text.id, each);
  for (const text of texts) keyword.texts.set(text.id, text);

  const counts = termCounts(deps, neighbours, texts, terms);
  const words = scoreTexts(texts, counts, terms, corpus, deps.params);
  const own = new Map([...keyword.hits, ...words].map((each) => [each.id, each.score]));
  // A path leads through what was there then, as far as `asOf` goes.
  const later = (id: string) =>
    (keyword.found.get(id)?.occurredAt ?? 0) > (filter.asOf ?? Infinity);
  const walked = edges.filter((edge) => !later(edge.from) && !later(edge.to));
  const { ranking, paths } = propagate(seeds, own, walked, deps.params);
  const allowed = allowedNeighbours(search, neighbours);
  const direct = new Set(keyword.hits.map((hit) => hit.id));
  return { ranking: ranking.filter(({ id }) => direct.has(id) || allowed.has(id)), paths };
}

/** Neighbours that pass the filter, so that ranks count only what can be shown ([REC-6]). */
function allowedNeighbours(
  { deps, filter, tagged }: Search,
  neighbours: readonly Found[],
): ReadonlySet<string> {
  if (neighbours.length === 0) return new Set();
  const supersession = supersessionOf(deps, neighbours, filter.asOf);
  return new Set(
    neighbours
      .filter((each) => passes(toFiltered(each), filter, supersession, tagged))
      .map((each) => each.text.id),
  );
}

/** Everything fused has passed the filter; the best of it gets recall counts, and the tags that were asked for. */
function shortList(search: Search, fused: readonly Fused[], keyword: KeywordArm): Candidate[] {
  const { topK = LIMITS.topK.default } = search.options;
  const pool = fused
    .slice(0, Math.max(search.deps.params.rerankPool, topK))
    .flatMap((each) => ({ each, found: keyword.found.get(each.id) }));
  return withFacts(
    search,
    pool.flatMap(({ each, found }) => (found ? [{ each, found }] : [])),
  );
}

function withFacts(
  { deps, asked }: Search,
  pool: readonly { each: Fused; found: Found }[],
): Candidate[] {
  const recallCounts = deps.recallCounts(pool.map(({ found }) => found.doc));
  const words = queryWords(asked);
  // A query's word can only be a tag where it is a token of the tags.
  const tags = deps.tagsOf(
    pool
      .filter(({ found }) => found.tagWords.split(" ").some((token) => words.has(token)))
      .map(({ found }) => found.doc),
  );
  return pool.map(({ each, found }) => ({
    ...each,
    ...toFacts(found),
    recallCount: recallCounts.get(found.doc) ?? 0,
    tags: tags.get(found.doc) ?? [],
  }));
}

function rerankContext({ deps, filter, rewritten, asked }: Search) {
  return {
    now: deps.now,
    window: rewritten.window,
    asksPast: rewritten.asksPast || filter.asOf !== undefined,
    wantsNewest: rewritten.wantsNewest,
    queryWords: queryWords(asked),
  };
}

const queryWords = (asked: readonly QueryTerm[]) =>
  new Set(asked.filter((term) => !term.stopWord).map((term) => term.word));

function textOf(keyword: KeywordArm, id: string): NumberedText {
  const text = keyword.texts.get(id);
  if (text === undefined) throw new Error(`Candidate ${id} was never found.`);
  return text;
}

/** A query that names a time and no words lists what happened then, newest first ([RWR-4]). */
function thatTime(search: Search, window: TimeWindow): Recalled {
  const { deps, options, filter } = search;
  const topK = options.topK ?? LIMITS.topK.default;
  const { since = 0, until = LIMITS.timeMs } = filter;
  const then = { since: window.since ?? 0, until: window.until ?? LIMITS.timeMs };
  const within: RecallFilter = {
    ...filter,
    since: Math.max(since, then.since),
    until: Math.min(until, then.until),
  };
  const shown = deps.newestPassing(within, topK);
  if (shown.length === 0) {
    const anything = { ...then, includeInactive: true, includeExhaust: true };
    const reason = deps.newestPassing(anything, 1).length > 0 ? "all_filtered" : "no_match";
    return nothing(search, reason);
  }

  const order = new Map(shown.map((each, index) => [each.text.id, index]));
  const fused = fuse(
    {
      keyword: shown.map((each, index) => ({ id: each.text.id, score: topK - index })),
      graph: [],
      vector: [],
    },
    deps.params,
  );
  const candidates = withFacts(
    search,
    fused.flatMap((each) => {
      const found = shown[order.get(each.id) ?? 0];
      return found ? [{ each, found }] : [];
    }),
  );
  const chosen = rerank(candidates, rerankContext(search), deps.params).sort(
    (a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0),
  );
  const hits: KeywordHit[] = chosen.map(({ id, score }) => ({
    id,
    score,
    matched: [],
    supersedes: [],
    fork: false,
  }));
  const docs = new Map(shown.map((each) => [each.text.id, each.doc]));
  return answer(search, chosen, docs, hits, new Map());
}

/** Stage 9 and the rest of what a hit shows. */
function answer(
  search: Search,
  chosen: readonly Scored[],
  docs: ReadonlyMap<string, number>,
  keywordHits: readonly KeywordHit[],
  paths: ReadonlyMap<string, GraphPath>,
): Recalled {
  const { deps, options, terms } = search;
  const directHits = new Map(keywordHits.map((hit) => [hit.id, hit]));
  const hits: Hit[] = present(deps, chosen, {
    docs,
    directHits,
    paths,
    terms,
    options,
    filter: search.filter,
  });
  return {
    result: {
      hits,
      ...howTaken(search),
      reason: null,
      degraded: [...deps.degraded],
    },
    direct: chosen.filter(({ id }) => directHits.has(id)).flatMap(({ id }) => docs.get(id) ?? []),
  };
}
