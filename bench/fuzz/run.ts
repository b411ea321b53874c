import { parseArgs } from "node:util";
import { connect } from "../../src/client/index.ts";
import { Workerd } from "../../test/harness/workerd.ts";
import { tokenFor } from "../../test/harness/workers.ts";
import { LEAKS, hostileInput } from "../../test/support/hostile.ts";
import { seeded } from "../load/random.ts";

/*
 * npm run fuzz [-- --inputs 100000] [--seed 1]
 * Hostile inputs through the real endpoint, by HTTP batch and by WebSocket, with tokens of every role of one
 * workspace, while 300 sockets stay open and idle. Fails on an answer of 5xx, an `internal`, an uncaught
 * exception in the log, anything of the inside in an answer, and any change of the workspace beside it.
 */

const CANARY = "the canary of the workspace beside it";
const ROLES = ["owner", "curator", "contributor", "reader", "maintainer"] as const;
const IDLE = 300;
const AT_ONCE = 8;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      inputs: { type: "string", default: "100000" },
      seed: { type: "string", default: "1" },
    },
  });
  const workerd = await Workerd.open();
  try {
    return await run(workerd, Number(values.inputs), Number(values.seed));
  } finally {
    await workerd.close();
  }
}

async function run(workerd: Workerd, inputs: number, seed: number): Promise<number> {
  const canary = connect({ url: workerd.url, token: await tokenFor("beside") });
  await canary.capture(CANARY, { tags: ["canary"] });
  const before = JSON.stringify(await workerd.inspect("beside"));
  const tokens = await Promise.all(ROLES.map((role) => tokenFor("attacked", role)));
  const idle = Array.from({ length: IDLE }, () => new WebSocket(wsUrl(workerd)));
  await Promise.all(
    idle.map((socket) => new Promise((done) => socket.addEventListener("open", done))),
  );

  const random = seeded(seed);
  const seen = new Map<string, number>();
  const faults: string[] = [];
  const count = (key: string) => seen.set(key, (seen.get(key) ?? 0) + 1);
  const started = performance.now();
  let sent = 0;
  const one = async () => {
    while (sent < inputs) {
      const input = hostileInput(random, tokens);
      sent += input.inputs;
      const bySocket = typeof input.body === "string" && random() < 0.2;
      const { status, text } = bySocket
        ? { status: "socket", text: await overSocket(wsUrl(workerd), String(input.body)) }
        : await overHttp(workerd, input.body);
      count(`answer ${status}`);
      for (const [, code] of text.matchAll(/"code":"([a-z_]+)"/g)) count(code ?? "");
      if (Number(status) >= 500 || text.includes('"code":"internal"')) faults.push(text);
      if (LEAKS.test(text) || text.includes(CANARY)) faults.push(text);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  const seconds = (performance.now() - started) / 1_000;

  const stillOpen = idle.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
  for (const socket of idle) socket.close();
  if (stillOpen < IDLE) faults.push(`${IDLE - stillOpen} idle sockets were closed`);
  const uncaught = workerd.log.filter((line) => /uncaught|"code":"internal"/i.test(line));
  faults.push(...uncaught);
  if (JSON.stringify(await workerd.inspect("beside")) !== before) faults.push("beside: changed");
  const attacked = await workerd.inspect("attacked");
  faults.push(...attacked.broken.map((part) => `attacked: ${part}`));
  canary.close();
  console.log(
    `${sent} inputs, seed ${seed}, ${seconds.toFixed(0)} s, ${attacked.entries.length} entries came of them`,
  );
  for (const [key, n] of [...seen].sort((a, b) => b[1] - a[1])) console.log(`  ${key}: ${n}`);
  console.log(`faults: ${faults.length}`);
  for (const fault of faults.slice(0, 5)) console.log(fault.slice(0, 500));
  return faults.length === 0 ? 0 : 1;
}

function wsUrl(workerd: Workerd): string {
  return `${workerd.url.replace("http", "ws")}rpc`;
}

async function overHttp(workerd: Workerd, body: string | Uint8Array<ArrayBuffer>) {
  const answer = await fetch(`${workerd.url}rpc`, { method: "POST", body });
  return { status: String(answer.status), text: await answer.text() };
}

/** What came until the session ended, or until a pull was answered that is the last. */
function overSocket(url: string, body: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = new WebSocket(url);
  const received: string[] = [];
  const lines = body.split("\n");
  const pulls = lines.filter((line) => line.startsWith('["pull"')).length;
  const end = () => {
    resolve(received.join("\n"));
    socket.close();
  };
  socket.addEventListener("open", () => {
    for (const line of lines) socket.send(line);
    if (pulls < 2) setTimeout(end, 20);
  });
  socket.addEventListener("message", ({ data }) => {
    received.push(String(data));
    if (pulls >= 2 && received.length >= pulls) end();
  });
  socket.addEventListener("close", ({ reason }) => {
    received.push(reason);
    end();
  });
  socket.addEventListener("error", end);
  return promise;
}
