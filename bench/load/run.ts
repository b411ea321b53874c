import { parseArgs } from "node:util";
import { Workerd } from "../../test/harness/workerd.ts";
import { seeded } from "./random.ts";
import { baselineOf, figuresOf, keyOf, print, saveBaselines } from "./report.ts";
import type { Figures } from "./report.ts";
import { play } from "./scenario.ts";
import type { Outcome, Scenario } from "./scenario.ts";
import { readTexts } from "./texts.ts";

/*
 * npm run bench:load [-- --seconds 20] [--kill] [--quick] [--save]
 * Agents over WebSocket and HTTP batch, first all on one workspace, then spread over many, against the Worker
 * of wrangler.toml in a workerd of its own on loopback. Prints calls a second, latencies and refusals by code;
 * then starts workerd anew and fails unless every answered write is there and the index equals the entries.
 * --kill aborts objects and kills the process (SIGKILL) during the run; --quick is a smoke of a few seconds.
 */

process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string" },
      kill: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      save: { type: "boolean", default: false },
    },
  });
  const seconds = Number(values.seconds ?? (values.quick ? 2 : 20));
  if (!(seconds > 0)) throw new Error("--seconds must be a number over 0.");
  const { real, texts } = await readTexts(5_000, seeded(0));
  console.log(
    real
      ? "Texts: real turns of chats."
      : "Texts: made up, for ../shared/data is not beside this checkout.",
  );

  const saved: Record<string, Figures> = {};
  let sound = true;
  for (const scenario of scenarios({ ...values, seconds })) {
    console.log(`\n${keyOf(scenario)}`);
    const outcome = await withWorkerd((workerd) => play(workerd, scenario, texts));
    const figures = figuresOf(outcome);
    print(figures, baselineOf(scenario), outcome);
    sound &&= outcome.faults.length === 0 && expected(figures, scenario);
    saved[keyOf(scenario)] = figures;
  }
  if (values.save && sound) saveBaselines(saved);
  return sound ? 0 : 1;
}

function scenarios({
  quick,
  kill,
  seconds,
}: {
  quick: boolean;
  kill: boolean;
  seconds: number;
}): Scenario[] {
  const common = { agents: 50, entries: quick ? 500 : 5_000, seconds, kill };
  return [
    { ...common, name: "one workspace", workspaces: 1 },
    { ...common, name: "many workspaces", workspaces: quick ? 50 : 200 },
  ];
}

async function withWorkerd(work: (workerd: Workerd) => Promise<Outcome>): Promise<Outcome> {
  const workerd = await Workerd.open();
  try {
    return await work(workerd);
  } catch (error) {
    console.error(workerd.log.slice(-20).join("\n"));
    throw error;
  } finally {
    await workerd.close();
  }
}

/** Agents that compare and set meet conflicts and may be told to slow down; all else is a fault of ours. */
function expected({ errors }: Figures, { kill }: Scenario): boolean {
  const known = ["conflict", "limit_exceeded", ...(kill ? ["unavailable"] : [])];
  return Object.keys(errors).every((code) => known.includes(code));
}
