import {
  forbiddenMethod,
  hasErrorCode,
  invalidInput,
  MiniSphereError,
} from "../../contracts/errors.ts";

/*
 * What may leave the Worker when something fails ([ERR-2]): a code of the closed set, one sentence, plain
 * details. Everything else stays in the log, under the request id that the caller gets.
 */

/** One structured line for the operator. Never sent to a caller. */
export interface FailureReport {
  event: "internal_error";
  requestId: string;
  /** The method that was called; null when the session itself failed. */
  method: string | null;
  error: string;
}

export type ReportFailure = (report: FailureReport) => void;

/** The error of a failed call to the object, as its caller may see it. */
export function callError(
  error: unknown,
  method: string | null,
  report: ReportFailure,
): MiniSphereError {
  // Rebuilt, because an error that crossed from the object carries more: `durableObjectId`, `remote`.
  if (hasErrorCode(error)) return new MiniSphereError(error.code, error.message, detailsOf(error));
  if (isPassing(error)) return new MiniSphereError("unavailable", BUSY);
  const requestId = crypto.randomUUID();
  report({ event: "internal_error", requestId, method, error: describe(error) });
  return new MiniSphereError(
    "internal",
    `Something failed here; quote the request id ${requestId}.`,
    {
      requestId,
    },
  );
}

/**
 * For capnweb's option `onSendError`: sees every error on its way to a peer. Errors of calls come through
 * `callError` before; what is left is capnweb's own, which has no codes, only sentences.
 */
export function onSendError(report: ReportFailure): (error: Error) => Error {
  return (error) => {
    const known = hasErrorCode(error) ? null : peerFault(error);
    return withoutStack(known ?? callError(error, null, report));
  };
}

/** capnweb sends the stack of an error that this hook returns. */
function withoutStack(error: MiniSphereError): MiniSphereError {
  return Object.defineProperty(error, "stack", { value: undefined });
}

/** How capnweb 0.12 words what a peer did wrong. The tests drive each over a real session. */
const PEER_FAULTS: readonly [RegExp, (part: string) => MiniSphereError][] = [
  [/^'(.*)' is not a function\.$/s, missingMethod],
  [/^Attempted to access property '(.*)', which is an instance property/s, missingMethod],
  [/^Cannot read properties of undefined \(reading '(.*)'\)$/s, missingMethod],
  [/^Can't dup an RpcTarget stub as a promise/, notAValue],
  [/^Tried to resolve a non-promise stub/, notAValue],
  [
    /^(?:bad RPC message|no such (?:entry on exports table|export ID)|refcount would go)/,
    malformed,
  ],
  [
    /^(?:unknown special value|Unknown bytes type|Invalid byte length|Export \d+ is not)/,
    malformed,
  ],
  [/^Deserializ(?:ation exceeded|ed bigint exceeds) maximum/, malformed],
  [/^(?:Peer closed WebSocket|WebSocket connection failed)/, closed],
];

function peerFault(error: Error): MiniSphereError | null {
  for (const [phrase, fault] of PEER_FAULTS) {
    const match = phrase.exec(error.message);
    if (match !== null) return fault(match[1] ?? "");
  }
  return null;
}

/** The longest name of ours is far shorter: no caller gets back more than it needs to see its mistake. */
const NAME_CHARS = 64;

function missingMethod(name: string): MiniSphereError {
  return forbiddenMethod(name.slice(0, NAME_CHARS));
}

function notAValue(): MiniSphereError {
  return invalidInput("This is a capability, not a value: call one of its methods.");
}

export function malformed(): MiniSphereError {
  return invalidInput("The message is not one of the Cap'n Web protocol; the session is over.");
}

function closed(): MiniSphereError {
  return new MiniSphereError("unavailable", "The connection is closed; open a new session.");
}

const BUSY = "The workspace is busy or restarting; try again in a moment.";

/** What the platform says of an object that was reset, moved or overloaded. */
function isPassing(error: unknown): boolean {
  const { overloaded, retryable, durableObjectReset } = Object(error) as Record<string, unknown>;
  return overloaded === true || retryable === true || durableObjectReset === true;
}

function detailsOf(error: Error): Record<string, unknown> {
  const { details } = error as { details?: unknown };
  return typeof details === "object" && details !== null ? { ...details } : {};
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error);
}
