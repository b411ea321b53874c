import { maintenanceOf, type SchedulerEnv } from "./binding.ts";
import { runTick } from "./tick.ts";

export default {
  fetch() {
    return new Response("This Worker only runs on its schedule.\n", { status: 404 });
  },

  /** One tick, and one line of the log ([MNT-12]). */
  async scheduled(controller, env) {
    const now = controller.scheduledTime;
    try {
      const record = await runTick(maintenanceOf(env), { now, clock: Date.now });
      console.log(JSON.stringify(record));
    } catch (error) {
      console.log(JSON.stringify({ event: "tick_failed", tick: now, error: nameOf(error) }));
      throw error;
    }
  },
} satisfies ExportedHandler<SchedulerEnv>;

/** Without its words, which are not ours. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
