import { type AddressInfo, connect as connectTcp, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect, type ConnectOptions } from "../../src/client/index.ts";
import { freshWorkspace, startWorkers, tokenFor } from "./workers.ts";

/** A wire to the Worker that can be cut, and that can keep its answers back. */
class Wire {
  readonly #sockets = new Set<Socket>();
  readonly #server;
  #keepsAnswers = false;
  #kept: (() => void) | null = null;
  connections = 0;

  constructor(port: number) {
    this.#server = createServer((near) => {
      this.connections += 1;
      const far = connectTcp(port, "127.0.0.1");
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined).on("close", () => [near, far].map((s) => s.destroy()));
      }
      near.pipe(far);
      far.on("data", (bytes) => {
        if (!this.#keepsAnswers) near.write(bytes);
        else this.#kept?.();
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on answers are lost; resolves when the first one is. */
  keepAnswers(): Promise<void> {
    this.#keepsAnswers = true;
    return new Promise((resolve) => {
      this.#kept = resolve;
    });
  }

  repair(): void {
    this.#keepsAnswers = false;
    this.#kept = null;
  }

  /** Ends all connections; new ones work. */
  cut(): void {
    this.repair();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close(): Promise<void> {
    this.cut();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

let workers: Awaited<ReturnType<typeof startWorkers>>;
let wire: Wire;
let url: string;

beforeAll(async () => {
  workers = await startWorkers();
  wire = new Wire(Number(new URL(workers.url).port));
  url = await wire.listen();
});

afterEach(() => wire.repair());

afterAll(async () => {
  await wire.close();
  await workers.close();
});

async function connected(options: Partial<ConnectOptions>) {
  const memory = connect({ url, token: await tokenFor(freshWorkspace()), ...options });
  onTestFinished(() => memory.close());
  return memory;
}

describe.each(["websocket", "batch"] as const)("over a %s", (transport) => {
  it("[WIR-6] a stub and what it handed on go on after the connection was lost", async () => {
    const memory = await connected({ transport });
    const reader = memory.readOnly();
    const { id } = await memory.capture("Sparrows build nests.");
    await reader.getCount();
    wire.cut();
    expect((await reader.getEntry(id)).content).toBe("Sparrows build nests.");
    expect(await memory.getCount()).toBe(1);
  });

  it("[WIR-7] a read whose answer was lost is made again", async () => {
    const memory = await connected({ transport });
    await memory.capture("Sparrows build nests.");
    const lost = wire.keepAnswers();
    const reading = memory.getCount();
    await lost;
    wire.cut();
    expect(await reading).toBe(1);
  });

  it("[WIR-7] a write whose answer was lost is not made again, and the error says why", async () => {
    const memory = await connected({ transport });
    await memory.getCount();
    const lost = wire.keepAnswers();
    const writing = memory.capture("Once.");
    const outcome = writing.then(
      () => null,
      (error: unknown) => error,
    );
    await lost;
    wire.cut();
    expect(await outcome).toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/may have been done/) as string,
    });
    expect(await memory.getCount()).toBe(1);
  });

  it("[WIR-7] a call without an answer ends at its time, and the next one has its own", async () => {
    const memory = await connected({ transport });
    await memory.getCount();
    void wire.keepAnswers();
    await expect(memory.with({ timeoutMs: 5 }).getCount()).rejects.toMatchObject({
      code: "unavailable",
      message: `${url}/rpc did not answer within 5 ms; the call may still be done, so look before repeating a write.`,
    });
    wire.cut();
    expect(await memory.getCount()).toBe(0);
  });

  it("[WIR-7] an aborted call rejects with the reason of its signal", async () => {
    const memory = await connected({ transport });
    await memory.getCount();
    const controller = new AbortController();
    const lost = wire.keepAnswers();
    const reading = memory.with({ signal: controller.signal }).getCount();
    await lost;
    controller.abort(new Error("The agent was stopped."));
    await expect(reading).rejects.toThrow("The agent was stopped.");
  });

  it("[WIR-7] a call with an aborted signal is not sent", async () => {
    const memory = await connected({ transport });
    const signal = AbortSignal.abort(new Error("Too late."));
    await expect(memory.with({ signal }).capture("x")).rejects.toThrow("Too late.");
    expect(await memory.getCount()).toBe(0);
  });

  it("[WIR-6] closing ends the attempts", async () => {
    const memory = await connected({ transport, retries: 10 });
    await memory.getCount();
    const lost = wire.keepAnswers();
    const reading = memory.getCount();
    await lost;
    memory.close();
    wire.cut();
    const { connections } = wire;
    await expect(reading).rejects.toMatchObject({ code: "unavailable" });
    await expect(memory.getCount()).rejects.toMatchObject({ code: "unavailable" });
    expect(wire.connections).toBe(connections);
  });
});

it.each([{ timeoutMs: 0 }, { timeoutMs: 1.5 }, { retries: -1 }, { retries: 11 }])(
  "refuses %j",
  (options) => {
    expect(() => connect({ url: "http://sphere", token: "x", ...options })).toThrow(
      /must be a whole number from/,
    );
  },
);
