/** Bytes that JavaScript holds, buffers included. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize: number;
  backingStorageSize: number;
}

/** V8's inspector of a running workerd, for the one question that a Worker cannot answer itself. */
export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
      if (id !== undefined) this.#waiting.get(id)?.(result);
    });
  }

  static async attach(url: URL): Promise<Inspector> {
    const address = new URL("/ws", url);
    address.protocol = "ws:";
    // Only a local page may inspect. (Headers are Node's own addition to WebSocket.)
    const options = { headers: { Origin: "http://localhost" } };
    const socket = new WebSocket(address, options as never);
    const { promise, resolve, reject } = Promise.withResolvers<Event>();
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
    await promise;
    return new Inspector(socket);
  }

  async heapBytes(): Promise<number> {
    const usage = await this.#ask<HeapUsage>("Runtime.getHeapUsage");
    return usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize;
  }

  close(): void {
    this.#socket.close();
  }

  #ask<T>(method: string): Promise<T> {
    const id = this.#waiting.size + 1;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method }));
    return promise as Promise<T>;
  }
}
