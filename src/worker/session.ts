import { RpcTarget } from "capnweb";
import type { Grant, GrantedCalls, Method, Role } from "../../contracts/index.ts";
import { limitExceeded, MiniSphereError } from "../../contracts/errors.ts";
import { capabilityFor, type RoleCapability } from "../access/roles.ts";
import { expiredToken, verifyToken } from "../access/tokens.ts";
import { callError, type ReportFailure } from "../access/wire-errors.ts";
import { workspaceHash } from "./log.ts";
import { TokenBucket } from "./token-bucket.ts";

/** Calls of one session: generous, because a session is one agent; a flood is far beyond. */
const CALL_RATE = { burst: 10_000, perSecond: 1_000 };
/** After so many bad tokens a session verifies no more. */
const FAILED_AUTHENTICATIONS = 20;

/** What a session needs of the Worker that it ends in. Times are milliseconds. */
export interface SessionHost {
  secret: string | undefined;
  now: () => number;
  workspace: (name: string) => GrantedCalls;
  report: ReportFailure;
}

/** The root of a session ([ACC-1]). One is made for each, because it holds the session's budgets. */
export class Root extends RpcTarget {
  readonly #host: SessionHost;
  readonly #calls: TokenBucket;
  #failures = 0;
  #previous: Promise<unknown> = Promise.resolve();

  constructor(host: SessionHost) {
    super();
    this.#host = host;
    this.#calls = new TokenBucket(CALL_RATE, host.now());
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
        this.#charge();
        const reply = await target.call(grant, method, args);
        if (reply.ok) return reply;
        throw new MiniSphereError(reply.error.code, reply.error.message, reply.error.details);
      } catch (error) {
        throw callError(error, { method, workspace: workspaceHash(name) }, this.#host.report);
      }
    };
    return { call };
  }

  #charge(): void {
    const answer = this.#calls.take(this.#host.now());
    if (answer.taken) return;
    const { retryAfterMs } = answer;
    throw limitExceeded(
      `This session calls too fast; wait ${retryAfterMs} ms and stay under ${CALL_RATE.perSecond} calls a second.`,
      { retryAfterMs },
    );
  }
}

const TOO_MANY_FAILURES = new MiniSphereError(
  "unauthenticated",
  "This session offered too many bad tokens; open a new one with a token of this Worker.",
);
