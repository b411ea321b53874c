import { RpcSession, type RpcStub, type RpcTransport } from "capnweb";
import type { RoleApi, RootApi } from "../../contracts/api.ts";
import { invalidInput } from "../../contracts/errors.ts";
import type { Role } from "../../contracts/vocabulary.ts";
import { BatchTransport } from "./batch-transport.ts";
import { answered, type CallOptions, checkedCallOptions, isRepeatable } from "./calls.ts";
import { SocketTransport, type WebSocketClass } from "./socket-transport.ts";

export {
  ERROR_CODES,
  type ErrorCode,
  hasErrorCode,
  MiniSphereError,
} from "../../contracts/errors.ts";
export type { CallOptions } from "./calls.ts";
export { renderBrief, renderHits, type RenderOptions } from "./render-brief.ts";
export type * from "../../contracts/api.ts";
export type * from "../../contracts/entities.ts";
export type * from "../../contracts/vocabulary.ts";

export interface ConnectOptions extends CallOptions {
  /** Where the Worker answers: `https://host[:port]`, with or without `/rpc`. */
  url: string;
  /** A session token; it names the workspace, the role and the actor. */
  token: string;
  /** Default: a WebSocket where the runtime has one, else a batch. */
  transport?: "websocket" | "batch";
  /** The class to open a socket with, for runtimes without a global one. */
  WebSocket?: WebSocketClass;
}

/**
 * A workspace's memory with the methods of role R. Every call rejects with an error that has a `code`
 * (`hasErrorCode`). Calls can be pipelined: `stub.readOnly().recall("x")` is one round trip.
 */
export type SphereStub<R extends Role> = Omit<
  RpcStub<RoleApi<R>>,
  "dup" | "map" | "onRpcBroken" | Attenuation
> & {
  [A in Attenuation & keyof RoleApi<R>]: RoleApi<R>[A] extends (
    ...args: infer Args
  ) => RoleApi<infer Lesser>
    ? (...args: Args) => SphereStub<Lesser>
    : never;
} & {
  /** The same session, with other options for its calls: `memory.with({ signal }).recall("x")`. */
  with(options: CallOptions): SphereStub<R>;
  /** Ends the session, as disposing does: calls in flight and later ones reject with `unavailable`. */
  close(): void;
};

/**
 * Opens a session, at the first call, and stays usable until it is closed. Over a WebSocket all calls share
 * one connection, and the first call after it was lost opens another ([WIR-6]); with "batch", calls of one
 * tick share one HTTP request.
 *
 * @throws MiniSphereError `invalid_input` when the options cannot be used.
 */
export function connect<R extends Role = "owner">(options: ConnectOptions): SphereStub<R> {
  const { token } = options;
  const url = endpoint(options.url);
  const Socket = options.WebSocket ?? (globalThis.WebSocket as WebSocketClass | undefined);
  const { transport = Socket === undefined ? "batch" : "websocket" } = options;
  const calls = checkedCallOptions(options);
  if (transport === "batch") return stubOf(batches(url, token), calls) as SphereStub<R>;
  if (Socket !== undefined) return stubOf(sockets(url, token, Socket), calls) as SphereStub<R>;
  throw invalidInput(
    'This runtime has no WebSocket: pass a class as the option WebSocket, or use transport "batch".',
  );
}

/** A capability at the other end: capnweb's proxy, on which every name is a method. */
type Remote = Record<string, (...args: unknown[]) => unknown>;

interface Connection {
  url: URL;
  /** The capability in the session that is open now; opens one where there is none. */
  capability: () => Remote;
  close: () => void;
  closed: () => boolean;
}

function sockets(url: URL, token: string, Socket: WebSocketClass): Connection {
  let transport: SocketTransport | null = null;
  let open: Remote | null = null;
  let closed = false;
  return {
    url,
    capability: () => {
      if (open === null || (transport?.broken && !closed)) {
        transport = new SocketTransport(Socket, url);
        if (closed) transport.close();
        open = authenticate(transport, token);
      }
      return open;
    },
    close: () => {
      closed = true;
      transport?.close();
    },
    closed: () => closed,
  };
}

/** A batch is a session of one request: the first call of a tick opens it, the end of the tick sends it. */
function batches(url: URL, token: string): Connection {
  let open: Remote | null = null;
  let closed = false;
  const takeOpen = () => {
    open = null;
    return { closed };
  };
  return {
    url,
    capability: () => (open ??= authenticate(new BatchTransport(url, takeOpen), token)),
    close: () => {
      closed = true;
    },
    closed: () => closed,
  };
}

/** Not awaited: calls are pipelined on it, and each reports a refusal. */
function authenticate(transport: RpcTransport, token: string): Remote {
  const root = new RpcSession<RootApi>(transport).getRemoteMain();
  return root.authenticate(token) as unknown as Remote;
}

const ATTENUATIONS = ["readOnly", "asContributor", "withTags", "asActor", "until"] as const;
type Attenuation = (typeof ATTENUATIONS)[number];

const isAttenuation = (name: string) => (ATTENUATIONS as readonly string[]).includes(name);

function stubOf(connection: Connection, options: CallOptions): object {
  const { url, capability, close, closed } = connection;
  return new Proxy(Object.freeze({}), {
    get(_, name) {
      if (name === "close" || name === Symbol.dispose) return close;
      // A stub is not a promise: without this, `await` would ask the other end for a method "then".
      if (typeof name === "symbol" || name === "then") return undefined;
      if (name === "with") {
        return (others: CallOptions) =>
          stubOf(connection, checkedCallOptions({ ...options, ...others }));
      }
      if (isAttenuation(name)) {
        return (...args: unknown[]) =>
          stubOf({ ...connection, capability: oncePerSession(capability, name, args) }, options);
      }
      return (...args: unknown[]) =>
        answered({
          url,
          options,
          closed,
          repeatable: isRepeatable(name),
          attempt: () => call(capability(), name, args),
        });
    },
  });
}

/** A lesser capability. It outlives a batch and a lost socket because it is asked for anew in the next one. */
function oncePerSession(capability: () => Remote, attenuation: string, args: unknown[]) {
  let base: Remote | null = null;
  let lesser: Remote | null = null;
  return (): Remote => {
    const current = capability();
    if (lesser === null || base !== current) {
      base = current;
      lesser = call(current, attenuation, args) as Remote;
    }
    return lesser;
  };
}

function call(remote: Remote, method: string, args: unknown[]): unknown {
  return remote[method]?.(...args);
}

function endpoint(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalidInput(`The url must be like "https://host:port/rpc", not "${given}".`, {
      path: ["url"],
    });
  }
  if (url.pathname === "/") url.pathname = "/rpc";
  return url;
}
