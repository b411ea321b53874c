import type { CaptureItem, EdgeType, Kind } from "../../contracts/index.ts";
import { CLOCK } from "../support/protocol.ts";
import { read } from "../support/sets.ts";
import { labelledFor } from "./labelled.ts";
import type { Labelled, Question } from "./labelled.ts";
import { generator } from "./random.ts";

/*
 * A workspace of so many entries out of real chat turns: first two hubs, then the turns that answer the
 * LongMemEval questions, the LoCoMo conversations where they fit, and turns of the speed set for the rest.
 * Texts and their answers are real; kinds, tags, links and times of the rest are drawn, the same on each run.
 */

const YEAR = 365 * 86_400_000;
const YEARS = 4;
const HUB_EDGES = 10_000;
const TAGS = 200;

export const RARE_TAG = "rare-topic";
export const COMMON_TAG = "topic-0";
export const PERSON = 0;
export const PROJECT = 1;

/** An entry; ends of links are indexes of earlier rows. */
export interface Row {
  content: string;
  item: Omit<CaptureItem, "content" | "links">;
  links: { type: EdgeType; dst: number }[];
}

export interface Corpus {
  rows: Row[];
  questions: Question[];
}

interface Turn {
  id: string;
  scope: string;
  speaker: string;
  text: string;
}

export const turns = (): Turn[] => read<Turn>("speed/turns-100k.jsonl.gz");

export const contentOf = ({ speaker, text }: Turn) => `${speaker}: ${text}`;

export function corpus(size: number): Corpus {
  const builder = new Builder();
  builder.hubs();
  const { labelled, questions } = labelledFor(size);
  for (const each of labelled) builder.label(each);
  const filling = turns().filter((turn) => !builder.holds(contentOf(turn)));
  builder.fill(filling.slice(0, size - builder.rows.length));
  builder.linkHubs();
  return {
    rows: builder.rows,
    questions: shuffled(questions).map(({ docs, ...question }) => ({
      ...question,
      relevant: [...new Set(docs.flatMap((doc) => builder.indexOf(doc) ?? []))],
    })),
  };
}

class Builder {
  readonly rows: Row[] = [];
  readonly #random = generator(7);
  readonly #byContent = new Map<string, number>();
  readonly #byDoc = new Map<string, number>();
  #filled = 0;

  holds(content: string): boolean {
    return this.#byContent.has(content);
  }

  indexOf(doc: string): number | undefined {
    return this.#byDoc.get(doc);
  }

  hubs(): void {
    const hub = { kind: "semantic", status: "canonical", volatility: "durable" } as const;
    this.#add("Mira Okafor, on whom many of these notes are", { ...hub, tags: ["person"] });
    this.#add("The atlas project, to which many of these notes belong", {
      ...hub,
      tags: ["project"],
    });
  }

  label({ doc, content, tags, occurredAt, follows }: Labelled): void {
    const known = this.#byContent.get(content);
    this.#byDoc.set(doc, known ?? this.rows.length);
    if (known !== undefined) return;
    const dst = follows === undefined ? undefined : this.#byDoc.get(follows);
    const links: Row["links"] = dst === undefined ? [] : [{ type: "follows", dst }];
    this.#add(content, { tags, ...(occurredAt !== undefined && { occurredAt }) }, links);
  }

  /** Every fourth conversation is a thread of episodes; the turns of the others are drawn one by one. */
  fill(filling: readonly Turn[]): void {
    this.#filled = this.rows.length;
    let scope = "";
    let scopes = 0;
    let startedAt = 0;
    filling.forEach((turn, index) => {
      if (turn.scope !== scope) {
        scope = turn.scope;
        scopes++;
        startedAt = CLOCK - Math.floor(this.#random() * YEARS * YEAR);
      }
      const thread = scopes % 4 === 0;
      const kind = thread ? "episodic" : this.#kind();
      const previous = thread && filling[index - 1]?.scope === scope;
      const links = previous ? [{ type: "follows" as const, dst: this.rows.length - 1 }] : [];
      const occurredAt = Math.min(CLOCK, startedAt + index * 1_000);
      this.#add(contentOf(turn), { kind, occurredAt, ...this.#drawn() }, [
        ...links,
        ...this.#drawnLinks(kind),
      ]);
    });
  }

  linkHubs(): void {
    const dst = {
      user: [PERSON, "about_person"],
      assistant: [PROJECT, "part_of_project"],
    } as const;
    for (const [speaker, [hub, type]] of Object.entries(dst)) {
      const said = this.rows.slice(this.#filled).filter((row) => row.content.startsWith(speaker));
      const edges = Math.min(HUB_EDGES, said.length);
      for (let n = 0; n < edges; n++) {
        said[Math.floor((n * said.length) / edges)]?.links.push({ type, dst: hub });
      }
    }
  }

  #add(content: string, item: Row["item"], links: Row["links"] = []): void {
    this.#byContent.set(content, this.rows.length);
    this.rows.push({ content, item, links });
  }

  #kind(): Kind {
    const drawn = this.#random();
    return drawn < 0.6 ? "episodic" : drawn < 0.95 ? "semantic" : "instruction";
  }

  #drawn(): Row["item"] {
    const draw = this.#random;
    const tags = Array.from({ length: draw() < 0.4 ? 1 + Math.floor(draw() * 3) : 0 }, topic);
    function topic(): string {
      return `topic-${Math.floor(draw() ** 3 * TAGS)}`;
    }
    if (this.rows.length % 5_000 === 500) tags.push("handoff");
    if (this.rows.length % 8_000 === 600) tags.push(RARE_TAG);
    const [status, volatility, claim] = [draw(), draw(), draw()];
    return {
      tags,
      status: status < 0.2 ? "canonical" : status < 0.98 ? "draft" : "deprecated",
      volatility: volatility < 0.2 ? "durable" : volatility < 0.9 ? "state" : "volatile",
      claimTag: claim < 0.3 ? "INFERRED" : "UNKNOWN",
      ...(draw() < 0.1 && { importance: 1 + Math.floor(draw() * 5) }),
    };
  }

  /** To an entry of the filling before it: some relations, some reasons, some replacements. */
  #drawnLinks(kind: Kind): Row["links"] {
    const drawn = this.#random();
    const filled = this.rows.length - this.#filled;
    if (drawn > 0.06 || filled === 0) return [];
    const dst = this.#filled + Math.floor(this.#random() * filled);
    if (drawn < 0.03) return [{ type: "relates_to", dst }];
    if (drawn < 0.045) return [{ type: "caused_by", dst }];
    // From one of the last few, so that chains come about.
    const recent = this.rows.length - 1 - Math.floor(this.#random() * Math.min(20, filled));
    const same = this.rows[recent]?.item.kind === kind;
    return same ? [{ type: "supersedes", dst: recent }] : [];
  }
}

/** So that whoever answers only the first ones has answered some of each set. */
function shuffled<T>(all: readonly T[]): T[] {
  const random = generator(3);
  return all
    .map((each) => ({ each, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}
