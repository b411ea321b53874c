import type {
  DueNews,
  Grant,
  Method,
  MiniSphereError,
  Parsed,
  Results,
  Usage,
} from "../../contracts/index.ts";
import {
  ARGUMENT_NAMES,
  INPUTS,
  WRITE_METHODS,
  invalidInput,
  limitExceeded,
} from "../../contracts/index.ts";
import { MIGRATIONS } from "../../migrations/index.ts";
import { randomId } from "../lib/ids.ts";
import { DEFAULT_PARAMS } from "../retrieval/params.ts";
import type { RankingParams } from "../retrieval/params.ts";
import { acknowledgeDue, dueState } from "../staleness/registration.ts";
import { migrate } from "../storage/migrate.ts";
import { Sql, isOutOfRoom } from "../storage/sql.ts";
import { openStores } from "../storage/stores.ts";
import type { OpenStores } from "../storage/stores.ts";
import type { MissingVector, VectorStore } from "../storage/vectors.ts";
import type { Aids } from "./aids.ts";
import { NO_AIDS } from "./aids.ts";
import { checkBatch, runBatch } from "./batch.ts";
import type { Context } from "./context.ts";
import { OPERATIONS } from "./operations.ts";
import { assertMayCall } from "./policy.ts";
import type { SecretPolicy } from "./secrets.ts";
import { warnOfMasked, withoutSecrets } from "./secrets.ts";

/** Re-analysed per write while the index is older than the analyzer ([ANA-8]). */
const REINDEX_STEP = 50;

/** Writes that make the database grow; the others go on when it is full ([LIM-3]). */
const GROWING: ReadonlySet<Method> = new Set([
  "capture",
  "captureMany",
  "append",
  "update",
  "link",
]);

const NO_USAGE: Usage = { calls: 0, rowsRead: 0, rowsWritten: 0, postingsRead: 0 };

type Masked = ReturnType<typeof withoutSecrets>["masked"];

/** A call that has passed the door. */
interface Ready {
  work: () => unknown;
  growing: boolean;
  warn: (result: unknown) => void;
}

export interface SphereOptions {
  storage: DurableObjectStorage;
  /** Milliseconds since the epoch. */
  clock?: () => number;
  newId?: () => string;
  params?: RankingParams;
  /** Bytes in use; the platform's own limit is 10 GB ([LIM-3]). */
  maxDatabaseBytes?: number;
  /** What becomes of credentials in what is written; "refuse" when it is not given ([SEC-3]). */
  secrets?: SecretPolicy;
}

/**
 * The memory of one workspace over one database. Knows nothing of Durable Objects, names or sessions: a
 * host gives it storage and calls `perform` with a grant.
 */
export class Sphere {
  readonly #sql: Sql;
  readonly #stores: OpenStores;
  readonly #options: Required<Omit<SphereOptions, "storage">>;
  readonly #usage = new Map<string, Usage>();

  /** Brings the schema up to date; throws when it cannot ([STO-4]). */
  constructor({ storage, ...options }: SphereOptions) {
    this.#options = {
      clock: Date.now,
      newId: randomId,
      params: DEFAULT_PARAMS,
      maxDatabaseBytes: 9_500_000_000,
      secrets: "refuse",
      ...options,
    };
    this.#sql = new Sql(storage);
    migrate(this.#sql, MIGRATIONS, this.#options.clock());
    this.#stores = openStores(this.#sql);
    this.#sql.transaction(() => this.#reindexStep());
  }

