import { setTimeout } from "node:timers/promises";
import { connect } from "../../src/client/index.ts";
import type { Workerd } from "../../test/harness/workerd.ts";
import { tokenFor } from "../../test/harness/workers.ts";
import { AgentSession, MARKERS, markerOf } from "./agent.ts";
import { faultsOf } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";
import { seeded } from "./random.ts";
import { Tally } from "./tally.ts";

export interface Scenario {
  name: string;
  agents: number;
  workspaces: number;
  /** In all workspaces together, before the run. */
  entries: number;
  seconds: number;
  /** Whether objects are aborted and the process is killed during the run. */
  kill: boolean;
}

export interface Outcome {
  tally: Tally;
  /** How long the agents really took. */
  seconds: number;
  /** Milliseconds that workerd has computed for them; null where that is not known. */
  cpuMs: number | null;
  answered: number;
  entries: number;
  faults: string[];
}

/** In each run: eight rounds of aborts, and at the fourth and the last the end of the whole process. */
const ROUNDS = 8;
const PROCESS_ROUNDS = [4, 8];
/** Calls in one request, when the bench loads and verifies. */
const TOGETHER = 50;

/**
 * Loads, lets the agents work, and looks: whether the objects that are awake find every entry, and, once the
 * runtime was ended and started anew, whether what is stored is what was answered.
 */
export async function play(
  workerd: Workerd,
  scenario: Scenario,
  texts: readonly string[],
): Promise<Outcome> {
  const ledgers = await load(workerd, scenario, texts);
  const tally = new Tally();
  const agents = await Promise.all(
    Array.from({ length: scenario.agents }, (_, n) =>
      sessionsOf(n, { workerd, scenario, texts, ledgers, tally }),
    ),
  );
  const cpuBefore = await workerd.cpuMs();
  const from = performance.now();
  const over = () => performance.now() - from >= scenario.seconds * 1_000;
  await Promise.all([
    ...agents.map((sessions) => work(sessions, over)),
    scenario.kill ? disturb(workerd, [...ledgers.keys()], scenario.seconds) : null,
  ]);
  const seconds = (performance.now() - from) / 1_000;
  const cpuAfter = await workerd.cpuMs();
  // A process that was killed has taken its clock with it.
  const told = cpuBefore !== null && cpuAfter !== null && !scenario.kill;
  const cpuMs = told ? cpuAfter - cpuBefore : null;

  const unfound = await notFound(workerd, [...ledgers.keys()]);
  await workerd.kill();
  await workerd.start();
  const { faults, ...counts } = await verify(workerd, ledgers);
  return { tally, seconds, cpuMs, ...counts, faults: [...unfound, ...faults] };
}

/** Workspaces with entries in them, and what is known of each. */
async function load(
  workerd: Workerd,
  { name, workspaces, entries }: Scenario,
  texts: readonly string[],
): Promise<Map<string, Ledger>> {
  const ledgers = new Map<string, Ledger>();
  const each = Math.ceil(entries / workspaces);
  for (let w = 0; w < workspaces; w += 1) {
    const workspace = `${name.replaceAll(" ", "-")}.${w}`;
    const memory = await memoryOf(workerd, workspace);
    const items = Array.from({ length: each }, (_, n) => ({
      content: `${texts[(w * each + n) % texts.length]} ${markerOf(0, n)}`,
      tags: [`topic-${n % 20}`],
    }));
    for (const some of chunks(items, TOGETHER)) await memory.captureMany(some);
    ledgers.set(workspace, { loaded: each, answered: [], doubtful: 0 });
  }
  return ledgers;
}

interface Setting {
  workerd: Workerd;
  scenario: Scenario;
  texts: readonly string[];
  ledgers: ReadonlyMap<string, Ledger>;
  tally: Tally;
}

/** An agent's sessions: every workspace is some agent's, and every agent has one. Half of them use sockets. */
async function sessionsOf(agent: number, setting: Setting): Promise<AgentSession[]> {
  const { workerd, scenario, ledgers } = setting;
  const mine = [...ledgers].filter(
    (_, w) => w % scenario.agents === agent % Math.min(scenario.agents, ledgers.size),
  );
  const random = seeded(agent + 1);
  return Promise.all(
    mine.map(async ([workspace, ledger]) => {
      const token = await tokenFor(workspace, "owner", `agent:${agent}`);
      const transport = agent % 2 === 0 ? "websocket" : "batch";
      const { url } = workerd;
      return new AgentSession({
        ...setting,
        number: agent + 1,
        url,
        token,
        transport,
        random,
        ledger,
      });
    }),
  );
}

async function work(sessions: readonly AgentSession[], over: () => boolean): Promise<void> {
  for (let turn = 0; !over(); turn += 1) await sessions[turn % sessions.length]!.step();
  for (const session of sessions) session.close();
}

/** Ends objects, a tenth of them at once and at least one, and twice the whole process. */
async function disturb(
  workerd: Workerd,
  workspaces: readonly string[],
  seconds: number,
): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    await setTimeout((seconds * 1_000) / (ROUNDS + 1));
    if (PROCESS_ROUNDS.includes(round)) {
      await workerd.kill();
      await workerd.start();
    } else {
      const some = workspaces.filter((_, w) => w % 10 === round % Math.min(10, workspaces.length));
      await Promise.all(some.map((workspace) => workerd.abort(workspace)));
    }
  }
}

/** Each entry must be found by the last marker in it. */
async function notFound(workerd: Workerd, workspaces: readonly string[]): Promise<string[]> {
  const options = { hops: 0, observe: true, includeInactive: true, includeExhaust: true };
  const faults: string[] = [];
  for (const workspace of workspaces) {
    const { entries } = await workerd.inspect(workspace);
    const memory = await memoryOf(workerd, workspace);
    for (const some of chunks(entries, TOGETHER)) {
      const answers = await Promise.all(
        some.map(({ content }) => memory.recall(content.match(MARKERS)?.at(-1) ?? "", options)),
      );
      for (const [at, { id }] of some.entries()) {
        const found = answers[at]?.hits.some((hit) => hit.id === id) === true;
        if (!found) faults.push(`${workspace}: ${id} is not found`);
      }
    }
  }
  return faults;
}

async function verify(workerd: Workerd, ledgers: ReadonlyMap<string, Ledger>) {
  const counts = { answered: 0, entries: 0 };
  const faults: string[] = [];
  for (const [workspace, ledger] of ledgers) {
    const inspection = await workerd.inspect(workspace);
    counts.answered += ledger.answered.length;
    counts.entries += inspection.entries.length;
    faults.push(...faultsOf(ledger, inspection).map((each) => `${workspace}: ${each}`));
  }
  return { ...counts, faults };
}

async function memoryOf(workerd: Workerd, workspace: string) {
  return connect({ url: workerd.url, token: await tokenFor(workspace), transport: "batch" });
}

function chunks<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, n) =>
    values.slice(n * size, (n + 1) * size),
  );
}
