import { RpcTarget } from "capnweb";
import type { Grant, GrantedCalls, Reply, Results, RoleApi } from "../../contracts/api.ts";
import type { ZodType } from "zod";
import {
  endedCapability,
  forbidden,
  invalidInput,
  MiniSphereError,
} from "../../contracts/errors.ts";
import { scopeTags, subActor, untilTime } from "../../contracts/inputs.ts";
import type { Arguments, Method } from "../../contracts/inputs.ts";
import type { Role } from "../../contracts/vocabulary.ts";
import { plainArguments } from "./plain-arguments.ts";

/*
 * The capabilities ([ACC-2]). A class is its role: what stands on its prototype is what its holder may do,
 * so nothing but the surface may stand there, and state is `#private`. Every call carries the grant, and the
 * object judges it again.
 */

/** Characters of an actor, as of a token's. */
const ACTOR_CHARS = 64;

/**
 * What a capability stands on. `target` is anything with the object's `call`: its stub, a facet's stub, or
 * a wrapper that meters one. `actor` is stamped into everything that is written ([ACC-3]).
 */
export interface Authority {
  target: GrantedCalls;
  actor: string;
  /** The scope, as tags are stored ([ACC-10]); none for the whole workspace. */
  tags?: readonly string[];
  /** Milliseconds ([ACC-14]). */
  until?: number;
}

/** Whether a capability, or one that it came from, was disposed. */
interface Life {
  ended: boolean;
  parent: Life | null;
}

interface Held {
  target: GrantedCalls;
  grant: Grant;
  life: Life;
}

let held: (capability: Capability) => Held;
let descend: (child: Capability, parent: Capability) => void;

/** Holds the grant. A method here is reachable on every role: only those stand here that make less of it. */
class Capability extends RpcTarget {
  static readonly role: Role;
  readonly #target: GrantedCalls;
  readonly #grant: Grant;
  readonly #life: Life = { ended: false, parent: null };

  static {
    descend = (child, parent) => {
      child.#life.parent = parent.#life;
    };
    held = (capability) => {
      // A method that was taken off its capability and called by itself has no `this`.
      if (!(capability instanceof Capability))
        throw forbidden("A method is called on its capability.");
      return { target: capability.#target, grant: capability.#grant, life: capability.#life };
    };
  }

  constructor({ target, actor, tags, until }: Authority) {
    super();
    this.#target = target;
    this.#grant = {
      role: new.target.role,
      actor,
      ...(tags !== undefined && { tags: canonical(tags) }),
      ...(until !== undefined && { until }),
    };
  }

  /** The same for entries with all of these tags, and of the scope that this one has ([ACC-10]). */
  withTags(tags: readonly string[]): this {
    const asked = attenuation("withTags", scopeTags, tags);
    const { tags: own = [] } = authorityOf(this);
    return derived(this, { tags: canonical([...own, ...asked]) });
  }

  /** The same for a sub-actor, `parent/name` ([ACC-13]). */
  asActor(name: string): this {
    const { actor } = authorityOf(this);
    return derived(this, {
      actor: attenuation(
        "asActor",
        subActor
          .transform((part) => `${actor}/${part}`)
          .refine((whole) => whole.length <= ACTOR_CHARS, {
            error: `must be at most ${ACTOR_CHARS} characters together with "${actor}/"`,
          }),
        name,
      ),
    });
  }

  /** The same up to a time in milliseconds, or to the earlier one that this ends at ([ACC-14]). */
  until(time: number): this {
    const asked = attenuation("until", untilTime, time);
    return derived(this, { until: Math.min(asked, authorityOf(this).until ?? asked) });
  }

  /** Ends this capability and all that came from it ([ACC-15]). */
  [Symbol.dispose](): void {
    held(this).life.ended = true;
  }
}

export class Reader extends Capability implements RoleApi<"reader"> {
  static override readonly role: Role = "reader";

  recall(...args: Arguments<"recall">) {
    return invoke(this, "recall", args);
  }

  listRecent(...args: Arguments<"listRecent">) {
    return invoke(this, "listRecent", args);
  }

  getEntry(...args: Arguments<"getEntry">) {
    return invoke(this, "getEntry", args);
  }

  history(...args: Arguments<"history">) {
    return invoke(this, "history", args);
  }

  changes(...args: Arguments<"changes">) {
    return invoke(this, "changes", args);
  }

  connections(...args: Arguments<"connections">) {
    return invoke(this, "connections", args);
  }

  getTags(...args: Arguments<"getTags">) {
    return invoke(this, "getTags", args);
  }

