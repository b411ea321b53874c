import {
  RpcSession,
  type RpcSessionOptions,
  type RpcTarget,
  type RpcTransportWithCustomEncoding,
} from "capnweb";
import { MiniSphereError } from "../../contracts/errors.ts";
import { malformed } from "../access/wire-errors.ts";
import type { SessionBudget } from "./budget.ts";
import { Refusal } from "./http.ts";
import { messageOf } from "./messages.ts";

/**
 * One Cap'n Web batch: its messages in, one JSON text each, the answers out in the same form.
 *
 * @throws Refusal 400 when the batch is not one that a session takes.
 */
export async function answerBatch(
  messages: readonly string[],
  root: RpcTarget,
  budget: SessionBudget,
  options: RpcSessionOptions,
): Promise<string> {
  const transport = new BatchTransport(messages, budget);
  const session = new RpcSession(transport, root, options);
  try {
    await transport.received;
    await session.drain();
  } catch (error) {
    // Calls fail inside the answer; what ends the session itself is always something that the sender wrote.
    throw new Refusal(400, error instanceof MiniSphereError ? error : malformed());
  }
  return transport.answers.join("\n");
}

class BatchTransport implements RpcTransportWithCustomEncoding {
  readonly encodingLevel = "jsonCompatible";
  /** JSON texts. */
  readonly answers: string[] = [];
  /** Settles when every message was taken; rejects when the session ended before that. */
  readonly received: Promise<void>;
  readonly #messages: Iterator<string>;
  readonly #settle: { resolve: () => void; reject: (reason: unknown) => void };

  readonly #budget: SessionBudget;

  constructor(messages: readonly string[], budget: SessionBudget) {
    this.#budget = budget;
    const { promise, ...settle } = Promise.withResolvers<void>();
    this.received = promise;
    this.#settle = settle;
    this.#messages = messages.values();
  }

  send(message: unknown): void {
    const text = JSON.stringify(message);
    this.#budget.spend(text.length);
    this.answers.push(text);
  }

  async receive(): Promise<unknown> {
    const next = this.#messages.next();
    if (next.done !== true) {
      this.#budget.receive(next.value.length);
      return messageOf(next.value);
    }
    this.#settle.resolve();
    return new Promise<never>(() => {});
  }

  abort(reason: unknown): void {
    this.#settle.reject(reason);
  }
}
