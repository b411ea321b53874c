import { afterAll, afterEach, beforeAll } from "vitest";
import type { MiniSphereApi } from "../../contracts/index.ts";
import { connect } from "../../src/client/index.ts";
import { registerReadTests } from "../contract/reads.ts";
import type { Open } from "../contract/suite.ts";
import { registerWriteTests } from "../contract/writes.ts";
import { freshWorkspace, startWorkers, tokenFor } from "./workers.ts";

/*
 * The contract once more, from outside ([WIR-1]): a Worker built as for production, reached over WebSocket
 * sessions of the client, with a token for each capability.
 */

let workers: Awaited<ReturnType<typeof startWorkers>>;
const sessions: { close(): void }[] = [];

beforeAll(async () => {
  workers = await startWorkers();
});

afterEach(() => {
  for (const session of sessions.splice(0)) session.close();
});

afterAll(() => workers.close());

const open: Open = async () => {
  const workspace = freshWorkspace();
  const as: Awaited<ReturnType<Open>>["as"] = async (role, actor = `test:${role}`) => {
    const token = await tokenFor(workspace, role, actor);
    const session = connect({ url: workers.url, token });
    sessions.push(session);
    return session as unknown as MiniSphereApi;
  };
  return { owner: await as("owner"), as };
};

registerWriteTests(open);
registerReadTests(open);
