/*
 * Plays the example through, on the local runtime, with nothing kept: npm run example:host
 */
import { setTimeout } from "node:timers/promises";
import { createTestHarness } from "wrangler";
import { buildBundle, loadable } from "../../src/cli/blueprint/bundle.ts";
import { ROOT } from "../../src/cli/program.ts";

type Step = readonly [what: string, path: string, body: string];

const FIRST: readonly Step[] = [
  ["The host makes mira a curator and ivo a contributor.", "/harbour/roles/mira", "curator"],
  ["", "/harbour/roles/ivo", "contributor"],
  [
    "mira writes. Her program has a capability of the memory and nothing else.",
    "/harbour/agents/mira",
    'return memory.capture("The harbour closes at nine.", { status: "canonical" })',
  ],
  [
    "ivo may propose, and is refused what he may not.",
    "/harbour/agents/ivo",
    'return memory.capture("The harbour is open all night.", { status: "canonical" })',
  ],
  [
    "A guest reads, and has no more methods than a reader.",
    "/harbour/agents/guest",
    'return (await memory.recall("when does the harbour close?")).hits.map(({ content }) => content)',
  ],
  ["", "/harbour/agents/guest", 'return memory.capture("I was here.")'],
  [
    "Another workspace is another host, with a memory of its own.",
    "/depot/agents/guest",
    "return memory.getCount()",
  ],
];

const SECOND: readonly Step[] = [
  [
    "The host restarts the memory with other code: the built bundle, loaded at run time.",
    "/harbour/code/built",
    "",
  ],
  [
    "The memory is what it was.",
    "/harbour/agents/guest",
    'return (await memory.recall("harbour")).hits.map(({ content }) => content)',
  ],
  [
    "Code that is not there is not kept: the memory goes on with what it ran before.",
    "/harbour/code/missing",
    "",
  ],
  [
    "What is due for staleness comes to the host's own alarm, because a facet has none.",
    "/harbour/agents/mira",
    'return memory.capture("Coal costs 61.", { volatility: "volatile", occurredAt: Date.UTC(2025, 0, 1) })',
  ],
];

const PASS_RUNS: Step = [
  "",
  "/harbour/agents/guest",
  "return (await memory.getStats()).runs.map(({ trigger, flagged }) => ({ trigger, flagged }))",
];

const server = createTestHarness({
  root: ROOT,
  workers: [{ configPath: "examples/host/wrangler.toml" }],
});
try {
  console.log("Building the bundle of mini-sphere and starting the host …");
  const [bundle] = await Promise.all([buildBundle("wrangler.toml"), server.listen()]);
  for (const step of FIRST) await play(step);
  const { CODE } = await server.getWorker<{ CODE: KeyValues }>("mini-sphere-host").getEnv();
  await CODE.put("built", JSON.stringify(loadable(bundle)));
  for (const step of SECOND) await play(step);
  await untilThePassHasRun();
} finally {
  await server.close();
}

interface KeyValues {
  put(key: string, value: string): Promise<void>;
}

/** The alarm is due at once, and comes when the runtime gets to it. */
async function untilThePassHasRun(): Promise<void> {
  const [, path, body] = PASS_RUNS;
  const deadline = AbortSignal.timeout(20_000);
  while ((await (await server.fetch(path, { method: "POST", body })).text()) === "[]") {
    deadline.throwIfAborted();
    await setTimeout(50);
  }
  await play(PASS_RUNS);
}

async function play([what, path, body]: Step): Promise<void> {
  const response = await server.fetch(path, { method: "POST", body });
  if (what !== "") console.log(`\n${what}`);
  console.log(`  POST ${path}${body === "" ? "" : `  ${body}`}`);
  console.log(`  ${response.status} ${await response.text()}`);
}
