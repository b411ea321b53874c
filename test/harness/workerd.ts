import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { unstable_readConfig } from "wrangler";
import type { Inspection } from "../support/inspection.ts";
import { ROOT, SECRET } from "./workers.ts";

const CONFIG = join(ROOT, "wrangler.toml");
const fromWrangler = createRequire(createRequire(import.meta.url).resolve("wrangler"));
/** The runtime's binary, in the version that wrangler has. */
const WORKERD = (fromWrangler("workerd") as { default: string }).default;

/**
 * The Worker of wrangler.toml with its back door (`inspected-worker.ts`), in a runtime of its own on
 * loopback: no development proxy in front of it, and a process that can be killed and started again over
 * what it has stored. Whoever opens it must `close` it.
 */
export class Workerd {
  readonly #directory: string;
  readonly #log: string[] = [];
  #process: ChildProcess | null = null;
  #port = 0;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Builds as a deployment would, and starts. `vars` are the Worker's variables, over those of its config. */
  static async open(vars: Record<string, unknown> = {}): Promise<Workerd> {
    const directory = await mkdtemp(join(tmpdir(), "mini-sphere-workerd-"));
    const workerd = new Workerd(directory);
    try {
      await mkdir(join(directory, "state"));
      await build(join(directory, "bundle"));
      await workerd.start(vars);
      return workerd;
    } catch (error) {
      await workerd.close();
      throw error;
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** What the Worker and its runtime have written. */
  get log(): readonly string[] {
    return this.#log;
  }

  /** After `kill`: the same address over the same state. */
  async start(vars: Record<string, unknown> = {}): Promise<void> {
    const config = join(this.#directory, "workerd.capnp");
    await writeFile(config, await capnpOf(this.#directory, this.#port, vars));
    const child = spawn(WORKERD, ["serve", config, "--control-fd=3"], {
      cwd: this.#directory,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    this.#process = child;
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null)
        createInterface({ input: stream }).on("line", (line) => this.#log.push(line));
    }
    this.#port = await listening(child, this.#log);
  }

  /** Milliseconds that the process has computed; null where the system does not tell. */
  async cpuMs(): Promise<number | null> {
    const stat = await readFile(`/proc/${this.#process?.pid}/stat`, "utf8").catch(() => null);
    if (stat === null) return null;
    // Behind the name: user and system time are the 12th and 13th field, in ticks of 10 ms.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  }

  /** SIGKILL: nothing in the process can do anything any more. Settles when it is gone. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true });
  }

  async inspect(workspace: string): Promise<Inspection> {
    return (await (await fetch(`${this.url}inspect/${workspace}`)).json()) as Inspection;
  }

  async abort(workspace: string): Promise<void> {
    await fetch(`${this.url}abort/${workspace}`);
  }
}

async function listening(child: ChildProcess, log: readonly string[]): Promise<number> {
  const ended = once(child, "exit").then(() => {
    throw new Error(`workerd ended before it listened:\n${log.join("\n")}`);
  });
  ended.catch(() => undefined);
  const events = createInterface({ input: child.stdio[3] as Readable });
  const [event] = (await Promise.race([once(events, "line"), ended])) as [string];
  return (JSON.parse(event) as { port: number }).port;
}

async function build(outdir: string): Promise<void> {
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const entry = join(ROOT, "test/support/inspected-worker.ts");
  const args = [wrangler, "deploy", entry, "--dry-run", "-c", CONFIG, "--outdir", outdir];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT });
}

/** The config of wrangler.toml in workerd's own language, whose strings are written like JSON's. */
async function capnpOf(
  directory: string,
  port: number,
  vars: Record<string, unknown>,
): Promise<string> {
  const config = unstable_readConfig({ config: CONFIG });
  const text = JSON.stringify;
  const files = (await readdir(join(directory, "bundle"))).filter((name) =>
    /\.(js|sql)$/.test(name),
  );
  // The main module comes first.
  const modules = files
    .toSorted((a, b) => Number(b.endsWith(".js")) - Number(a.endsWith(".js")))
    .map((name) => {
      const type = name.endsWith(".js") ? "esModule" : "text";
      return `(name = ${text(name)}, ${type} = embed ${text(`bundle/${name}`)})`;
    });
  const objects: { name: string; class_name: string }[] = config.durable_objects.bindings;
  const bindings = [
    ...objects.map(
      ({ name, class_name }) =>
        `(name = ${text(name)}, durableObjectNamespace = ${text(class_name)})`,
    ),
    `(name = "SPHERE_TOKEN_SECRET", text = ${text(SECRET)})`,
    ...Object.entries({ ...config.vars, ...vars }).map(([name, value]) =>
      typeof value === "string"
        ? `(name = ${text(name)}, text = ${text(value)})`
        : `(name = ${text(name)}, json = ${text(text(value))})`,
    ),
  ];
  const namespaces = objects.map(
    ({ class_name }) =>
      `(className = ${text(class_name)}, uniqueKey = ${text(class_name)}, enableSql = true)`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "sphere", worker = (
      modules = [${modules.join(", ")}],
      compatibilityDate = ${text(config.compatibility_date)},
      bindings = [${bindings.join(", ")}],
      durableObjectNamespaces = [${namespaces.join(", ")}],
      durableObjectStorage = (localDisk = "state"),
    )),
    (name = "state", disk = (path = "state", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "sphere")],
);
`;
}
