import {
  RpcSession,
  type RpcSessionOptions,
  type RpcTarget,
  type RpcTransportWithCustomEncoding,
  WebSocketTransport,
} from "capnweb";
import { MiniSphereError } from "../../contracts/errors.ts";
import { malformed } from "../access/wire-errors.ts";
import { messageOf } from "./messages.ts";

/** Accepts a WebSocket and runs a session on it for as long as the peer stays. */
export function acceptSocket(root: RpcTarget, options: RpcSessionOptions): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  const session = new RpcSession(new SocketTransport(server), root, options);
  // The session lives by its socket; what it could ask of the peer is of no use here.
  void session;
  return new Response(null, { status: 101, webSocket: client });
}

/** capnweb's transport, with every message looked through before the session acts on it. */
class SocketTransport implements RpcTransportWithCustomEncoding {
  readonly encodingLevel = "jsonCompatible";
  readonly #frames: WebSocketTransport;

  constructor(socket: WebSocket) {
    this.#frames = new WebSocketTransport(socket);
  }

  send(message: unknown): void {
    this.#frames.send(JSON.stringify(message));
  }

  async receive(): Promise<unknown> {
    return messageOf(await this.#frames.receive());
  }

  /** The reason goes into the close frame, where capnweb's own words have no place ([ERR-2]). */
  abort(reason: unknown): void {
    this.#frames.abort(reason instanceof MiniSphereError ? reason : malformed());
  }
}
