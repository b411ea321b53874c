/** The closed set of error codes (contract section 9). Clients match on `code` and on nothing else. */
export const ERROR_CODES = [
  "invalid_input",
  "unauthenticated",
  "forbidden",
  "not_found",
  "conflict",
  "limit_exceeded",
  "unavailable",
  "internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The one error class of the gadget. `code` and `details` are own properties because over Cap'n Web nothing
 * else of an error survives ([ERR-1]). `details` holds plain JSON data and never content of an entry.
 */
export class MiniSphereError extends Error {
  override readonly name = "MiniSphereError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** True for anything that carries one of our codes: the class itself, or what is left of it after a wire. */
export function hasErrorCode(error: unknown): error is Error & { code: ErrorCode } {
  return (
    error instanceof Error &&
    (ERROR_CODES as readonly unknown[]).includes((error as { code?: unknown }).code)
  );
}

export const invalidInput = (message: string, details?: ErrorDetails) =>
  new MiniSphereError("invalid_input", message, details);

export const notFound = (id: string) =>
  new MiniSphereError(
    "not_found",
    `No entry has the id "${id}"; recall and listRecent return ids that exist.`,
    { id },
  );

export const conflict = (message: string, details?: ErrorDetails) =>
  new MiniSphereError("conflict", message, details);

export const limitExceeded = (message: string, details?: ErrorDetails) =>
  new MiniSphereError("limit_exceeded", message, details);

export const forbidden = (message: string, details?: ErrorDetails) =>
  new MiniSphereError("forbidden", message, details);

/** One message for a method the role lacks and for a method that does not exist ([ACC-4]). */
export const forbiddenMethod = (method: string) =>
  forbidden(`This capability has no method "${method}".`, { method });

/** [ACC-14]; without a time, of a capability that was disposed ([ACC-15]). */
export const endedCapability = (until?: number) =>
  new MiniSphereError(
    "unauthenticated",
    until === undefined
      ? "This capability was disposed, or the one that it came from was; ask for a new one."
      : `This capability was good until ${until}; ask for a new one.`,
    until === undefined ? {} : { until },
  );
