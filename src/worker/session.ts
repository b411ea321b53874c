import { RpcTarget } from "capnweb";
import type { Grant, GrantedCalls, Method, Role } from "../../contracts/index.ts";
import { METHODS_BY_ROLE } from "../../contracts/api.ts";
import { MiniSphereError } from "../../contracts/errors.ts";
import { LIMITS } from "../../contracts/limits.ts";
import { capabilityFor, type RoleCapability } from "../access/roles.ts";
import { expiredToken, verifyToken } from "../access/tokens.ts";
import { callError, type ReportFailure } from "../access/wire-errors.ts";
import type { SessionBudget } from "./budget.ts";
import { workspaceHash } from "./log.ts";

/** After so many bad tokens a session verifies no more. */
const FAILED_AUTHENTICATIONS = 20;

const READS: ReadonlySet<Method> = new Set(METHODS_BY_ROLE.reader);

/** What a session needs of the Worker that it ends in. Times are milliseconds. */
export interface SessionHost {
  secret: string | undefined;
  now: () => number;
  workspace: (name: string) => GrantedCalls;
  report: ReportFailure;
  budget: SessionBudget;
}

/** The root of a session ([ACC-1]). One is made for each, because it holds the session's budgets. */
export class Root extends RpcTarget {
  readonly #host: SessionHost;
  #failures = 0;
  #previous: Promise<unknown> = Promise.resolve();

  constructor(host: SessionHost) {
    super();
    this.#host = host;
  }

  /** One at a time, so that a burst of guesses cannot outrun the count of failures. */
  authenticate(token: string): Promise<RoleCapability<Role>> {
    const attempt = this.#previous.then(() => this.#authenticate(token));
    this.#previous = attempt.catch(() => undefined);
    return attempt;
  }

  async #authenticate(token: string): Promise<RoleCapability<Role>> {
    const { secret, now, report } = this.#host;
    if (this.#failures >= FAILED_AUTHENTICATIONS) throw TOO_MANY_FAILURES;
    try {
      const { workspace, role, actor, expiresAt } = await verifyToken(secret, token, now());
      return capabilityFor(role, { actor, target: this.#metered(workspace, expiresAt) });
    } catch (error) {
      this.#failures += 1;
      throw callError(error, { method: "authenticate", workspace: null }, report);
    }
  }

  /** The workspace as this session may reach it: in time, within its budget, failures worded for a caller. */
  #metered(name: string, expiresAt: number): GrantedCalls {
    const target = this.#host.workspace(name);
    const call = async <M extends Method>(grant: Grant, method: M, args: unknown[]) => {
      try {
        if (this.#host.now() >= expiresAt) throw expiredToken();
        this.#host.budget.takeCalls(operationsOf(method, args));
        const reply = await target.call(grant, method, args);
        if (reply.ok) {
          // Many calls can be under way when the budget ends; a write that was done is always answered.
          if (READS.has(method)) this.#host.budget.assertPaid();
          return reply;
        }
        throw new MiniSphereError(reply.error.code, reply.error.message, reply.error.details);
      } catch (error) {
        throw callError(error, { method, workspace: workspaceHash(name) }, this.#host.report);
      }
    };
    return { call };
  }
}

/** A batch counts as its operations ([BAT-5]); one that is too long is refused by its schema. */
function operationsOf(method: Method, [operations]: readonly unknown[]): number {
  if (method !== "batch" || !Array.isArray(operations)) return 1;
  return Math.min(Math.max(1, operations.length), LIMITS.batch);
}

const TOO_MANY_FAILURES = new MiniSphereError(
  "unauthenticated",
  "This session offered too many bad tokens; open a new one with a token of this Worker.",
);
