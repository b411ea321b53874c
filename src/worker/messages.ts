import { invalidInput, limitExceeded, MiniSphereError } from "../../contracts/errors.ts";
import { malformed } from "../access/wire-errors.ts";

/*
 * The part of Cap'n Web that a session takes: calls, pipelined on each other. It leaves out what lets a small
 * message cost without bound, before anyone has authenticated (maps in maps, values that repeat each other),
 * and what a batch would wait for in vain (promises and pipes of a peer that is gone).
 */

/** Characters of one message. */
const MAX_MESSAGE = 8_000_000;

/**
 * One message of a peer, parsed.
 *
 * @throws MiniSphereError `invalid_input` or `limit_exceeded`; either ends the session.
 */
export function messageOf(text: unknown): unknown[] {
  if (typeof text !== "string") throw malformed();
  if (text.length > MAX_MESSAGE) throw TOO_LARGE;
  try {
    const message: unknown = JSON.parse(text);
    if (!Array.isArray(message) || !TAKEN.has(message[0])) throw malformed();
    refuseUntaken(message);
    if (message[0] === "push" && kindOf(message[1]) !== "pipeline") throw malformed();
    return message;
  } catch (error) {
    // Not JSON, or too deep to be looked through.
    throw error instanceof MiniSphereError ? error : malformed();
  }
}

const TAKEN = new Set<unknown>(["push", "pull", "release", "abort"]);

/** Looks through an expression of the protocol, which is JSON with special values written as arrays. */
function refuseUntaken(expression: unknown): void {
  if (typeof expression !== "object" || expression === null) return;
  if (!Array.isArray(expression)) return Object.values(expression).forEach(refuseUntaken);
  const kind = kindOf(expression);
  if (kind === "promise") throw NO_PROMISE;
  if (kind === "remap") throw NO_MAP;
  const written = WRITTEN_AS.get(kind);
  if (written !== undefined && !written.test(String(expression[1]))) throw malformed();
  // An array that stands for itself is wrapped in another one; the arguments of a call are not.
  const [first, , , args] = expression;
  const parts = Array.isArray(first) ? first : kind === "pipeline" ? args : expression;
  if (Array.isArray(parts)) parts.forEach(refuseUntaken);
}

/** Values whose text capnweb hands to a parser of the runtime, which throws errors of its own. */
const WRITTEN_AS = new Map<unknown, RegExp>([
  ["bigint", /^-?\d{1,1000}$/],
  ["bytes", /^(?:[\w+/-]{4})*(?:[\w+/-]{2,3}={0,2})?$/],
]);

function kindOf(expression: unknown): unknown {
  return Array.isArray(expression) ? expression[0] : undefined;
}

const TOO_LARGE = limitExceeded(
  `The message is over ${MAX_MESSAGE} characters; send fewer or smaller values at once.`,
  { maxChars: MAX_MESSAGE },
);
const NO_PROMISE = invalidInput(
  "A call cannot carry a promise of its caller; await it and send its value.",
);
const NO_MAP = invalidInput("A session takes no map(); call the method for each value.");
