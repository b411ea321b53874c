import { text as readAll } from "node:stream/consumers";
import { type Command, Option } from "commander";
import type { MiniSphereApi } from "../../contracts/api.ts";
import type { Arguments } from "../../contracts/inputs.ts";
import { CLAIM_TAGS, KINDS, STATUSES, VOLATILITIES } from "../../contracts/vocabulary.ts";
import { exportTo } from "./export.ts";
import { FORMATS } from "../importers/index.ts";
import { type ImportFlags, importFrom, showImport } from "./import-from.ts";
import { fireTick } from "./maintain.ts";
import { createProgram, run } from "./program.ts";
import { DEFAULT_PORT, DEMO, inSession, type SessionOptions } from "./session.ts";
import { showCaptured, showEntries, showEntry, showRecall } from "./show/entries.ts";
import { showChanges } from "./show/changes.ts";
import { showTick } from "./show/tick.ts";
import { showBrief, showStats } from "./show/summaries.ts";
import { collect, integer, timeMs } from "./values.ts";

const WIDTH = { default: 100, min: 50, max: 120 } as const;

const program = createProgram(
  "sphere",
  "Asks a running workspace memory, for people and for checks.",
);
addRecall(command("recall <query>", "finds what the workspace knows about the words"));
addCapture(command("capture <content>", "remembers a text; - reads it from standard input"));
addBrief(command("brief", "what to read first when picking up work"));
addRecent(command("recent", "what was captured last"));
addEntry(command("entry <id>", "everything about one entry, whole"));
addChanges(command("changes", "what happened since a time, by entry"));
command("stats", "counts, sizes and use").action((options: CommonOptions) =>
  answer(options, (sphere) => sphere.getStats(), showStats),
);
addImport(command("import <path>", "adds what another tool's files say; again adds nothing"));
addExport(
  command(
    "export [file]",
    "everything in the workspace as NDJSON; without a file, to standard output",
  ),
);
addMaintain();
await run(program);

interface CommonOptions extends SessionOptions {
  json?: true;
}

function command(usage: string, description: string): Command {
  return program
    .command(usage)
    .description(description)
    .option("--workspace <name>", "the workspace to open", DEMO)
    .addOption(urlOption())
    .addOption(
      new Option("--token <token>", "a session token; it names its own workspace").env(
        "SPHERE_TOKEN",
      ),
    )
    .option("--json", "print the result object and nothing else");
}

function urlOption(): Option {
  return new Option("--url <url>", "where it answers")
    .env("SPHERE_URL")
    .default(`http://127.0.0.1:${process.env["PORT"] || DEFAULT_PORT}`);
}

type RecallOptions = NonNullable<Arguments<"recall">[1]>;

function addRecall(recall: Command): void {
  recall
    .option("--top-k <n>", "how many hits, 1 to 50", integer)
    .option("--tag <tag>", "only entries with this tag")
    .addOption(new Option("--kind <kind>", "only entries of this kind").choices(KINDS))
    .addOption(new Option("--status <status>", "only entries of this status").choices(STATUSES))
    .option("--hops <n>", "how far to follow edges, 0 to 3", integer)
    .option("--since <time>", "what happened at or after", (text) => timeMs(text))
    .option("--until <time>", "what happened at or before", (text) => timeMs(text, "last"))
    .option("--as-of <time>", "how things stood then", (text) => timeMs(text, "last"))
    .option("--full", "whole texts")
    .option("--observe", "change nothing, recall counts included")
    .option("--include-inactive", "deprecated and superseded entries too")
    .option("--include-exhaust", "raw tool calls and machine-made entries too")
    .option("--explain", "how each hit came to its place")
    .action((query: string, options: CommonOptions & RecallOptions) =>
      answer(options, (sphere, rest) => sphere.recall(query, rest), showRecall),
    );
}

interface CaptureFlags extends CommonOptions, Omit<NonNullable<Arguments<"capture">[1]>, "tags"> {
  tag?: string[];
}

