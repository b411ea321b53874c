import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client/index.ts";
import { requireFreePort } from "../../src/cli/dev-server.ts";
import { PROJECT_ROOT, runToEnd } from "./support.ts";

/*
 * The command as a newcomer runs it, on a copy of the project with a state of its own. The copy has no git
 * history, so the demo is made of documents alone.
 */

const COPIED = [
  "package.json",
  "tsconfig.json",
  "wrangler.toml",
  "wrangler.scheduler.toml",
  "contracts",
  "migrations",
  "src",
  "vite.config.ts",
];

let root = "";
let port = 0;
let first: Run;
const runs: Run[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "mini-sphere-start-"));
  for (const path of COPIED) {
    await cp(join(PROJECT_ROOT, path), join(root, path), { recursive: true });
  }
  await symlink(join(PROJECT_ROOT, "node_modules"), join(root, "node_modules"));
  port = await freePort();
  first = await start();
});
afterAll(async () => {
  for (const run of runs) {
    run.child.kill("SIGTERM");
    await run.exited;
  }
  await rm(root, { recursive: true, force: true });
});

describe("npm start", () => {
  it("fills the demo from what there is, and says what there is not", () => {
    expect(first.said).toMatch(FILLED);
    expect(first.said).toContain("documents only");
  });

  it("hands out a token that opens the demo", async () => {
    const token = /^token +(\S+)$/m.exec(first.said)?.[1] ?? "";
    const [, entries] = FILLED.exec(first.said) ?? [];
    using sphere = connect({ url: `http://127.0.0.1:${port}`, token, transport: "batch" });
    expect(await sphere.getCount()).toBe(Number(entries));
  });

  it("[MNT-12] lets `sphere maintain` fire a tick on it, and shows its record", async () => {
    const command = async (args: readonly string[]) => {
      const script = join(root, "src/cli/sphere.ts");
      const url = `--url=http://127.0.0.1:${port}`;
      const { code, stdout, stderr } = await runToEnd(process.execPath, [script, ...args, url]);
      expect([code, stderr]).toEqual([0, ""]);
      return stdout;
    };
    const longAgo = new Date(Date.now() - 20 * 24 * 3600 * 1000).toISOString();
    const aged = ["--volatility", "volatile", "--occurred-at", longAgo, "--workspace", "aged"];
    await command(["capture", "It was so, three weeks ago.", ...aged]);
    const record = JSON.parse(await command(["maintain", "--json"]));
    expect(record).toMatchObject({ event: "tick", failed: 0, unreachable: 0, failedCalls: 0 });
    expect(record.visited).toBeGreaterThan(0);
    expect(record.flagged).toBeGreaterThan(0);
    const { runs } = JSON.parse(await command(["stats", "--json", "--workspace", "aged"]));
    expect(runs).toMatchObject([{ trigger: "system:scheduler", flagged: 1 }]);
    expect(await command(["maintain"])).toMatch(/^workspaces visited +0$/m);
  });

  it("says in one sentence that the port is taken", async () => {
    const second = await runToEnd("npm", ["start", "--", "--port", String(port)], { cwd: root });
    expect([second.code, second.stderr]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^Port ${port} is taken: [^\n]+\n$`)),
    ]);
  });

  it("stops without a trace, and adds nothing when it starts again", async () => {
    expect(await isFree(port)).toBe(false);
    if (process.platform === "linux") expect(await leftBehind()).not.toEqual([]);
    first.child.kill("SIGINT");
    expect(await first.exited).toBe(0);
    expect(await leftBehind()).toEqual([]);
    expect(await isFree(port)).toBe(true);

    const [, entries, edges] = FILLED.exec(first.said) ?? [];
    const second = await start();
    expect(second.said).toContain(`demo: ${entries} entries (0 new), ${edges} edges (0 new)`);
  });
});

/** Everything is new: as many entries and edges were made as there are. */
const FILLED = /demo: (\d+) entries \(\1 new\), (\d+) edges \(\2 new\)/;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

interface Run {
  child: ChildProcess;
  /** What it said until it was ready. */
  said: string;
  exited: Promise<number | null>;
}

/** `npm start` until it says that it is ready, or its end before that as an error. */
async function start(): Promise<Run> {
  const args = ["start", "--", "--port", String(port)];
  const child = spawn("npm", args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "close").then(([code]) => code as number | null);
  const run: Run = { child, said: "", exited };
  runs.push(run);
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        run.said += `${line}\n`;
        if (line.startsWith("Ctrl-C stops it")) resolve();
      });
    }
    void exited.then((code) => reject(new Error(`npm start ended with ${code}:\n${run.said}`)));
  });
  return run;
}

/** Processes that inherited the environment of our wrangler; Linux only, elsewhere the port must tell. */
async function leftBehind(): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const mark = `WRANGLER_LOG_PATH=${join(root, ".wrangler/logs")}\0`;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(
    pids.map((pid) =>
      readFile(`/proc/${pid}/environ`, "utf8").then(
        (env) => env.includes(mark),
        () => false,
      ),
    ),
  );
  return pids.filter((_, index) => marked[index]);
}

const isFree = (wanted: number) =>
  requireFreePort(wanted).then(
    () => true,
    () => false,
  );
