import { stemmer } from "stemmer";
import { fold, isAscii } from "./fold.ts";
import { scan } from "./scan.ts";
import { isStopWord } from "./stop-words.ts";
import type { Role } from "./token.ts";

export { TOKEN_PUNCTUATION, TOKEN_UNITS } from "./token.ts";

/** Stamped in the database; a change re-indexes. */
export const ANALYZER_VERSION = 2;

/** A token where it stands. */
export interface Token {
  token: string;
  /** Equal to `token` unless that is a plain word (a-z, three letters or more, no stop word) with another stem. */
  stem: string;
  /** Bounds in the text as given, UTF-16 units, end exclusive. */
  start: number;
  end: number;
  role: Role;
}

/** An entry as the index holds it: tokens separated by single spaces, in the order of the text. */
export interface AnalysedEntry {
  title: string;
  body: string;
  stems: string;
  tags: string;
  /** Tokens of title and body. */
  tokenCount: number;
}

/** One query term as the index holds it. Several terms may come from one word (exact form, stem, parts). */
export interface QueryTerm {
  /** The index token, without spaces and quotes; of a phrase its tokens, separated by single spaces. */
  token: string;
  /** Share of a full match that this form of the word is worth, e.g. 1 for the stem, 0.5 for the exact form. */
  weight: number;
  /** The folded word it came from; terms of one word share it. */
  word: string;
  /** The word is in the stop word list (question words and filler included). */
  stopWord: boolean;
  /** A piece of `word`, which is the whole that was asked for (`ts` of `src/a/b.ts`). */
  part: boolean;
}

/** Every token of a text with its place, wholes and parts alike: for snippets and highlighting. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  const folded = fold(text);
  scan(folded.text, (token, start, end, role) => {
    tokens.push({
      token,
      stem: role === "whole" ? token : stemOf(token),
      start: folded.sourceStart(start),
      end: folded.sourceEnd(end),
      role,
    });
  });
  return tokens;
}

/**
 * Title is the first line that is not blank, at most 200 characters of it; body is the rest of the text, so every
 * word is in one of the two. Tags hold the words of each tag, the tags in ascending order: they are a set. Stems are
 * those of title, body and tags that differ from their word, so that a stem finds all that its words do. The four together stay under 1.9 MB for any
 * entry of legal size (see `Budget`).
 */
export function analyseEntry(content: string, tags: readonly string[]): AnalysedEntry {
  const titleEnd = endOfTitle(content);
  const title: string[] = [];
  const body: string[] = [];
  const stemmed: string[] = [];
  const folded = fold(content);
  const budget = new Budget(folded.text);
  scan(folded.text, (token, start, _end, role) => {
    if (!budget.admits(token, role)) {
      return;
    }
    (folded.sourceStart(start) < titleEnd ? title : body).push(token);
    const stem = role === "whole" ? token : stemOf(token);
    if (stem !== token && budget.admits(stem, "word")) {
      stemmed.push(stem);
    }
  });
  const tagged = [...tags].sort().flatMap((tag) => tokenise(tag));
  stemmed.push(...tagged.filter(({ token, stem }) => stem !== token).map(({ stem }) => stem));
  return {
    title: title.join(" "),
    body: body.join(" "),
    stems: stemmed.join(" "),
    tags: tagged.map(({ token }) => token).join(" "),
    tokenCount: title.length + body.length,
  };
}

/**
 * The terms of a query in order of appearance, each token once with its largest weight.
 *
 * A word is worth `stem + exact` in all, so that words weigh alike whatever the stemmer does to them: `exact` for
 * the form that was asked and `stem` for its stem; both together where the stem is the word itself (or where there
 * is none: numbers, identifiers, other scripts). A whole is worth as much. Its parts come at half: they find
 * relatives of an identifier, and must not outweigh the words beside it. Single characters of an unspaced script
 * are only asked for where the dictionary calls them words or nothing stands beside them.
 */
