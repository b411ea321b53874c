import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, onTestFinished, vi } from "vitest";
import { workspaceHash } from "../../src/worker/log.ts";
import worker from "../../src/worker/main.ts";
import { type Asked, freshWorkspace, messages, tokenFor } from "./wire.ts";

/** What a batch of calls leaves in the log. */
async function logOf(...asked: Asked[]): Promise<Record<string, unknown>[]> {
  const log = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => log.mockRestore());
  const request = new Request("http://sphere/rpc", { method: "POST", body: messages(...asked) });
  await (await worker.fetch(request as never, env, createExecutionContext())).text();
  return log.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
}

/** A session on a workspace, and calls on what it gives. */
async function session(workspace: string, ...calls: Omit<Asked, "on">[]): Promise<Asked[]> {
  const authenticate = { path: ["authenticate"], args: [await tokenFor(workspace, "curator")] };
  return [authenticate, ...calls.map((call) => ({ on: 1, ...call }))];
}

it("[ERR-4] a session's log has one line for each failed call, and none for the others", async () => {
  const workspace = freshWorkspace();
  const secret = "the words of a diary";
  const lines = await logOf(
    ...(await session(
      workspace,
      { path: ["capture"], args: [secret] },
      { path: ["capture"], args: [secret, { claimTag: "VERIFIED" }] },
      { path: ["getEntry"], args: [secret] },
      { path: ["recall"], args: [secret] },
      { path: ["runStalenessPass"] },
      { path: [secret] },
    )),
  );
  const common = { event: "call_failed", requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
  const here = { ...common, workspace: workspaceHash(workspace) };
  const byCode = (a: { code?: unknown }, b: { code?: unknown }) =>
    String(a.code).localeCompare(String(b.code));
  expect(lines.toSorted(byCode)).toEqual([
    { ...common, workspace: null, method: "runStalenessPass", code: "forbidden" },
    { ...common, workspace: null, method: null, code: "forbidden" },
    { ...here, method: "capture", code: "invalid_input" },
    { ...here, method: "getEntry", code: "not_found" },
  ]);
  expect(JSON.stringify(lines)).not.toContain(secret);
  expect(JSON.stringify(lines)).not.toContain(workspace);
});

it("[ERR-4] a refused token is one line, however many calls hang on it", async () => {
  const lines = await logOf(
    { path: ["authenticate"], args: ["no token"] },
    { on: 1, path: ["getCount"] },
    { on: 1, path: ["getTags"] },
  );
  expect(lines).toMatchObject([
    { event: "call_failed", method: "authenticate", workspace: null, code: "unauthenticated" },
  ]);
});
