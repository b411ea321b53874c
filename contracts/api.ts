import type {
  Brief,
  Captured,
  Changed,
  Changes,
  Edge,
  Entry,
  EntrySummary,
  ExportPage,
  Forgotten,
  Graph,
  RecallResult,
  Revision,
  StalenessRun,
  Stats,
} from "./entities.ts";
import type { ErrorCode, ErrorDetails } from "./errors.ts";
import type { Arguments, Batched, Method } from "./inputs.ts";
import type { Role } from "./vocabulary.ts";

/** The contract's version. A change of an observable rule moves it (contract section 12). */
export const CONTRACT_VERSION = "3.0.0";

/** What each method answers. */
export interface Results {
  recall: RecallResult;
  listRecent: { entries: EntrySummary[]; next: string | null };
  getEntry: Entry;
  history: { revisions: Revision[]; next: string | null };
  changes: Changes;
  connections: { edges: Edge[]; entries: EntrySummary[]; next: string | null };
  getTags: { tag: string; count: number }[];
  getCount: number;
  getStats: Stats;
  getBrief: Brief;
  graphView: Graph;
  capture: Captured;
  captureMany: { results: Captured[] };
  append: Changed;
  update: Changed;
  setStatus: Changed;
  forget: Forgotten;
  link: { edge: Edge; created: boolean; warnings?: string[] };
  unlink: { removed: boolean };
  batch: { results: BatchResult[] };
  runStalenessPass: StalenessRun;
  exportPage: ExportPage;
}

/** What an operation of a batch answers: the answer of its method. */
export type BatchResult = Results[Batched];

/** The public surface: the same methods on a native stub, on a capability, and over Cap'n Web. */
export type MiniSphereApi = {
  [M in Method]: (...args: Arguments<M>) => Promise<Results[M]>;
};

const READS = [
  "recall",
  "listRecent",
  "getEntry",
  "history",
  "changes",
  "connections",
  "getTags",
  "getCount",
  "getStats",
  "getBrief",
  "graphView",
] as const satisfies readonly Method[];

const PROPOSALS = [
  "capture",
  "captureMany",
  "append",
  "link",
  "batch",
] as const satisfies readonly Method[];

const WRITES = [
  ...PROPOSALS,
  "update",
  "setStatus",
  "forget",
  "unlink",
] as const satisfies readonly Method[];

const MAINTENANCE = ["runStalenessPass"] as const satisfies readonly Method[];

const ADMINISTRATION = ["exportPage"] as const satisfies readonly Method[];

/** Which methods exist on a capability of each role ([ACC-2]). */
export const METHODS_BY_ROLE = {
  reader: READS,
  contributor: [...READS, ...PROPOSALS],
  curator: [...READS, ...WRITES],
  maintainer: MAINTENANCE,
  owner: [...READS, ...WRITES, ...MAINTENANCE, ...ADMINISTRATION],
} as const satisfies Record<Role, readonly Method[]>;

export const WRITE_METHODS: readonly Method[] = [...WRITES, ...MAINTENANCE];

/** What a capability of role R offers, attenuations included. */
export type RoleApi<R extends Role> = Pick<MiniSphereApi, (typeof METHODS_BY_ROLE)[R][number]> &
  Attenuations<R> &
  (R extends "maintainer" ? unknown : { readOnly(): RoleApi<"reader"> }) &
  (R extends "contributor" | "curator" | "owner"
    ? { asContributor(): RoleApi<"contributor"> }
    : unknown);

/** The authority a call is made under. Only capabilities make one; no argument of the surface can. */
export interface Grant {
  role: Role;
  actor: string;
  /** The scope: only entries with all of these tags exist, and what is written gets them ([ACC-10]). Not empty. */
  tags?: readonly string[];
  /** From then on (milliseconds) every call is refused ([ACC-14]). */
  until?: number;
}

/** What a grant with a scope may call; every other method, whatever is added later, is refused ([ACC-12]). */
export const SCOPED_METHODS = [
  "recall",
  "listRecent",
  "getEntry",
  "history",
  "connections",
  "getTags",
  "getCount",
  "getStats",
  "getBrief",
  "graphView",
  "capture",
  "captureMany",
  "append",
  "link",
  "update",
  "setStatus",
  "forget",
  "unlink",
] as const satisfies readonly Method[];

/** What every capability offers besides: the same with less ([ACC-10], [ACC-13], [ACC-14]). */
export interface Attenuations<R extends Role> {
  withTags(tags: readonly string[]): RoleApi<R>;
  asActor(name: string): RoleApi<R>;
  until(time: number): RoleApi<R>;
}

/** The root of a Cap'n Web session ([ACC-1]): what it returns is the authority. */
export interface RootApi {
  authenticate(token: string): Promise<RoleApi<Role>>;
}

/**
 * What the object answers to a granted call. Errors of the contract are values here, so that an expected
 * refusal is not an uncaught exception of the object; anything else is thrown.
 */
export type Reply<M extends Method> =
  | {
      ok: true;
      value: Results[M];
      /** After a write: when the workspace is next due for a staleness pass, null when never. */
      dueAt?: number | null;
      /** After a write: what a directory must hear and has not acknowledged ([MNT-6]). */
      news?: DueNews;
    }
  | { ok: false; error: { code: ErrorCode; message: string; details: ErrorDetails } };

/** A workspace is due for a staleness pass at `dueAt` (milliseconds), as of its run number `run` ([MNT-6]). */
export interface DueNews {
  dueAt: number;
  run: number;
}

/** The one method that capabilities use on the object. It is never handed to a client. */
export interface GrantedCalls {
  call<M extends Method>(grant: Grant, method: M, args: unknown[]): Promise<Reply<M>>;
}
