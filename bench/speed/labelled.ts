import { CLOCK } from "../support/protocol.ts";
import { variants } from "../support/sets.ts";

/* The real questions, and the turns that answer them. */

/** Turns of the speed set were cut here. */
const TURN_CHARS = 1_000;
const LOCOMO_FROM = 10_000;
/** One LoCoMo question in so many is asked. */
const LOCOMO_STEP = 5;

export const SETS = ["LongMemEval", "LoCoMo"] as const;

export interface Question {
  set: (typeof SETS)[number];
  text: string;
  /** When it is asked. */
  now: number;
  /** Indexes of rows; empty where the answer is not in a corpus of this size. */
  relevant: number[];
}

export interface Labelled {
  doc: string;
  content: string;
  tags: string[];
  occurredAt: number | undefined;
  /** The labelled turn that it follows. */
  follows: string | undefined;
}

export interface Asked extends Omit<Question, "relevant"> {
  docs: string[];
}

/**
 * Turns that a corpus of this size holds, and all questions with the turns that answer them. Of LongMemEval
 * the answers only; of LoCoMo all conversations, from where they would not be most of the corpus.
 */
export function labelledFor(size: number): { labelled: Labelled[]; questions: Asked[] } {
  const labelled: Labelled[] = [];
  const questions: Asked[] = [];
  for (const { set, docs, links, queries } of variants(["locomo", "longmemeval"])) {
    const name = set === "locomo" ? "LoCoMo" : "LongMemEval";
    const answers = new Set(queries.flatMap(({ relevant }) => relevant));
    const held = name === "LoCoMo" ? () => size >= LOCOMO_FROM : (id: string) => answers.has(id);
    const before = new Map(links.map(({ src, dst }) => [src, dst]));
    for (const { id, content, tags, occurredAt } of docs.filter((doc) => held(doc.id))) {
      const cut = content.slice(0, content.indexOf(": ") + 2 + TURN_CHARS);
      labelled.push({ doc: id, content: cut, tags, occurredAt, follows: before.get(id) });
    }
    const step = name === "LoCoMo" ? LOCOMO_STEP : 1;
    questions.push(
      ...queries
        .filter(({ category }) => category !== "adversarial")
        .filter((_, index) => index % step === 0)
        .map(
          ({ text, now = CLOCK, relevant }) => ({ set: name, text, now, docs: relevant }) as const,
        ),
    );
  }
  return { labelled, questions };
}
