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

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Runs a command to its end: its exit code, or the sentence of its error on stderr, never a stack. */
export async function runCommand(main: () => Promise<ExitCode>): Promise<void> {
  // `sphere … | head` closes the pipe early; that is the reader's right and not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed);
  });
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(sentenceOf(error));
    process.exitCode = exitCodeOf(error);
  }
}