export function analyseQuery(text: string, forms: { stem: number; exact: number }): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const add = (term: QueryTerm): void => {
    const known = terms.get(term.token);
    if (known === undefined || known.weight < term.weight) {
      terms.set(term.token, term);
    }
  };
  let whole = { token: "", start: 0, end: 0 };
  for (const { token, stem, start, end, role } of tokenise(text)) {
    if (role === "character") {
      continue;
    }
    if (role === "whole" && end > whole.end) {
      whole = { token, start, end };
    }
    const inWhole = end <= whole.end;
    // `1.2.3` of `v1.2.3` covers the same text: the whole under another name.
    const part = inWhole && (start > whole.start || end < whole.end);
    const word = inWhole ? whole.token : token;
    const share = role === "part" ? PART_SHARE : 1;
    const stopWord = isStopWord(token);
    if (stem === token) {
      add({ token, weight: (forms.stem + forms.exact) * share, word, stopWord, part });
    } else {
      add({ token, weight: forms.exact * share, word, stopWord, part });
      add({ token: stem, weight: forms.stem * share, word, stopWord, part });
    }
  }
  return [...terms.values()];
}

const PART_SHARE = 0.5;
const TITLE_CHARS = 200;

function endOfTitle(content: string): number {
  const start = content.search(/\S/u);
  const line = content.slice(start, start + TITLE_CHARS).search(/[\r\n]/u);
  return start + (line === -1 ? TITLE_CHARS : line);
}

/** A pure function with a memory: the words of one text come again in the next. */
function stemOf(token: string): string {
  let stem = STEMS.get(token);
  if (stem === undefined) {
    stem = STEMMABLE.test(token) && !isStopWord(token) ? stemmer(token) : token;
    if (STEMS.size >= STEMS_KEPT) STEMS.clear();
    STEMS.set(token, stem);
  }
  return stem;
}

const STEMMABLE = /^[a-z]{3,}$/u;
const STEMS = new Map<string, string>();
/** A few megabytes at most: a token has 64 units. */
const STEMS_KEPT = 20_000;

/**
 * Keeps an analysed entry small enough for one row, whatever is in it, and finds every word in it all the same.
 * A single character of an unspaced script counts once an entry: that it is there matters, how often does not.
 * After the first 700 KB of tokens, wholes are left to their parts and any other token is kept the first time it
 * occurs. Half a megabyte of prose stays below that; identifiers, Chinese or hostile text may not. Nothing goes past
 * 1.7 MB: only words of ligatures, which fold to many times their bytes, come that far, and lose their last ones.
 */
class Budget {
  #bytes = 0;
  readonly #seen = new Set<string>();
  readonly #counts: boolean;

  /** @param text the folded text; a short one of ASCII cannot come near the budget, and is not counted */
  constructor(text: string) {
    this.#counts = text.length > SMALL_UNITS || !isAscii(text);
  }

  admits(token: string, role: Role): boolean {
    if (!this.#counts) return true;
    const full = this.#bytes > BUDGET_BYTES;
    if ((full && role === "whole") || ((full || role === "character") && this.#seen.has(token))) {
      return false;
    }
    const bytes = utf8Bytes(token) + 1;
    if (this.#bytes + bytes > LIMIT_BYTES) {
      return false;
    }
    this.#seen.add(token);
    this.#bytes += bytes;
    return true;
  }
}

const BUDGET_BYTES = 700_000;
/** A unit of ASCII stands in ten tokens at most, stems and spaces counted. */
const SMALL_UNITS = 50_000;
/** With the words of 64 tags of 64 ligatures each, an index row is under 1.9 MB ([STO-5]). */
const LIMIT_BYTES = 1_700_000;

/** An upper bound: a surrogate pair counts 6. */
function utf8Bytes(token: string): number {
  let bytes = 0;
  for (let unit = 0; unit < token.length; unit++) {
    const code = token.charCodeAt(unit);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
  }
  return bytes;
}
