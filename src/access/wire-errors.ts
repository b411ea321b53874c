import {
  type ErrorCode,
  forbiddenMethod,
  hasErrorCode,
  invalidInput,
  MiniSphereError,
} from "../../contracts/errors.ts";
import { METHODS } from "../../contracts/inputs.ts";

/*
 * What may leave the Worker when something fails ([ERR-2]): a code of the closed set, one sentence, plain
 * details. Everything else stays in the log, under the request id that the caller gets.
 */

/** What failed: a method of the surface and the hash of a workspace, each null where there is none. */
export interface FailedCall {
  method: string | null;
  workspace: string | null;
}

/** One structured line for the operator ([ERR-4]). Never sent to a caller. */
export interface FailureReport extends FailedCall {
  event: "call_failed";
  /** The id that the caller of an `internal` error is told. */
  requestId: string;
  code: ErrorCode;
  /** Of what is not an error of the contract: what it was and where, without its words. */
  error?: string;
}

export type ReportFailure = (report: FailureReport) => void;

/** Errors that have been reported: each goes through here once more on its way to the peer. */
const reported = new WeakSet<object>();

/** The error of a failed call, as its caller may see it. Reports it, once. */
export function callError(
  error: unknown,
  call: FailedCall,
  report: ReportFailure,
): MiniSphereError {
  if (error instanceof MiniSphereError && reported.has(error)) return error;
  const requestId = crypto.randomUUID();
  const seen = asSeen(error, requestId);
  const { code } = seen;
  const foreign = hasErrorCode(error) ? {} : { error: describe(error) };
  report({ event: "call_failed", requestId, ...call, code, ...foreign });
  reported.add(seen);
  return seen;
}

function asSeen(error: unknown, requestId: string): MiniSphereError {
  // Rebuilt, because an error that crossed from the object carries more: `durableObjectId`, `remote`.
  if (hasErrorCode(error)) return new MiniSphereError(error.code, error.message, detailsOf(error));
  if (isPassing(error)) return new MiniSphereError("unavailable", BUSY);
  return new MiniSphereError(
    "internal",
    `Something failed here; quote the request id ${requestId}.`,
    { requestId },
  );
}

/**
 * For capnweb's option `onSendError`: sees every error on its way to a peer. Errors of calls come through
 * `callError` before; what is left is capnweb's own, which has no codes, only sentences.
 */
export function onSendError(report: ReportFailure): (error: Error) => Error {
  return (error) => {
    const known = hasErrorCode(error) ? null : peerFault(error);
    // The end of a connection is no call.
    if (known?.code === "unavailable") return withoutStack(known);
    const method = calledMethod(known ?? error);
    return withoutStack(callError(known ?? error, { method, workspace: null }, report));
  };
}

/** The method that a refusal names, if it is one of ours: any other word is the caller's, and not to be kept. */
function calledMethod(error: Error): string | null {
  const { method } = detailsOf(error);
  return METHODS.find((known) => known === method) ?? null;
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

/** Where a stack says that something happened; what it says happened may quote what was being worked on. */
const FRAME = /^\s+at .*:\d+:\d+\)?$/;
const FRAMES = 8;

/** The kind of an error, SQLite's code for it and where it happened, without its message. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const [code = ""] = /\bSQLITE_[A-Z_]+(?=\W*$)/.exec(error.message) ?? [];
  const frames = (error.stack ?? "")
    .replace(error.message, "")
    .split("\n")
    .filter((line) => FRAME.test(line))
    .slice(0, FRAMES);
  return [`${error.name} ${code}`.trim(), ...frames].join("\n");
}
