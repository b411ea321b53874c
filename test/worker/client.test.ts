import { describe, expect, it } from "vitest";
import { connect } from "../../src/client/index.ts";
import type { WebSocketClass, WebSocketLike } from "../../src/client/socket-transport.ts";
import { freshWorkspace, openSocket, tokenFor } from "./wire.ts";

/** A class whose instances are a socket to the Worker under test, which no address leads to. */
async function socketClass(): Promise<WebSocketClass> {
  const socket = await openSocket();
  return class implements WebSocketLike {
    send(message: string) {
      socket.send(message);
    }
    close(code?: number, reason?: string) {
      socket.close(code, reason);
    }
    addEventListener(...[type, listener]: Parameters<WebSocketLike["addEventListener"]>) {
      if (type === "open") queueMicrotask(() => listener({}));
      else socket.addEventListener(type, listener as (event: Event) => void);
    }
  };
}

describe("the client inside the runtime", () => {
  it("[WIR-5] speaks over a WebSocket", async () => {
    using memory = connect({
      url: "http://sphere",
      token: await tokenFor(freshWorkspace()),
      WebSocket: await socketClass(),
    });
    const { id } = await memory.capture("Written by a Worker.");
    expect((await memory.readOnly().getEntry(id)).content).toBe("Written by a Worker.");
    await expect(memory.getEntry("00000000")).rejects.toMatchObject({ code: "not_found" });
  });

  it("[WIR-5] is unavailable when the Worker ends the connection", async () => {
    const Socket = await socketClass();
    const memory = connect({ url: "http://sphere", token: "bad", WebSocket: Socket });
    await expect(memory.getCount()).rejects.toMatchObject({ code: "unauthenticated" });
    memory.close();
    await expect(memory.getCount()).rejects.toMatchObject({ code: "unavailable" });
  });
});
