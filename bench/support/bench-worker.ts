import { fileURLToPath } from "node:url";
import { createTestHarness } from "wrangler";
import type { Arguments, Method, Results } from "../../contracts/index.ts";
import type { RankingParams } from "../../src/retrieval/params.ts";
import { CLOCK } from "./protocol.ts";
import type {
  CallRequest,
  DeepPartial,
  LinkRequest,
  LoadRequest,
  SearchAnswer,
  SearchRequest,
} from "./protocol.ts";
import type { Doc, Query, Variant } from "./sets.ts";

/** Characters of content in one load call; a captureMany may hold 4 MB. */
const LOAD_CHARS = 1_000_000;

export type Engine = SearchRequest["engine"];
export type Params = DeepPartial<RankingParams>;

/** What one query brought: the ids of entries, best first, and which of them are relevant. */
export interface Ranking {
  query: Query;
  ranked: string[];
  relevant: Set<string>;
  sessions: string[];
  chars: number;
}

/** The bench Worker in workerd, driven from Node. */
export class BenchWorker {
  readonly #server = createTestHarness({
    workers: [{ configPath: fileURLToPath(new URL("../wrangler.toml", import.meta.url)) }],
  });
  /** variant name → document id → entry id. */
  readonly #entries = new Map<string, Map<string, string>>();

  async start(): Promise<void> {
    await this.#server.listen();
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  async #post<T>(workspace: string, method: string, body: unknown): Promise<T> {
    const response = await this.#server.fetch(`/${encodeURIComponent(workspace)}/${method}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} on ${workspace}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** A call of the surface, as an owner, on the workspace of a variant without scopes. */
  async call<M extends Method>(
    variant: Variant,
    method: M,
    ...args: Arguments<M>
  ): Promise<Results[M]> {
    const body: CallRequest = { now: CLOCK, method, args };
    return this.#post(workspaceOf(variant, "all"), "call", body);
  }

  /** Answers with the id of each document's entry. */
  async load(variant: Variant): Promise<ReadonlyMap<string, string>> {
    const entries = new Map<string, string>();
    for (const [scope, docs] of Map.groupBy(variant.docs, (doc) => doc.scope)) {
      for (const batch of batches(docs)) {
        const items = batch.map((doc) => ({
          content: doc.content,
          plain: doc.content,
          kind: doc.kind,
          tags: doc.tags,
          ...(doc.status && { status: doc.status }),
          ...(doc.occurredAt !== undefined && { occurredAt: doc.occurredAt }),
        }));
        const body: LoadRequest = { items };
        const ids = await this.#post<string[]>(workspaceOf(variant, scope), "load", body);
        ids.forEach((id, index) => entries.set(batch[index]?.id ?? "", id));
      }
    }
    for (const [scope, links] of Map.groupBy(variant.links, (link) => link.scope)) {
      const body: LinkRequest = {
        links: links
          .map(({ src, dst, type }) => ({
            src: entries.get(src) ?? "",
            dst: entries.get(dst) ?? "",
            type,
          }))
          .filter(({ src, dst }) => src !== "" && dst !== "" && src !== dst),
      };
      await this.#post(workspaceOf(variant, scope), "link", body);
    }
    this.#entries.set(variant.name, entries);
    return entries;
  }

  async search(
    variant: Variant,
    engine: Engine,
    run: { params?: Params; hops?: number; topK?: number } = {},
  ): Promise<Ranking[]> {
    const entries = this.#entries.get(variant.name) ?? new Map<string, string>();
    const topK = run.topK ?? 20;
    const result: Ranking[] = [];
    const docs = Map.groupBy(variant.docs, (doc) => doc.scope);
    for (const [scope, queries] of Map.groupBy(variant.queries, (query) => query.scope)) {
      // Ids are the same in each workspace: what an entry stands for is a matter of its scope.
      const documentOf = new Map((docs.get(scope) ?? []).map(({ id }) => [entries.get(id), id]));
      const body: SearchRequest = {
        queries: queries.map(({ text, now }) => ({
          text: text.slice(0, 2_000),
          now: now ?? CLOCK,
        })),
        options: { topK, ...(run.hops !== undefined && { hops: run.hops }) },
        params: run.params ?? {},
        engine,
        limit: topK,
      };
      const answer = await this.#post<SearchAnswer>(workspaceOf(variant, scope), "search", body);
      queries.forEach((query, index) => {
        const excluded = new Set(query.exclude.map((doc) => entries.get(doc)));
        const ranked = (answer.hits[index] ?? []).filter((id) => !excluded.has(id));
        const relevant = new Set(query.relevant.flatMap((doc) => entries.get(doc) ?? []));
        const sessions = ranked.map((id) => sessionOf(documentOf.get(id) ?? ""));
        result.push({
          query,
          ranked,
          relevant,
          sessions: [...new Set(sessions)],
          chars: answer.chars[index] ?? 0,
        });
      });
    }
    return result.filter((each) => each.relevant.size > 0);
  }
}

const workspaceOf = (variant: Variant, scope: string) => `${variant.name}:${scope}`;

/** `question/session#turn` → session. */
const sessionOf = (doc: string) => doc.split("/").at(-1)?.split("#")[0] ?? "";

function* batches(docs: readonly Doc[]): Generator<Doc[]> {
  let batch: Doc[] = [];
  let chars = 0;
  for (const doc of docs) {
    if (batch.length === 500 || chars + doc.content.length > LOAD_CHARS) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(doc);
    chars += doc.content.length;
  }
  if (batch.length > 0) yield batch;
}