  getCount(...args: Arguments<"getCount">) {
    return invoke(this, "getCount", args);
  }

  getStats(...args: Arguments<"getStats">) {
    return invoke(this, "getStats", args);
  }

  getBrief(...args: Arguments<"getBrief">) {
    return invoke(this, "getBrief", args);
  }

  graphView(...args: Arguments<"graphView">) {
    return invoke(this, "graphView", args);
  }

  /** A capability that may only read, for the same actor ([ACC-8]). */
  readOnly(): Reader {
    return derived(this, {}, Reader);
  }
}

export class Contributor extends Reader implements RoleApi<"contributor"> {
  static override readonly role: Role = "contributor";

  capture(...args: Arguments<"capture">) {
    return invoke(this, "capture", args);
  }

  captureMany(...args: Arguments<"captureMany">) {
    return invoke(this, "captureMany", args);
  }

  append(...args: Arguments<"append">) {
    return invoke(this, "append", args);
  }

  link(...args: Arguments<"link">) {
    return invoke(this, "link", args);
  }

  batch(...args: Arguments<"batch">) {
    return invoke(this, "batch", args);
  }

  /** A capability that may read and propose, for the same actor ([ACC-8]). */
  asContributor(): Contributor {
    return derived(this, {}, Contributor);
  }
}

export class Curator extends Contributor implements RoleApi<"curator"> {
  static override readonly role: Role = "curator";

  update(...args: Arguments<"update">) {
    return invoke(this, "update", args);
  }

  setStatus(...args: Arguments<"setStatus">) {
    return invoke(this, "setStatus", args);
  }

  forget(...args: Arguments<"forget">) {
    return invoke(this, "forget", args);
  }

  unlink(...args: Arguments<"unlink">) {
    return invoke(this, "unlink", args);
  }
}

export class Owner extends Curator implements RoleApi<"owner"> {
  static override readonly role: Role = "owner";

  runStalenessPass(...args: Arguments<"runStalenessPass">) {
    return invoke(this, "runStalenessPass", args);
  }

  exportPage(...args: Arguments<"exportPage">) {
    return invoke(this, "exportPage", args);
  }
}

export class Maintainer extends Capability implements RoleApi<"maintainer"> {
  static override readonly role: Role = "maintainer";

  runStalenessPass(...args: Arguments<"runStalenessPass">) {
    return invoke(this, "runStalenessPass", args);
  }
}

const CAPABILITIES = {
  reader: Reader,
  contributor: Contributor,
  curator: Curator,
  maintainer: Maintainer,
  owner: Owner,
} as const satisfies Record<Role, typeof Capability>;

export type RoleCapability<R extends Role> = InstanceType<(typeof CAPABILITIES)[R]>;

/** The capability of a role, to be handed to whoever should have it and no more. */
export function capabilityFor<R extends Role>(role: R, authority: Authority): RoleCapability<R> {
  return new CAPABILITIES[role](authority) as RoleCapability<R>;
}

/** One granted call. An error of the contract comes back as a value ([ERR-1]) and is thrown here. */
async function invoke<M extends Method>(
  capability: Capability,
  method: M,
  args: Arguments<M>,
): Promise<Results[M]> {
  const { target, grant, life } = held(capability);
  assertAlive(life);
  const reply: Reply<M> = await target.call(grant, method, plainArguments(method, args));
  if (reply.ok) return reply.value;
  throw new MiniSphereError(reply.error.code, reply.error.message, reply.error.details);
}

/** A capability that stands on the authority of another, with some of it changed. */
function derived<C extends Capability>(
  from: Capability,
  less: Partial<Authority>,
  Class: new (authority: Authority) => C = from.constructor as new (authority: Authority) => C,
): C {
  assertAlive(held(from).life);
  const child = new Class({ ...authorityOf(from), ...less });
  descend(child, from);
  return child;
}

function assertAlive(life: Life): void {
  for (let each: Life | null = life; each !== null; each = each.parent) {
    if (each.ended) throw endedCapability();
  }
}

/** In one order, so that a scope is the same whichever way it was narrowed. */
const canonical = (tags: readonly string[]) => [...new Set(tags)].sort();

function attenuation<T>(method: string, schema: ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidInput(`${method}: ${parsed.error.issues[0]?.message ?? "does not fit"}.`, {
    path: method === "withTags" ? "tags" : method === "asActor" ? "name" : "time",
  });
}

function authorityOf(capability: Capability): Authority {
  const { target, grant } = held(capability);
  const { role: _role, ...rest } = grant;
  return { target, ...rest };
}
