import { LIMITS } from "../../contracts/limits.ts";
import type { StalenessRun } from "../../contracts/entities.ts";

/** What the entrypoint `Maintenance` of the main Worker offers, and all that this Worker is bound to. */
export interface MaintenanceBinding {
  listDue(query: { now: number; limit: number }): Promise<{ workspace: string; dueAt: number }[]>;
  runStalenessPass(
    workspace: string,
    options: { limit: number; seenDueAt: number },
  ): Promise<StalenessRun>;
}

export interface SchedulerEnv {
  MAINTENANCE: MaintenanceBinding;
}

/** Workspaces of one tick: a pass is two subrequests, and an invocation has a budget of them. */
const WORKSPACES_PER_TICK = 500;

export default {
  fetch() {
    return new Response("This Worker only runs on its schedule.\n", { status: 404 });
  },

  /** One tick ([MNT-7]). Its clock is the scheduled time, so a late or repeated tick asks the same question. */
  async scheduled(controller, env) {
    console.log(JSON.stringify(await runTick(env.MAINTENANCE, controller.scheduledTime)));
  },
} satisfies ExportedHandler<SchedulerEnv>;

/** What a tick did. Times are milliseconds. */
export interface TickReport {
  event: "tick";
  tick: number;
  /** Workspaces that were due; one more than the budget of a tick stands for "more". */
  due: number;
  visited: number;
  /** Entries, of all visited workspaces. */
  flagged: number;
  expired: number;
  /** Workspaces whose pass failed; they stay due. */
  failed: number;
  /** Workspaces that stay due because the tick or their pass had no budget left for them. */
  leftOver: number;
}

export async function runTick(maintenance: MaintenanceBinding, now: number): Promise<TickReport> {
  const due = await maintenance.listDue({ now, limit: WORKSPACES_PER_TICK + 1 });
  const taken = due.slice(0, WORKSPACES_PER_TICK);
  const runs: StalenessRun[] = [];
  for (const { workspace, dueAt } of taken) {
    try {
      runs.push(
        await maintenance.runStalenessPass(workspace, {
          limit: LIMITS.passRows.max,
          seenDueAt: dueAt,
        }),
      );
    } catch (error) {
      // One broken workspace must not cost the others their pass.
      console.error(JSON.stringify({ event: "pass_failed", workspace, error: String(error) }));
    }
  }
  return {
    event: "tick",
    tick: now,
    due: due.length,
    visited: runs.length,
    flagged: total(runs, (run) => run.flagged),
    expired: total(runs, (run) => run.expired),
    failed: taken.length - runs.length,
    leftOver: due.length - taken.length + total(runs, (run) => Math.sign(run.remaining)),
  };
}

function total(runs: readonly StalenessRun[], of: (run: StalenessRun) => number): number {
  return runs.reduce((sum, run) => sum + of(run), 0);
}
