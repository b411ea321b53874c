import { ERROR_CODES, type ErrorCode, MiniSphereError } from "../../contracts/errors.ts";

export function unreachable(url: URL): MiniSphereError {
  return unavailable(`Cannot reach mini-sphere at ${url.href}; is it running there?`, url);
}

export function unanswered(url: URL): MiniSphereError {
  const sentence = `Cannot reach mini-sphere at ${url.href}, or its answer was lost: a write may have been done, so look before repeating it.`;
  return unavailable(sentence, url);
}

export function connectionLost(url: URL): MiniSphereError {
  const sentence = `The connection to ${url.href} was lost; the next call opens another. A write in flight may have been done, so look before repeating it.`;
  return unavailable(sentence, url);
}

export function noAnswer(url: URL, timeoutMs: number): MiniSphereError {
  const sentence = `${url.href} did not answer within ${timeoutMs} ms; the call may still be done, so look before repeating a write.`;
  return unavailable(sentence, url);
}

export function answerLost(url: URL): MiniSphereError {
  const sentence = `The answer of ${url.href} broke off; its calls may have been done, so look before repeating one.`;
  return unavailable(sentence, url);
}

export function connectionClosed(url: URL): MiniSphereError {
  return unavailable(`The connection to ${url.href} was closed by close(); connect again.`, url);
}

export function batchOver(url: URL): MiniSphereError {
  const sentence = `The batch to ${url.href} was answered already; use its results in the same tick.`;
  return unavailable(sentence, url);
}

/** What the Worker said when it refused the request as a whole, or that something else answered. */
export async function refusalOf(response: Response, url: URL): Promise<MiniSphereError> {
  const body: unknown = await response.json().catch(() => null);
  const { error } = Object(body) as { error?: unknown };
  const { code, message, details } = Object(error) as Record<string, unknown>;
  if (!(ERROR_CODES as readonly unknown[]).includes(code)) {
    return unavailable(
      `${url.href} answered ${response.status}, and not as mini-sphere does.`,
      url,
    );
  }
  return new MiniSphereError(code as ErrorCode, String(message), Object(details));
}

function unavailable(message: string, url: URL): MiniSphereError {
  return new MiniSphereError("unavailable", message, { url: url.href });
}
