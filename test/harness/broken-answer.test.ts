import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "../../src/client/index.ts";

/** Begins every answer and breaks off: a Worker whose process ends while it speaks. */
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-length": "100" });
  response.write('["resolve",1,', () => response.destroy());
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));

afterAll(() => new Promise((resolve) => server.close(resolve)));

it("[WIR-5] a batch whose answer breaks off rejects with a code, and says what to do", async () => {
  const { port } = server.address() as AddressInfo;
  using memory = connect({ url: `http://127.0.0.1:${port}`, token: "x", transport: "batch" });
  await expect(memory.getCount()).rejects.toMatchObject({
    code: "unavailable",
    message: `The answer of http://127.0.0.1:${port}/rpc broke off; its calls may have been done, so look before repeating one.`,
  });
});
