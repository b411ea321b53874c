import { importPackage } from "./engine.ts";
import type { Engine } from "./engine.ts";

interface Package {
  create(options: { schema: { content: "string" } }): unknown;
  insertMultiple(index: unknown, documents: object[], batch: number): Promise<unknown>;
  search(
    index: unknown,
    query: { term: string; limit: number },
  ): Promise<{ hits: { id: string }[] }>;
}

const BATCH = 500;

/** Orama as it comes. */
export async function orama(): Promise<Engine> {
  const { create, insertMultiple, search } = await importPackage<Package>("@orama/orama");
  const index = create({ schema: { content: "string" } });
  return {
    async add(documents) {
      const texts = documents.map(({ id, content }) => ({ id: String(id), content }));
      await insertMultiple(index, texts, BATCH);
    },
    async search(query, limit) {
      const { hits } = await search(index, { term: query, limit });
      return hits.map(({ id }) => Number(id));
    },
  };
}
