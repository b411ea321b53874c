import {
  RpcSession,
  type RpcSessionOptions,
  type RpcTarget,
  type RpcTransportWithCustomEncoding,
  WebSocketTransport,
} from "capnweb";
import { MiniSphereError } from "../../contracts/errors.ts";
import { malformed } from "../access/wire-errors.ts";
import type { SessionBudget } from "./budget.ts";
import { messageOf } from "./messages.ts";

/** Accepts a WebSocket and runs a session on it for as long as the peer stays. */
export function acceptSocket(
  root: RpcTarget,
  budget: SessionBudget,
  options: RpcSessionOptions,
): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  const session = new RpcSession(new SocketTransport(server, budget), root, options);
  // The session lives by its socket; what it could ask of the peer is of no use here.
  void session;
  return new Response(null, { status: 101, webSocket: client });
}

/** capnweb's transport, with every message looked through before the session acts on it. */
class SocketTransport implements RpcTransportWithCustomEncoding {
  readonly encodingLevel = "jsonCompatible";
  readonly #frames: WebSocketTransport;

  readonly #budget: SessionBudget;

  constructor(socket: WebSocket, budget: SessionBudget) {
    this.#budget = budget;
    this.#frames = new WebSocketTransport(socket);
  }

  send(message: unknown): void {
    const text = JSON.stringify(message);
    this.#budget.spend(text.length);
    this.#frames.send(text);
  }

  async receive(): Promise<unknown> {
    const text: unknown = await this.#frames.receive();
    if (typeof text === "string") this.#budget.receive(text.length);
    return messageOf(text);
  }

  /** The reason goes into the close frame, where capnweb's own words have no place ([ERR-2]). */
  abort(reason: unknown): void {
    this.#frames.abort(reason instanceof MiniSphereError ? reason : malformed());
  }
}
