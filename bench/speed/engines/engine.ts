export interface Document {
  id: number;
  content: string;
}

/** A search engine in Node. Holds what it needs; ids that it answers are best first. */
export interface Engine {
  add(documents: readonly Document[]): void | Promise<void>;
  search(query: string, limit: number): number[] | Promise<number[]>;
  close?(): void;
}

/**
 * A package of bench/speed/package.json. Its types are not there when the project is checked, because the bench
 * installs it when it first runs: whoever imports it says what it uses.
 */
export async function importPackage<T>(name: string): Promise<T> {
  return (await import(name)) as T;
}
