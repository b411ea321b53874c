import type { RpcTransport } from "capnweb";
import type { MiniSphereError } from "../../contracts/errors.ts";
import { connectionClosed, connectionLost, unreachable } from "./connection-errors.ts";

/** What is used of a WebSocket; the standard class and the common packages have it. */
export interface WebSocketLike {
  send(message: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(
    type: "open" | "message" | "close" | "error",
    listener: (event: { data?: unknown }) => void,
  ): void;
}

export type WebSocketClass = new (url: string) => WebSocketLike;

/** One session over one socket. capnweb's own transport needs a global WebSocket, which Node 20 lacks. */
export class SocketTransport implements RpcTransport {
  readonly #url: URL;
  readonly #socket: WebSocketLike;
  readonly #opened: Promise<void>;
  readonly #inbox: string[] = [];
  #failure: MiniSphereError | null = null;
  /** Lets a waiting `receive` look again. */
  #wake = () => {};

  constructor(Socket: WebSocketClass, url: URL) {
    this.#url = url;
    this.#socket = new Socket(url.href.replace(/^http/, "ws"));
    this.#opened = new Promise((resolve) => {
      this.#socket.addEventListener("open", () => resolve());
    });
    let reached = false;
    void this.#opened.then(() => {
      reached = true;
    });
    const lost = () => this.#fail(reached ? connectionLost(url) : unreachable(url));
    this.#socket.addEventListener("error", lost);
    this.#socket.addEventListener("close", lost);
    this.#socket.addEventListener("message", ({ data }) => {
      this.#inbox.push(String(data));
      this.#wake();
    });
  }

  /** True once nothing more can come through this socket. */
  get broken(): boolean {
    return this.#failure !== null;
  }

  /** Waits for the connection; one that never comes is reported by `receive`. */
  send(message: string): void {
    void this.#opened.then(() => {
      if (this.#failure === null) this.#socket.send(message);
    });
  }

  async receive(): Promise<string> {
    for (;;) {
      const message = this.#inbox.shift();
      if (message !== undefined) return message;
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** capnweb has ended the session, for a reason that every call in flight is told. */
  abort(): void {
    this.close();
  }

  close(): void {
    this.#fail(connectionClosed(this.#url));
    this.#socket.close();
  }

  #fail(failure: MiniSphereError): void {
    this.#failure ??= failure;
    this.#wake();
  }
}
