import { RpcTarget } from "capnweb";
import type { Grant, GrantedCalls, Reply, Results, RoleApi } from "../../contracts/api.ts";
import { forbidden, MiniSphereError } from "../../contracts/errors.ts";
import type { Arguments, Method } from "../../contracts/inputs.ts";
import type { Role } from "../../contracts/vocabulary.ts";
import { plainArguments } from "./plain-arguments.ts";

/*
 * The capabilities ([ACC-2]). A class is its role: what stands on its prototype is what its holder may do,
 * so nothing but the surface may stand there, and state is `#private`. Every call carries the grant, and the
 * object judges it again.
 */

/**
 * What a capability stands on. `target` is anything with the object's `call`: its stub, a facet's stub, or
 * a wrapper that meters one. `actor` is stamped into everything that is written ([ACC-3]).
 */
export interface Authority {
  target: GrantedCalls;
  actor: string;
}

let held: (capability: Capability) => { target: GrantedCalls; grant: Grant };

/** Holds the grant. It must stay without methods: they would be reachable on every role. */
class Capability extends RpcTarget {
  static readonly role: Role;
  readonly #target: GrantedCalls;
  readonly #grant: Grant;

  static {
    held = (capability) => {
      // A method that was taken off its capability and called by itself has no `this`.
      if (!(capability instanceof Capability))
        throw forbidden("A method is called on its capability.");
      return { target: capability.#target, grant: capability.#grant };
    };
  }

  constructor({ target, actor }: Authority) {
    super();
    this.#target = target;
    this.#grant = { role: new.target.role, actor };
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
    return new Reader(authorityOf(this));
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
    return new Contributor(authorityOf(this));
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
  const { target, grant } = held(capability);
  const reply: Reply<M> = await target.call(grant, method, plainArguments(method, args));
  if (reply.ok) return reply.value;
  throw new MiniSphereError(reply.error.code, reply.error.message, reply.error.details);
}

function authorityOf(capability: Capability): Authority {
  const { target, grant } = held(capability);
  return { target, actor: grant.actor };
}
