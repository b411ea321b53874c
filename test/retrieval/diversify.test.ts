import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maximalMarginalRelevance, termVectors } from "../../src/retrieval/diversify.ts";
import type { NumberedText } from "../../src/retrieval/lexicon.ts";
import { DEFAULT_PARAMS } from "../../src/retrieval/params.ts";
import { byScoreThenId } from "../../src/retrieval/stages.ts";
import type { Ranked } from "../../src/retrieval/stages.ts";
import { ids, text } from "./builders.ts";

const termVector = (entry: NumberedText, maxChars: number) =>
  termVectors(entry.lexicon, maxChars)(entry);

const LAMBDA = DEFAULT_PARAMS.mmrLambda;

function diversify(
  scored: readonly Ranked[],
  bodies: Record<string, string>,
  topK = 50,
  lambda = LAMBDA,
  floor = 0,
) {
  const vectorOf = (id: string) => termVector(text(id, { body: bodies[id] ?? "" }), 4_000);
  return maximalMarginalRelevance(scored, vectorOf, topK, lambda, floor);
}

const anyScored = fc.uniqueArray(
  fc.record({ id: fc.string({ minLength: 1, maxLength: 3 }), score: fc.nat(5) }),
  { selector: (each) => each.id, maxLength: 12 },
);
const anyBody = fc.array(fc.constantFrom("x", "y", "z", "w")).map((tokens) => tokens.join(" "));
const anyBodies = fc.infiniteStream(anyBody).map((stream) => {
  const known: Record<string, string> = {};
  return new Proxy(known, {
    get: (_target, id) => (known[String(id)] ??= String(stream.next().value)),
  });
});

const tokens = (entry: NumberedText, maxChars: number) =>
  termVector(entry, maxChars).numbers.map((number) => entry.lexicon.token(number));

describe("termVector", () => {
  it("weighs the tokens of title and body by 1 + ln(count)", () => {
    const entry = text("a", { title: "x", body: "y x x" });
    expect(tokens(entry, 4_000)).toEqual(["x", "y"]);
    expect(termVector(entry, 4_000).weights).toEqual([1 + Math.log(3), 1]);
  });

  it("reads whole tokens of the first characters only", () => {
    const entry = text("a", { title: "aa bb", body: "cc dd" });
    expect(tokens(entry, 10)).toEqual(["aa", "bb", "cc"]);
    expect(tokens(entry, 8)).toEqual(["aa", "bb", "cc"]);
    expect(tokens(entry, 7)).toEqual(["aa", "bb"]);
    expect(tokens(entry, 1)).toEqual([]);
  });

  it("is empty for an entry without words", () => {
    expect(tokens(text("a"), 4_000)).toEqual([]);
  });
});

describe("maximalMarginalRelevance", () => {
  it("[REC-12] takes texts of one subject for different ones up to the floor, and near-copies not", () => {
    const scored = [
      { id: "a", score: 1 },
      { id: "b", score: 0.98 },
      { id: "c", score: 0.9 },
    ];
    const alike = { a: "x y z", b: "x y w", c: "p q r" };
    const copies = { a: "x y z", b: "x y z", c: "p q r" };
    expect(ids(diversify(scored, alike))).toEqual(["a", "c", "b"]);
    expect(ids(diversify(scored, alike, 50, LAMBDA, 0.7))).toEqual(["a", "b", "c"]);
    expect(ids(diversify(scored, copies, 50, LAMBDA, 0.7))).toEqual(["a", "c", "b"]);
  });

  const scored = [
    { id: "best", score: 1 },
    { id: "copy", score: 0.99 },
    { id: "other", score: 0.9 },
  ];
  const bodies = {
    best: "deploy the worker on friday with the new schema",
    copy: "deploy the worker on friday with the new schema again",
    other: "invoices are paid monthly by transfer",
  };

  it("[REC-12] lets a near-copy fall behind another hit of like score, and keeps the best first", () => {
    expect(ids(diversify(scored, bodies))).toEqual(["best", "other", "copy"]);
  });

  it("[REC-12] drops a near-copy where another hit takes the last place", () => {
    expect(ids(diversify(scored, bodies, 2))).toEqual(["best", "other"]);
  });

  it("[REC-12] takes a near-copy before a hit that is far worse", () => {
    const worse = scored.map((each) => (each.id === "other" ? { ...each, score: 0.3 } : each));
    expect(ids(diversify(worse, bodies))).toEqual(["best", "copy", "other"]);
  });

  it("[REC-12] compares with every hit that was taken, not only with the last one", () => {
    const four = [...scored, { id: "third", score: 0.86 }];
    const texts = { ...bodies, third: "the office moves to another street in spring" };
    expect(ids(diversify(four, texts))).toEqual(["best", "other", "third", "copy"]);
  });

  it("keeps scores as they are", () => {
    expect(diversify(scored, bodies).toSorted(byScoreThenId)).toEqual(scored);
  });

  it("[REC-19] breaks ties by id", () => {
    const tied = ["c", "a", "b"].map((id) => ({ id, score: 1 }));
    expect(ids(diversify(tied, {}))).toEqual(["a", "b", "c"]);
  });

  it("[REC-12] starts with the best hit, whatever λ is", () => {
    fc.assert(
      fc.property(
        anyScored,
        anyBodies,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, any, lambda) => {
          const [first] = diversify(list, any, 50, lambda);
          expect(first).toEqual(list.toSorted(byScoreThenId)[0]);
        },
      ),
    );
  });

  it("is the order of scores with λ = 1", () => {
    fc.assert(
      fc.property(anyScored, anyBodies, (list, any) => {
        expect(diversify(list, any, 50, 1)).toEqual(list.toSorted(byScoreThenId));
      }),
    );
  });

  it("is the order of scores where no two hits share a word", () => {
    fc.assert(
      fc.property(anyScored, (list) => {
        const disjoint = Object.fromEntries(list.map(({ id }, index) => [id, `w${index}`]));
        expect(diversify(list, disjoint)).toEqual(list.toSorted(byScoreThenId));
      }),
    );
  });

  it("gives min(topK, all) different hits, in the same order for every order of the input", () => {
    const shuffled = anyScored.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.integer({ min: 1, max: 15 }), ([list, other], topK) => {
        const bodyOf = Object.fromEntries(list.map(({ id, score }) => [id, `w${score} x`]));
        const taken = diversify(list, bodyOf, topK);
        expect(new Set(ids(taken)).size).toBe(Math.min(topK, list.length));
        expect(diversify(other, bodyOf, topK)).toEqual(taken);
      }),
    );
  });
});
