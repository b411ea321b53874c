import type { RpcTransport } from "capnweb";
import {
  answerLost,
  batchOver,
  connectionClosed,
  refusalOf,
  unanswered,
  unreachable,
} from "./connection-errors.ts";

/** Gathers the messages of one tick, posts them as one request, and hands out the answers. */
export class BatchTransport implements RpcTransport {
  readonly #url: URL;
  #outgoing: string[] = [];
  readonly #answers: Promise<string[]>;

  /** `onSend` is told when the batch goes out; calls after that belong to the next one. */
  constructor(url: URL, onSend: () => { closed: boolean }) {
    this.#url = url;
    this.#answers = this.#exchange(onSend);
    // A failure reaches the caller through `receive`; this only says that it is looked after.
    this.#answers.catch(() => undefined);
  }

  send(message: string): void {
    this.#outgoing.push(message);
  }

  async receive(): Promise<string> {
    const answer = (await this.#answers).shift();
    // All that was asked is answered, so only a call on a result of this batch can still be waiting.
    if (answer === undefined) throw batchOver(this.#url);
    return answer;
  }

  async #exchange(onSend: () => { closed: boolean }): Promise<string[]> {
    await endOfTick();
    const { closed } = onSend();
    if (closed) throw connectionClosed(this.#url);
    const messages = this.#outgoing.splice(0);
    const response = await post(this.#url, messages.join("\n"));
    if (!response.ok) throw await refusalOf(response, this.#url);
    const body = await response.text().catch(() => Promise.reject(answerLost(this.#url)));
    return body === "" ? [] : body.split("\n");
  }
}

function post(url: URL, body: string): Promise<Response> {
  return fetch(url.href, { method: "POST", body }).catch((error: unknown) => {
    throw neverSent(error) ? unreachable(url) : unanswered(url);
  });
}

/** Only Node says so; elsewhere a request that failed may have arrived. */
function neverSent(error: unknown): boolean {
  const { code } = Object(Object(error).cause) as { code?: unknown };
  return code === "ECONNREFUSED" || code === "ENOTFOUND";
}

function endOfTick(): Promise<void> {
  const { setImmediate = setTimeout } = globalThis as { setImmediate?: (run: () => void) => void };
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
