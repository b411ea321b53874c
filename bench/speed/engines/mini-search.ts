import { importPackage } from "./engine.ts";
import type { Document, Engine } from "./engine.ts";

interface Package {
  default: new (options: { fields: string[] }) => {
    addAll(documents: readonly Document[]): void;
    search(query: string): { id: number }[];
  };
}

/** MiniSearch as it comes. */
export async function miniSearch(): Promise<Engine> {
  const { default: MiniSearch } = await importPackage<Package>("minisearch");
  const index = new MiniSearch({ fields: ["content"] });
  return {
    add: (documents) => index.addAll(documents),
    search: (query, limit) =>
      index
        .search(query)
        .slice(0, limit)
        .map(({ id }) => id),
  };
}
