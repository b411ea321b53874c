/**
 * What a token is to the text around it.
 * `word`: a word, an emoji, a dictionary word of one or two characters in an unspaced script.
 * `whole`: what has parts, in one piece (`src/a/b.ts`, `runStalenessPass`, a dictionary word of three characters).
 * `part`: a piece of a whole; two neighbouring characters of an unspaced script that are no dictionary word.
 * `character`: one character of an unspaced script that is no dictionary word.
 */
export type Role = "word" | "whole" | "part" | "character";

/** Receives tokens by their start, a whole before its parts. Offsets are into the text that was scanned. */
export type Visit = (token: string, start: number, end: number, role: Role) => void;

/** Longest token, in UTF-16 units: a longer word is cut into pieces, a longer whole leaves only its parts. */
export const TOKEN_UNITS = 64;

/** The ASCII punctuation that may stand in a token; the index must treat it as part of words. */
export const TOKEN_PUNCTUATION = "_-./#+@:&";