  /** One call of the surface: allowed, parsed, done in one transaction, counted. Synchronous on purpose. */
  perform<M extends Method>(
    grant: Grant,
    method: M,
    args: readonly unknown[],
    aids: Aids = NO_AIDS,
  ): Results[M] {
    assertMayCall(grant, method, this.#options.clock());
    const { work, growing, warn } =
      method === "batch" ? this.#batch(grant, args) : this.#single(grant, method, args, aids);
    const { result, counts } = this.#sql.counted(() =>
      this.#inRoom(() =>
        this.#sql.transaction(() => {
          this.#beforeWrite(method, growing);
          return work() as never;
        }),
      ),
    );
    const usage = this.#usage.get(method) ?? NO_USAGE;
    this.#usage.set(method, {
      calls: usage.calls + 1,
      rowsRead: usage.rowsRead + counts.rowsRead,
      rowsWritten: usage.rowsWritten + counts.rowsWritten,
      postingsRead: usage.postingsRead + counts.postingsRead,
    });
    warn(result);
    return result;
  }

  /** When the workspace is next due for a pass, null for never, and what the directory must hear ([MNT-6]). */
  dueState(): { dueAt: number | null; news?: DueNews } {
    return dueState(this.#stores, this.#options.clock());
  }

  acknowledgeDue(news: DueNews): void {
    const now = this.#options.clock();
    this.#sql.transaction(() => acknowledgeDue(this.#stores, news, now));
  }

  /** Texts that wait for an embedder, and the model whose vectors the others have ([BND-3]). */
  missingVectors(limit: number): { model: string | null; missing: MissingVector[] } {
    const { vectors } = this.#stores;
    const model = vectors.model();
    return { model, missing: vectors.missing(model, limit) };
  }

  vectorDimensions(model: string): number | undefined {
    return this.#stores.vectors.dimensions(model);
  }

  /** All entries wait for vectors of this model, which is another one than before. */
  startVectors(model: string): void {
    this.#sql.transaction(() => this.#stores.vectors.startWith(model));
  }

  /** False when the database is full. */
  saveVectors(model: string, embedded: Parameters<VectorStore["save"]>[1]): boolean {
    if (this.#sql.databaseSize >= this.#options.maxDatabaseBytes) return false;
    this.#sql.transaction(() => this.#stores.vectors.save(model, embedded));
    return true;
  }

  /** One method's call, parsed and ready to be done in a transaction. */
  #single(grant: Grant, method: Method, args: readonly unknown[], aids: Aids): Ready {
    const { input, masked } = this.#withoutSecrets(method, parse(method, args));
    // Vectors know no scope, so a scoped recall goes by words and edges alone ([ACC-11]).
    const ctx = {
      ...this.#context(grant, method),
      aids: grant.tags === undefined ? aids : NO_AIDS,
    };
    return {
      work: () => OPERATIONS[method](ctx, ...input),
      growing: GROWING.has(method),
      warn: (result) => warnOfMasked(method, result, masked),
    };
  }

  /** All operations of a batch, each under its own method's rules ([BAT-1]). */
  #batch(grant: Grant, args: readonly unknown[]): Ready {
    const masked: (readonly [Method, Masked])[] = [];
    const checked = checkBatch(parse("batch", args)[0], (method, given) => {
      assertMayCall(grant, method, this.#options.clock());
      const cleared = this.#withoutSecrets(method, parse(method, given));
      masked.push([method, cleared.masked]);
      return cleared.input;
    });
    return {
      work: () =>
        runBatch(checked, (method, input) =>
          OPERATIONS[method](this.#context(grant, method), ...input),
        ),
      growing: checked.some(({ method }) => GROWING.has(method)),
      warn: (result) => {
        const { results } = result as Results["batch"];
        for (const [index, [method, found]] of masked.entries()) {
          warnOfMasked(method, results[index], found);
        }
      },
    };
  }

  #withoutSecrets<M extends Method>(method: M, input: Parsed<M>) {
    const { secrets } = this.#options;
    if (secrets === "allow" || !WRITE_METHODS.includes(method)) return { input, masked: [] };
    const { args, masked } = withoutSecrets(secrets, method, input);
    // Masked tags may be equal: what is stored must be what parsing gives.
    return { input: masked.length === 0 ? input : parse(method, args), masked };
  }

  #context(grant: Grant, method: Method): Context {
    return {
      stores: grant.tags === undefined ? this.#stores : this.#stores.within(grant.tags),
      whole: this.#stores,
      sql: this.#sql,
      grant,
      method,
      now: this.#options.clock(),
      params: this.#options.params,
      newId: this.#options.newId,
      usage: this.#usage,
    };
  }

  /** The platform's own limit may be lower than ours. */
  #inRoom<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw isOutOfRoom(error) ? fullDatabase({ databaseSize: this.#sql.databaseSize }) : error;
    }
  }

  #reindexStep(): void {
    const { entries, index } = this.#stores;
    index.reindexStep(REINDEX_STEP, (rid, tokenCount) => entries.saveTokenCount(rid, tokenCount));
  }

  #beforeWrite(method: Method, growing: boolean): void {
    if (!WRITE_METHODS.includes(method)) return;
    this.#reindexStep();
    const { maxDatabaseBytes } = this.#options;
    const { databaseSize } = this.#sql;
    if (growing && databaseSize >= maxDatabaseBytes) {
      throw fullDatabase({ databaseSize, maxDatabaseBytes });
    }
  }
}

function fullDatabase(details: {
  databaseSize: number;
  maxDatabaseBytes?: number;
}): MiniSphereError {
  return limitExceeded(
    `This workspace's database is full at ${details.databaseSize} bytes; forget entries that are no longer needed before writing more.`,
    details,
  );
}

/** The arguments, or `invalid_input` with the path of the first field that does not fit ([INP-1]). */
function parse<M extends Method>(method: M, args: readonly unknown[]): Parsed<M> {
  // Filled up, because a tuple that is too short is refused without the name of what it lacks.
  const absent = ARGUMENT_NAMES[method].slice(args.length).map(() => undefined);
  const parsed = INPUTS[method].safeParse([...args, ...absent]);
  if (parsed.success) return parsed.data as Parsed<M>;
  const issues = parsed.error.issues.map((issue) => ({
    path: pathOf(method, issue),
    problem: issue.message,
  }));
  const { path, problem } = issues[0] ?? { path: "arguments", problem: "does not fit" };
  const item = method === "captureMany" ? parsed.error.issues[0]?.path[1] : undefined;
  throw invalidInput(`${method}: ${path}: ${problem}.`, {
    path,
    issues: issues.slice(0, 10),
    ...(typeof item === "number" && { index: item }),
  });
}

function pathOf(
  method: Method,
  issue: { path: readonly PropertyKey[]; code?: string | undefined; keys?: readonly string[] },
): string {
  const [argument, ...rest] = issue.path;
  const name = typeof argument === "number" ? ARGUMENT_NAMES[method][argument] : "arguments";
  const unknownKey = issue.code === "unrecognized_keys" ? issue.keys?.slice(0, 1) : undefined;
  return [name ?? argument, ...rest, ...(unknownKey ?? [])].map(String).join(".");
}
