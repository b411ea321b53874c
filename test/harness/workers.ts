import { createTestHarness, type TestHarnessOptions } from "wrangler";
import type { Role } from "../../contracts/vocabulary.ts";
import { mintToken } from "../../src/access/tokens.ts";

export const SECRET = "a secret of the harness tests, 32+ bytes";
export const ROOT = new URL("../..", import.meta.url).pathname;

/** Both Workers from their real configs, as built for production, behind a real port; an agent, and what else is asked for. */
export async function startWorkers(others: TestHarnessOptions["workers"] = []) {
  const server = createTestHarness({
    root: ROOT,
    workers: [
      { configPath: "wrangler.toml", secrets: { SPHERE_TOKEN_SECRET: SECRET } },
      { configPath: "wrangler.scheduler.toml" },
      {
        config: {
          name: "agent",
          main: "test/harness/agent.ts",
          compatibility_date: "2026-10-01",
        },
      },
      ...others,
    ],
  });
  const { url } = await server.listen();
  return {
    url: url.href,
    sphere: server.getWorker("mini-sphere"),
    scheduler: server.getWorker("mini-sphere-scheduler"),
    agent: server.getWorker("agent"),
    other: (name: string) => server.getWorker(name),
    /** What the Workers have logged since the last time this was asked. */
    newLogs: () => {
      const lines = server.getLogs().map(({ message }) => message);
      server.clearLogs();
      return lines;
    },
    close: () => server.close(),
  };
}

export function tokenFor(
  workspace: string,
  role: Role = "owner",
  actor = "agent:7",
): Promise<string> {
  const claims = { workspace, role, actor };
  return mintToken(SECRET, { ...claims, ttlSeconds: 600, now: Date.now() });
}

/** A workspace that no other test knows. */
export const freshWorkspace = () => crypto.randomUUID();
