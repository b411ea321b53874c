import { RpcSession, type RpcStub, type RpcTransport } from "capnweb";
import type { RoleApi, RootApi } from "../../contracts/api.ts";
import { invalidInput } from "../../contracts/errors.ts";
import type { Role } from "../../contracts/vocabulary.ts";
import { BatchTransport } from "./batch-transport.ts";
import { SocketTransport, type WebSocketClass } from "./socket-transport.ts";

export {
  ERROR_CODES,
  type ErrorCode,
  hasErrorCode,
  MiniSphereError,
} from "../../contracts/errors.ts";
export { renderBrief, renderHits, type RenderOptions } from "./render-brief.ts";
export type * from "../../contracts/api.ts";
export type * from "../../contracts/entities.ts";
export type * from "../../contracts/vocabulary.ts";

export interface ConnectOptions {
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
  "dup" | "map" | "onRpcBroken"
> & {
  /** Ends the session, as disposing does: calls in flight and later ones reject with `unavailable`. */
  close(): void;
};

/**
 * Opens a session, at the first call, and stays usable until it is closed. Over a WebSocket all calls share
 * one connection; with "batch", calls of one tick share one HTTP request.
 *
 * @throws MiniSphereError `invalid_input` when the options cannot be used.
 */
export function connect<R extends Role = "owner">(options: ConnectOptions): SphereStub<R> {
  const { token } = options;
  const url = endpoint(options.url);
  const Socket = options.WebSocket ?? (globalThis.WebSocket as WebSocketClass | undefined);
  const { transport = Socket === undefined ? "batch" : "websocket" } = options;
  if (transport === "batch") return stubOf(batches(url, token)) as SphereStub<R>;
  if (Socket !== undefined) return stubOf(oneSocket(url, token, Socket)) as SphereStub<R>;
  throw invalidInput(
    'This runtime has no WebSocket: pass a class as the option WebSocket, or use transport "batch".',
  );
}

/** A capability at the other end: capnweb's proxy, on which every name is a method. */
type Remote = Record<string, (...args: unknown[]) => unknown>;

interface Connection {
  /** The capability in the session that is open now. */
  capability: () => Remote;
  close: () => void;
}

function oneSocket(url: URL, token: string, Socket: WebSocketClass): Connection {
  const transport = new SocketTransport(Socket, url);
  const capability = authenticate(transport, token);
  return { capability: () => capability, close: () => transport.close() };
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
    capability: () => (open ??= authenticate(new BatchTransport(url, takeOpen), token)),
    close: () => {
      closed = true;
    },
  };
}

/** Not awaited: calls are pipelined on it, and each reports a refusal. */
function authenticate(transport: RpcTransport, token: string): Remote {
  const root = new RpcSession<RootApi>(transport).getRemoteMain();
  return root.authenticate(token) as unknown as Remote;
}

const ATTENUATIONS = new Set(["readOnly", "asContributor"]);

function stubOf({ capability, close }: Connection): object {
  return new Proxy(Object.freeze({}), {
    get(_, name) {
      if (name === "close" || name === Symbol.dispose) return close;
      // A stub is not a promise: without this, `await` would ask the other end for a method "then".
      if (typeof name === "symbol" || name === "then") return undefined;
      if (!ATTENUATIONS.has(name)) {
        return (...args: unknown[]) => askedFor(call(capability(), name, args));
      }
      return () => stubOf({ capability: oncePerSession(capability, name), close });
    },
  });
}

/** A lesser capability. It outlives a batch because it is asked for anew in the next one. */
function oncePerSession(capability: () => Remote, attenuation: string): () => Remote {
  let base: Remote | null = null;
  let lesser: Remote | null = null;
  return () => {
    const current = capability();
    if (lesser === null || base !== current) {
      base = current;
      lesser = call(current, attenuation, []) as Remote;
    }
    return lesser;
  };
}

function call(remote: Remote, method: string, args: unknown[]): unknown {
  return remote[method]?.(...args);
}

/**
 * capnweb asks for an answer when it is awaited, which is too late for the second of two calls that are awaited
 * one after the other: their batch has gone. So each is asked for at once.
 */
function askedFor(result: unknown): unknown {
  (result as Promise<unknown>).then(
    () => undefined,
    () => undefined,
  );
  return result;
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
