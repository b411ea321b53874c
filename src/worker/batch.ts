import { RpcSession, type RpcTarget, type RpcSessionOptions } from "capnweb";
import type { RpcTransportWithCustomEncoding } from "capnweb";
import { malformed } from "../access/wire-errors.ts";

/** What a batch may ask for. The rest needs a peer that can still answer, and would wait for ever. */
const ASKED = new Set<unknown>(["push", "pull", "release"]);
const ANSWERED = new Set<unknown>(["resolve", "reject", "release", "abort"]);

/**
 * One Cap'n Web batch: its messages in, one JSON text each, the answers out. capnweb's own helper waits for
 * promises and pipes that the caller will never fulfil, because the request is over; here they are refused.
 *
 * @throws whatever ended the session early: the batch was not of the protocol.
 */
export async function answerBatch(
  messages: readonly string[],
  root: RpcTarget,
  options: RpcSessionOptions,
): Promise<string> {
  const transport = new BatchTransport(messages);
  const session = new RpcSession(transport, root, options);
  await transport.received;
  await session.drain();
  return transport.answers.join("\n");
}

class BatchTransport implements RpcTransportWithCustomEncoding {
  readonly encodingLevel = "jsonCompatible";
  readonly answers: string[] = [];
  readonly #messages: Iterator<string>;
  readonly #received = Promise.withResolvers<void>();

  constructor(messages: readonly string[]) {
    this.#messages = messages.values();
  }

  /** Settles when every message was taken; rejects when the session ended before. */
  get received(): Promise<void> {
    return this.#received.promise;
  }

  send(message: unknown): void {
    if (!ANSWERED.has(kindOf(message))) throw malformed();
    this.answers.push(JSON.stringify(message));
  }

  async receive(): Promise<unknown> {
    const next = this.#messages.next();
    if (next.done) {
      this.#received.resolve();
      return new Promise<never>(() => {});
    }
    const message: unknown = JSON.parse(next.value);
    if (!ASKED.has(kindOf(message))) throw malformed();
    return message;
  }

  abort(reason: unknown): void {
    this.#received.reject(reason);
  }
}

function kindOf(message: unknown): unknown {
  return Array.isArray(message) ? message[0] : undefined;
}
