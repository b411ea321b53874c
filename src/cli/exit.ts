import { type ErrorCode, hasErrorCode } from "../../contracts/errors.ts";

/** The exit codes of every command here; scripts may rely on them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  unavailable: 5,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A refusal for people: one sentence that says what was wrong and what would be right. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, sentence: string) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

export const usageError = (sentence: string) => new CliError(EXIT.usage, sentence);

const EXIT_BY_CODE: Readonly<Record<ErrorCode, ExitCode>> = {
  invalid_input: EXIT.usage,
  not_found: EXIT.notFound,
  unauthenticated: EXIT.refused,
  forbidden: EXIT.refused,
  unavailable: EXIT.unavailable,
  conflict: EXIT.failed,
  limit_exceeded: EXIT.failed,
  internal: EXIT.failed,
};

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  return hasErrorCode(error) ? EXIT_BY_CODE[error.code] : EXIT.failed;
}