function addCapture(capture: Command): void {
  capture
    .option("--tag <tag>", "a tag; may be repeated", collect)
    .addOption(new Option("--kind <kind>", "what it is").choices(KINDS))
    .addOption(new Option("--status <status>", "how settled it is").choices(STATUSES))
    .addOption(new Option("--volatility <volatility>", "how fast it ages").choices(VOLATILITIES))
    .addOption(new Option("--claim-tag <claim>", "how sure it is").choices(CLAIM_TAGS))
    .option("--importance <n>", "1 to 5", integer)
    .option("--evidence-ref <reference>", "where the evidence is")
    .option("--source <source>", "where it comes from")
    .option("--occurred-at <time>", "when it happened", (text) => timeMs(text))
    .option("--expires-at <time>", "when it stops being so", (text) => timeMs(text, "last"))
    .action(async (given: string, { tag, ...options }: CaptureFlags) => {
      // The newline that ends a text file is not part of the text.
      const content = given === "-" ? (await readAll(process.stdin)).replace(/\r?\n$/, "") : given;
      return answer(
        options,
        (sphere, rest) => sphere.capture(content, { ...rest, ...(tag ? { tags: tag } : {}) }),
        showCaptured,
      );
    });
}

function addBrief(brief: Command): void {
  brief
    .option("--max-chars <n>", "how long its JSON may be", integer)
    .option("--since <time>", "changes from then on", (text) => timeMs(text))
    .option("--tag <tag>", "only entries with this tag")
    .option("--objective <words>", "what the work is about")
    .action((options: CommonOptions & NonNullable<Arguments<"getBrief">[0]>) =>
      answer(options, (sphere, rest) => sphere.getBrief(rest), showBrief),
    );
}

function addRecent(recent: Command): void {
  recent
    .option("--n <n>", "how many, 1 to 200", integer)
    .option("--tag <tag>", "only entries with this tag")
    .addOption(new Option("--kind <kind>", "only entries of this kind").choices(KINDS))
    .option("--cursor <cursor>", "where the last list ended")
    .action((options: CommonOptions & NonNullable<Arguments<"listRecent">[0]>) =>
      answer(options, (sphere, rest) => sphere.listRecent(rest), showEntries),
    );
}

function addEntry(entry: Command): void {
  entry
    .option("--as-of <time>", "as it was then", (text) => timeMs(text, "last"))
    .action((id: string, options: CommonOptions & { asOf?: number }) =>
      answer(options, (sphere, rest) => sphere.getEntry(id, rest), showEntry),
    );
}

function addChanges(changes: Command): void {
  changes
    .option("--since <time>", "from then on; 7 days back when not given", (text) => timeMs(text))
    .option("--actor <name>", "only what this actor did")
    .option("--tag <tag>", "only of entries with this tag")
    .option("--limit <n>", "how many changes, 1 to 200", integer)
    .option("--cursor <cursor>", "where the last list ended")
    .action((options: CommonOptions & NonNullable<Arguments<"changes">[0]>) =>
      answer(options, (sphere, rest) => sphere.changes(rest), showChanges),
    );
}

function addImport(importing: Command): void {
  importing
    .addOption(
      new Option("--from <format>", "whose files they are")
        .choices(Object.keys(FORMATS))
        .makeOptionMandatory(),
    )
    .option("--dry-run", "say what would be added, and add nothing")
    .option("--assert", "what the files say is canonical; without it, a draft")
    .action(async (path: string, { json, ...flags }: CommonOptions & ImportFlags) => {
      const report = await importFrom(path, flags);
      console.log(json ? JSON.stringify(report) : showImport(report));
    });
}

function addExport(command: Command): void {
  command
    .addHelpText("after", "\nExample: sphere export memory.ndjson")
    .action(async (file: string | undefined, { json, ...session }: CommonOptions) => {
      const written = await inSession(session, (sphere) => exportTo(sphere, file));
      if (file === undefined) return;
      const { records, bytes } = written;
      console.log(
        json ? JSON.stringify({ file, ...written }) : `${file}: ${records} records, ${bytes} bytes`,
      );
    });
}

function addMaintain(): void {
  program
    .command("maintain")
    .description("runs one tick of the scheduled Worker over what `npm start` runs here")
    .addOption(urlOption())
    .option("--json", "print the record and nothing else")
    .action(async ({ url, json }: { url: string; json?: true }) => {
      const record = await fireTick(url);
      console.log(json ? JSON.stringify(record) : showTick(record));
    });
}

/** Calls with what is left of the options and prints the result, as JSON or for people. */
async function answer<O extends CommonOptions, T>(
  { url, workspace, token, json, ...rest }: O,
  call: (sphere: MiniSphereApi, rest: Omit<O, keyof CommonOptions>) => Promise<T>,
  show: (result: T, width: number) => string,
): Promise<void> {
  const result = await inSession({ url, workspace, token }, (sphere) => call(sphere, rest));
  console.log(json ? JSON.stringify(result) : show(result, width()));
}

function width(): number {
  const columns = process.stdout.columns ?? WIDTH.default;
  return Math.min(Math.max(columns, WIDTH.min), WIDTH.max);
}
