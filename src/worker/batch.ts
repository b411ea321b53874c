import {
  RpcSession,
  type RpcSessionOptions,
  type RpcTarget,
  type RpcTransportWithCustomEncoding,
} from "capnweb";
import { invalidInput, MiniSphereError } from "../../contracts/errors.ts";
import { malformed } from "../access/wire-errors.ts";
import { Refusal } from "./http.ts";

/** All that a batch can ask for. The rest is for peers that stay connected. */
const ASKED = new Set<unknown>(["push", "pull", "release"]);

/**
 * One Cap'n Web batch: its messages in, one JSON text each, the answers out in the same form. Unlike capnweb's
 * own helper it refuses what only a connected caller could fulfil (promises, pipes): that one waits for ever,
 * and the runtime then kills the request as hung.
 *
 * @throws Refusal 400 when the batch is not of the protocol.
 */
export async function answerBatch(
  messages: readonly string[],
  root: RpcTarget,
  options: RpcSessionOptions,
): Promise<string> {
  const transport = new BatchTransport(messages);
  const session = new RpcSession(transport, root, options);
  try {
    await transport.received;
    await session.drain();
  } catch (error) {
    throw new Refusal(400, senderFault(error));
  }
  return transport.answers.map((answer) => JSON.stringify(answer)).join("\n");
}

class BatchTransport implements RpcTransportWithCustomEncoding {
  readonly encodingLevel = "jsonCompatible";
  readonly answers: unknown[] = [];
  /** Settles when every message was taken; rejects when the session ended before that. */
  readonly received: Promise<void>;
  readonly #messages: Iterator<string>;
  readonly #settle: { resolve: () => void; reject: (reason: unknown) => void };

  constructor(messages: readonly string[]) {
    const { promise, ...settle } = Promise.withResolvers<void>();
    this.received = promise;
    this.#settle = settle;
    this.#messages = messages.values();
  }

  send(message: unknown): void {
    this.answers.push(message);
  }

  async receive(): Promise<unknown> {
    const next = this.#messages.next();
    if (next.done === true) {
      this.#settle.resolve();
      return new Promise<never>(() => {});
    }
    return parsed(next.value);
  }

  abort(reason: unknown): void {
    this.#settle.reject(reason);
  }
}

function parsed(text: string): unknown[] {
  try {
    const message: unknown = JSON.parse(text);
    if (!Array.isArray(message) || !ASKED.has(message[0])) throw malformed();
    if (message.some(awaitsCaller)) throw NOT_KEPT;
    return message;
  } catch (error) {
    throw senderFault(error);
  }
}

const NOT_KEPT = invalidInput(
  "A batch cannot carry a promise of its caller; await it and send its value.",
);

/** Calls fail inside the answer; what ends the session itself is always something that the sender wrote. */
function senderFault(error: unknown): MiniSphereError {
  return error instanceof MiniSphereError ? error : malformed();
}

/** Whether an expression of the protocol holds a promise that its sender would have to resolve later. */
function awaitsCaller(expression: unknown): boolean {
  if (typeof expression !== "object" || expression === null) return false;
  if (!Array.isArray(expression)) return Object.values(expression).some(awaitsCaller);
  const [kind] = expression;
  // An array that stands for itself is wrapped in another one.
  if (Array.isArray(kind)) return kind.some(awaitsCaller);
  if (kind === "promise") return true;
  // Here the fourth part is the plain list of arguments, in which "promise" is only a word.
  if (kind === "pipeline") return Array.isArray(expression[3]) && expression[3].some(awaitsCaller);
  return expression.some(awaitsCaller);
}
