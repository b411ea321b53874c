import { join } from "node:path";
import { Command, CommanderError } from "commander";
import { hasErrorCode } from "../../contracts/errors.ts";
import { CliError, EXIT, type ExitCode, exitCodeOf } from "./exit.ts";

/** The root of the package, wherever the command is called from. */
export const ROOT = join(import.meta.dirname, "../..");

/** A program whose refusals are thrown, so that `run` alone decides the exit code. */
export function createProgram(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .exitOverride()
    .showHelpAfterError(`Say \`npm run ${name} -- --help\` for all options.`)
    .configureHelp({ showGlobalOptions: true });
}

/** Runs a command line to its end; errors become one sentence on stderr, never a stack. */
export async function run(program: Command): Promise<void> {
  // `sphere … | head` closes the pipe early; that is the reader's right and not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed);
  });
  try {
    await program.parseAsync(withOptionNames(program, process.argv));
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** The contract's names are options too: `--topK 5` is `--top-k 5`. All else stays as it is written. */
function withOptionNames(program: Command, argv: readonly string[]): string[] {
  const flags = new Map(
    [program, ...program.commands].flatMap(({ options }) =>
      options.map((option) => [`--${option.attributeName()}`, option.long]),
    ),
  );
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  return argv.map((argument, index) => {
    const name = argument.replace(/=.*$/s, "");
    const flag = index < end ? flags.get(name) : undefined;
    return flag ? flag + argument.slice(name.length) : argument;
  });
}

function report(error: unknown): ExitCode {
  if (error instanceof CommanderError) {
    // commander has printed its own sentence, or the help that was asked for.
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  const known = error instanceof CliError || hasErrorCode(error);
  const sentence = error instanceof Error ? error.message : String(error);
  console.error(known ? sentence : `Unexpected: ${sentence}`);
  return exitCodeOf(error);
}
