import { connect } from "../client/index.ts";
import { FORMATS, type Format } from "../importers/index.ts";
import type { Imported } from "../importers/importer.ts";
import { type Filled, fill } from "./fill.ts";
import { CliError, EXIT } from "./exit.ts";
import { startProgress } from "./progress.ts";
import { sessionToken, type SessionOptions, withFix } from "./session.ts";
import { readSourceFiles } from "./source-files.ts";

export interface ImportFlags extends SessionOptions {
  from: Format;
  dryRun?: true;
  assert?: true;
}

export interface ImportReport {
  from: Format;
  dryRun: boolean;
  entries: number;
  edges: number;
  /** Null in a dry run, which asks nobody. */
  newEntries: number | null;
  newEdges: number | null;
  /** What was left out or changed on the way, one sentence each. */
  problems: string[];
}

/** Reads what is at the path, maps it and adds what the workspace does not hold yet. */
export async function importFrom(path: string, flags: ImportFlags): Promise<ImportReport> {
  const format = FORMATS[flags.from];
  const files = await readSourceFiles(path, format.files);
  if (files.length === 0) {
    throw new CliError(
      EXIT.notFound,
      `No file under "${path}" is one that --from ${flags.from} reads.`,
    );
  }
  const plan = format.read(files, { assert: flags.assert === true });
  const filled = flags.dryRun ? null : await carryOut(plan, flags);
  return {
    from: flags.from,
    dryRun: filled === null,
    entries: filled?.entries ?? plan.entries.length,
    edges: filled?.edges ?? plan.edges.length,
    newEntries: filled?.newEntries ?? null,
    newEdges: filled?.newEdges ?? null,
    problems: [...plan.problems.map(sentenceOf), ...(filled?.refused ?? [])],
  };
}

async function carryOut(plan: Imported, { url, workspace, token }: ImportFlags): Promise<Filled> {
  using sphere = connect({
    url,
    token: token || (await sessionToken(workspace)),
    transport: "websocket",
  });
  const progress = startProgress("Importing", plan.entries.length + plan.edges.length);
  try {
    return await fill(sphere, plan, progress);
  } catch (error) {
    throw withFix(error, url);
  } finally {
    progress.stop();
  }
}

const sentenceOf = ({ path, line, problem }: Imported["problems"][number]) =>
  `${path}${line === null ? "" : `:${line}`}: ${problem}`;

/** The report for people. */
export function showImport({ dryRun, ...report }: ImportReport): string {
  const { entries, edges, newEntries, newEdges, problems } = report;
  const head = dryRun
    ? `Would import ${entries} entries and ${edges} edges; nothing was changed.`
    : `Imported ${entries} entries (${newEntries} new) and ${edges} edges (${newEdges} new).`;
  return [head, ...problems].join("\n");
}
