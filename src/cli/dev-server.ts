import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { CliError, EXIT, usageError } from "./exit.ts";
import { ROOT } from "./program.ts";

export const SCHEDULER_CONFIG = "wrangler.scheduler.toml";
const BOTH = ["wrangler.toml", SCHEDULER_CONFIG];
const HOST = "127.0.0.1";
/** From the start of wrangler to the first answer; a cold, busy machine takes a good part of it. */
const START_MS = 120_000;
/** From asking wrangler to stop to making it. */
const STOP_MS = 8_000;
const POLL_MS = 100;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Workers in one `wrangler dev`. Whoever starts it owns it and must `stop` it. */
export interface DevServer {
  url: string;
  /** Settles when wrangler has ended, with how it ended in words. */
  ended: Promise<string>;
  /** Ends wrangler and everything that it started; settles when they are gone. */
  stop(): Promise<void>;
}

export interface DevServerOptions {
  /** Where the two wrangler configs are, and `.dev.vars`; `.wrangler` below it keeps state and log. */
  root: string;
  port: number;
  /** Called with each line in which wrangler or a Worker reports an error. */
  onError(line: string): void;
  /** Called with every line that wrangler or a Worker writes. */
  onLine?(line: string): void;
  /** Both Workers unless it says otherwise. */
  configs?: readonly string[];
  /** The name of the log in `.wrangler`. */
  logName?: string;
}

/** Refuses a port that something else has, before wrangler finds its own words for it. */
export async function requireFreePort(port: number): Promise<void> {
  const probe = createServer();
  const refusal = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    probe.once("error", resolve);
    probe.listen(port, HOST, () => resolve(null));
  });
  if (refusal === null) {
    await new Promise((resolve) => probe.close(resolve));
  } else if (refusal.code === "EADDRINUSE") {
    throw usageError(
      `Port ${port} is taken: stop what listens there, or choose another with \`npm start -- --port N\`.`,
    );
  } else {
    throw usageError(
      `Port ${port} cannot be used (${refusal.code}): choose one with \`npm start -- --port N\`.`,
    );
  }
}

export function startWorkers({
  root,
  port,
  onError,
  onLine,
  configs = BOTH,
  logName = "dev.log",
}: DevServerOptions): DevServer {
  const log = openLog(root, logName);
  const child = spawn(process.execPath, wranglerArguments(port, configs), {
    cwd: root,
    env: wranglerEnvironment(root),
    stdio: ["ignore", "pipe", "pipe"],
    // Its own process group: Ctrl-C reaches it through us alone, and one signal ends workerd too.
    detached: true,
  });
  const signalGroup = (signal: NodeJS.Signals) => signalProcessGroup(child.pid, signal);
  const kill = () => signalGroup("SIGKILL");
  process.once("exit", kill);

  let lastError = "";
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (written) => {
      const line = stripVTControlCharacters(written);
      log.stream.write(`${line}\n`);
      onLine?.(line);
      if (!reportsError(line)) return;
      lastError = line.trim();
      onError(lastError);
    });
  }
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`wrangler could not be started: ${error.message}`));
    child.once("close", (code, signal) => {
      const why = lastError === "" ? "" : `, after "${lastError}"`;
      resolve(`wrangler ended with ${signal ?? `code ${code}`}${why}; its log is ${log.path}`);
    });
  }).finally(() => {
    // Killed itself, wrangler leaves workerd behind.
    kill();
    process.off("exit", kill);
    log.stream.end();
  });
  return { url: `http://${HOST}:${port}`, ended, stop: () => stop(ended, signalGroup) };
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, HOST);
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address ? address.port : 0;
}

/**
 * Starts both Workers for the time of `work`, which gets their address, and stops them, also when a signal
 * ends it early. What wrangler reported is in the error when they do not come up.
 */
export async function withWorkers<T>(root: string, work: (url: string) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const server = startWorkers({ root, port: await freePort(), onError: () => undefined });
  const ended = server.ended.then((how) => {
    throw new CliError(EXIT.failed, `${how}.`);
  });
  const worked = untilHealthy(server.url, stopping.signal).then(() => work(server.url));
  const interrupted = Promise.withResolvers<never>();
  const interrupt = (signal: string) =>
    interrupted.reject(new CliError(EXIT.failed, `Stopped by ${signal}.`));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await Promise.race([worked, ended, interrupted.promise]);
  } finally {
    // What fails because we stop is not news.
    ended.catch(() => undefined);
    worked.catch(() => undefined);
    stopping.abort();
    await server.stop();
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

/** Waits until GET /health answers; a bound, not a delay. `stopping` ends the wait. */
export async function untilHealthy(url: string, stopping: AbortSignal): Promise<void> {
  const deadline = AbortSignal.timeout(START_MS);
  while (!(await answers(`${url}/health`))) {
    stopping.throwIfAborted();
    if (deadline.aborted) {
      throw new CliError(
        EXIT.unavailable,
        `${url}/health did not answer within ${START_MS / 1000} seconds.`,
      );
    }
    await setTimeout(POLL_MS);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(START_MS / 10) })).ok;
  } catch {
    // Nobody listens yet.
    return false;
  }
}

async function stop(
  ended: Promise<unknown>,
  signalGroup: (signal: NodeJS.Signals) => void,
): Promise<void> {
  signalGroup("SIGTERM");
  const patience = new AbortController();
  const late = setTimeout(STOP_MS, undefined, { signal: patience.signal }).then(
    () => signalGroup("SIGKILL"),
    () => undefined,
  );
  await ended;
  patience.abort();
  await late;
}

function signalProcessGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function wranglerArguments(port: number, configs: readonly string[]): string[] {
  return [
    join(ROOT, "node_modules/wrangler/bin/wrangler.js"),
    "dev",
    ...configs.flatMap((config) => ["-c", config]),
    `--ip=${HOST}`,
    `--port=${port}`,
    "--show-interactive-dev-session=false",
  ];
}

function wranglerEnvironment(root: string): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _color, CLOUDFLARE_ENV: _env, ...inherited } = process.env;
  return {
    ...inherited,
    CI: "true",
    NO_COLOR: "1",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_LOG_PATH: join(root, ".wrangler/logs"),
    // Otherwise the Workers of two clones find each other through the home directory.
    WRANGLER_REGISTRY_PATH: join(root, ".wrangler/registry"),
  };
}

function reportsError(line: string): boolean {
  return /\[ERROR\]|^\[wrangler:error\]/.test(line);
}

function openLog(root: string, name: string) {
  const path = join(root, ".wrangler", name);
  mkdirSync(join(root, ".wrangler"), { recursive: true });
  return { path: relative(process.cwd(), path), stream: createWriteStream(path) };
}
