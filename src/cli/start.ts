import { constants } from "node:os";
import { Option } from "commander";
import { mintToken } from "../access/tokens.ts";
import { connect } from "../client/index.ts";
import { type Filled, fill } from "./fill.ts";
import type { Plan } from "../importers/plan.ts";
import { readDemo } from "./demo/read.ts";
import { ensureDevSecret, SECRET_NAME } from "./dev-secret.ts";
import { requireFreePort, startWorkers, untilHealthy } from "./dev-server.ts";
import { CliError, EXIT } from "./exit.ts";
import { createProgram, ROOT, run } from "./program.ts";
import { startProgress } from "./progress.ts";
import { DEFAULT_PORT, DEMO } from "./session.ts";
import { showStarted } from "./show/started.ts";
import { portNumber } from "./values.ts";

const TOKEN_DAYS = 30;
const PARENT_POLL_MS = 500;

const program = createProgram("start", "Runs both Workers here and fills the workspace demo.")
  .addOption(
    new Option("--port <n>", "the port to listen on")
      .env("PORT")
      .argParser(portNumber)
      .default(DEFAULT_PORT),
  )
  .action(async ({ port }: { port: number }) => {
    process.exitCode = await start(port);
  });
await run(program);

/**
 * Runs until it is told to stop, and stops everything that it started. The exit code is 0, or 128 + the
 * signal when it came before the workspace was ready.
 */
async function start(port: number): Promise<number> {
  await requireFreePort(port);
  const secret = await developmentSecret();
  const interrupted = interruption();
  const stopping = new AbortController();
  console.log("Starting both Workers …");
  const server = startWorkers({ root: ROOT, port, onError: (line) => console.error(line) });
  const ended = server.ended.then((how) => {
    throw new CliError(EXIT.failed, `${how}.`);
  });
  const presented = present(server.url, secret, stopping.signal);
  try {
    const early = await Promise.race([interrupted, ended, presented]);
    const signal = early ?? (await Promise.race([interrupted, ended]));
    console.log("\nStopping …");
    return early === undefined ? EXIT.ok : 128 + signal;
  } finally {
    // What fails because we stop is not news.
    ended.catch(() => undefined);
    presented.catch(() => undefined);
    stopping.abort();
    await server.stop();
  }
}

/** Fills the workspace as soon as it answers and says how to reach it. */
async function present(url: string, secret: string, stopping: AbortSignal): Promise<void> {
  const [demo] = await Promise.all([readDemo(ROOT), untilHealthy(url, stopping)]);
  for (const notice of demo.notices) console.log(notice);
  const token = await mintToken(secret, {
    workspace: DEMO,
    role: "owner",
    actor: "demo",
    ttlSeconds: TOKEN_DAYS * 24 * 3600,
    now: Date.now(),
  });
  const filled = await fillDemo(url, token, demo.plan);
  console.log(showStarted({ url, token, tokenDays: TOKEN_DAYS, filled, sample: demo.sample }));
}

async function fillDemo(url: string, token: string, plan: Plan): Promise<Filled> {
  using sphere = connect({ url, token, transport: "websocket" });
  const progress = startProgress(`Filling ${DEMO}`, plan.entries.length + plan.edges.length);
  try {
    return await fill(sphere, plan, progress);
  } finally {
    progress.stop();
  }
}

async function developmentSecret(): Promise<string> {
  const { secret, created } = await ensureDevSecret(ROOT);
  if (created) console.log("Made a development secret in .dev.vars.");
  const exported = process.env[SECRET_NAME];
  if (exported && exported !== secret) {
    console.log(
      `The Workers use the secret of .dev.vars, not that of ${SECRET_NAME}: unset it, or its tokens are refused here.`,
    );
  }
  return secret;
}

/**
 * The number of the first signal to stop; the end of npm, which may be killed without a word, counts as a
 * hang-up. Later signals are ignored: npm passes on what the terminal has sent already.
 */
function interruption(): Promise<number> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => resolve(constants.signals[signal]));
    }
    if (process.env["npm_lifecycle_event"] === undefined) return;
    const orphaned = () => process.ppid !== parent && resolve(constants.signals.SIGHUP);
    setInterval(orphaned, PARENT_POLL_MS).unref();
  });
}
