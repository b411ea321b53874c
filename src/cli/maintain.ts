import { setTimeout } from "node:timers/promises";
import type { TickRecord } from "../../contracts/maintenance.ts";
import { freePort, SCHEDULER_CONFIG, startWorkers } from "./dev-server.ts";
import { CliError, EXIT } from "./exit.ts";
import { ROOT } from "./program.ts";

const CRON = "*/15 * * * *";
/** For a cold start of wrangler on a busy machine. */
const PATIENCE_MS = 120_000;
const POLL_MS = 100;

/**
 * One tick now. Locally no schedule fires, and only the first Worker of a `wrangler dev` can be reached: so
 * this starts the scheduled Worker by itself, which finds the running one as the platform would, and asks
 * wrangler for a scheduled event.
 *
 * @param url where `npm start` of this checkout answers.
 * @throws CliError when nothing answers there, or the tick fails.
 */
export async function fireTick(url: string): Promise<TickRecord> {
  await requireRunning(url);
  const { promise: record, resolve, reject } = Promise.withResolvers<TickRecord>();
  const scheduler = startWorkers({
    root: ROOT,
    port: await freePort(),
    configs: [SCHEDULER_CONFIG],
    logName: "maintain.log",
    onError: () => undefined,
    onLine: (line) => {
      const written = tickLine(line);
      if (written?.event === "tick") resolve(written as TickRecord);
      if (written?.event === "tick_failed") reject(TICK_FAILED);
    },
  });
  const ended = scheduler.ended.then((how) => {
    throw new CliError(EXIT.failed, `${how}.`);
  });
  const late = AbortSignal.timeout(PATIENCE_MS);
  late.addEventListener("abort", () => reject(TICK_FAILED));
  const fired = fire(scheduler.url, late).then(() => record);
  try {
    return await Promise.race([fired, ended]);
  } finally {
    // What fails because we stop is not news.
    for (const other of [record, ended, fired]) other.catch(() => undefined);
    await scheduler.stop();
  }
}

const TICK_FAILED = new CliError(
  EXIT.failed,
  "The tick failed; .wrangler/maintain.log and .wrangler/dev.log say why.",
);

async function requireRunning(url: string): Promise<void> {
  try {
    if ((await fetch(new URL("/health", url))).ok) return;
  } catch {
    // Said below.
  }
  throw new CliError(
    EXIT.unavailable,
    `Nothing answers at ${url}.\nStart the Workers with \`npm start\`, or say with --url on which port they are.`,
  );
}

/** Asks for the event as soon as wrangler listens. */
async function fire(url: string, late: AbortSignal): Promise<void> {
  const event = new URL("/cdn-cgi/handler/scheduled", url);
  event.searchParams.set("cron", CRON);
  event.searchParams.set("time", String(Date.now()));
  for (;;) {
    try {
      const { ok } = await fetch(event, { signal: late });
      if (ok) return;
      throw TICK_FAILED;
    } catch (error) {
      if (error === TICK_FAILED || late.aborted) throw TICK_FAILED;
      // Nobody listens yet.
      await setTimeout(POLL_MS);
    }
  }
}

function tickLine(line: string): { event: string } | null {
  return line.startsWith('{"event":"tick') ? (JSON.parse(line) as { event: string }) : null;
}
