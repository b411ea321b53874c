import type { Arguments, Hit, MiniSphereApi } from "../../contracts/index.ts";

export const DAY = 86_400_000;

export type CaptureOptions = NonNullable<Arguments<"capture">[1]>;
export type Item = Arguments<"captureMany">[0][number];

/** A time in the past, counted from now. */
export const daysAgo = (days: number) => Date.now() - days * DAY;

/** Captures one entry and answers with its id. */
export async function captured(
  owner: MiniSphereApi,
  content: string,
  options: CaptureOptions = {},
): Promise<string> {
  return (await owner.capture(content, options)).id;
}

/** Captures any number of entries and answers with their ids, in order. */
export async function capturedAll(owner: MiniSphereApi, items: readonly Item[]): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < items.length; start += 500) {
    const { results } = await owner.captureMany(items.slice(start, start + 500));
    ids.push(...results.map((each) => each.id));
  }
  return ids;
}

/** `n` items, each made from its number. */
export function times<T>(n: number, make: (index: number) => T): T[] {
  return Array.from({ length: n }, (_, index) => make(index));
}

export const idsOf = (list: readonly { id: string }[]) => list.map((each) => each.id);

export async function recalledIds(
  owner: MiniSphereApi,
  ...args: Arguments<"recall">
): Promise<string[]> {
  return idsOf((await owner.recall(...args)).hits);
}

/** The hit of an entry; fails when recall did not present it. */
export async function hitOf(
  owner: MiniSphereApi,
  id: string,
  ...args: Arguments<"recall">
): Promise<Hit> {
  const { hits } = await owner.recall(...args);
  const hit = hits.find((each) => each.id === id);
  if (hit === undefined)
    throw new Error(`${id} is not among ${idsOf(hits).join(", ") || "no hits"}.`);
  return hit;
}

/** The factors of an entry's score. */
export async function factorsOf(owner: MiniSphereApi, id: string, query: string) {
  const { why } = await hitOf(owner, id, query, { observe: true, explain: true, topK: 50 });
  if (why === undefined) throw new Error("The hit explains nothing.");
  return why.factors;
}

/** Everything that `getEntry` says of every entry, by id. */
export async function everything(owner: MiniSphereApi, ids: readonly string[]) {
  const entries = await Promise.all(ids.map((id) => owner.getEntry(id)));
  return Object.fromEntries(entries.map((entry) => [entry.id, entry]));
}

/** Follows `next` to the end; `between` runs after each page that has one. */
export async function allPages<Page extends { next: string | null }>(
  read: (cursor: { cursor?: string }) => Promise<Page>,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Page[]> {
  const pages = [await read({})];
  for (let next = pages[0]?.next ?? null; next !== null;) {
    await between();
    const page = await read({ cursor: next });
    pages.push(page);
    next = page.next;
  }
  return pages;
}
