/** What an embedder answers: one vector a text, in their order, all of one length. */
export interface Embedded {
  /** Names the model and whatever else moves its vectors: those of different names are never compared. */
  model: string;
  vectors: number[][];
}

/** The port. A service binding has it as it is: any Worker whose entrypoint has this method ([BND-1]). */
export interface Embedder {
  embed(texts: string[]): Promise<Embedded>;
}

/** What is asked of the binding `AI` of Workers AI. */
export interface WorkersAi {
  run(model: string, input: { text: string[] }): Promise<unknown>;
}

/** The text-embedding models of Workers AI: `{ text }` in, `{ shape, data }` out. */
export function workersAiEmbedder(ai: WorkersAi, model: string): Embedder {
  return {
    async embed(texts) {
      const answer = Object(await ai.run(model, { text: texts })) as { data?: unknown };
      return { model, vectors: answer.data as number[][] };
    },
  };
}

/** Characters of a model's name. */
const MODEL_CHARS = 200;
const MOST_DIMENSIONS = 4_096;

/**
 * The answer, once it is what was asked for: as many vectors as texts, of one length (`dimensions` when that is
 * known), of finite numbers.
 *
 * @throws Error with a sentence that says what is wrong, and nothing of the texts.
 */
export function checked(
  answer: Embedded,
  texts: number,
  dimensionsOf: (model: string) => number | undefined,
): Embedded {
  const { model, vectors } = Object(answer) as Embedded;
  if (typeof model !== "string" || model === "" || model.length > MODEL_CHARS) {
    throw new Error("The embedder names no model.");
  }
  if (!Array.isArray(vectors) || vectors.length !== texts) {
    throw new Error(`The embedder gave no ${texts} vectors for ${texts} texts.`);
  }
  const dimensions = dimensionsOf(model) ?? vectors[0]?.length ?? 0;
  if (dimensions < 1 || dimensions > MOST_DIMENSIONS) {
    throw new Error(`A vector has 1 to ${MOST_DIMENSIONS} dimensions.`);
  }
  for (const vector of vectors) {
    if (!Array.isArray(vector) || vector.length !== dimensions) {
      throw new Error(`A vector of this model has ${dimensions} dimensions, and one has not.`);
    }
    if (!vector.every((each) => Number.isFinite(each))) {
      throw new Error("A vector holds something else than finite numbers.");
    }
  }
  return { model, vectors };
}
