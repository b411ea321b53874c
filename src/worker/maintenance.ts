import { WorkerEntrypoint } from "cloudflare:workers";
import { z } from "zod";
import { LIMITS } from "../../contracts/limits.ts";
import type { GrantedCalls } from "../../contracts/api.ts";
import type { StalenessRun } from "../../contracts/entities.ts";
import { invalidInput, MiniSphereError } from "../../contracts/errors.ts";
import { workspaceName } from "../access/tokens.ts";
import type { DueWorkspace } from "../storage/directory.ts";
import { directoryOf } from "./directory.ts";
import type { Env } from "./env.ts";

/** Most workspaces that one call lists. */
const LISTED = 1_000;

const time = z.int().min(0).max(LIMITS.timeMs);
const listDueInput = z.tuple([z.strictObject({ now: time, limit: z.int().min(1).max(LISTED) })]);
const passInput = z.tuple([
  workspaceName,
  z.strictObject({ limit: z.int().min(1).max(LIMITS.passRows.max), seenDueAt: time }),
]);

/**
 * All that the scheduled Worker may do ([MNT-5]). A binding to the object's class would give it every public
 * method; a binding to this entrypoint gives it these two.
 */
export class Maintenance extends WorkerEntrypoint<Env> {
  /** At most `limit` workspaces that are due at `now`, longest due first. */
  async listDue(...args: [{ now: number; limit: number }]): Promise<DueWorkspace[]> {
    const [{ now, limit }] = parsed(listDueInput, args);
    return directoryOf(this.env).listDue(now, limit);
  }

  /** Runs the pass on one workspace, and tells the directory when it is next due. */
  async runStalenessPass(
    ...args: [workspace: string, options: { limit: number; seenDueAt: number }]
  ): Promise<StalenessRun> {
    const [workspace, { limit, seenDueAt }] = parsed(passInput, args);
    const sphere = this.env.SPHERES.getByName(workspace) as unknown as GrantedCalls;
    const reply = await sphere.call(SCHEDULER, "runStalenessPass", [{ limit }]);
    if (!reply.ok) {
      throw new MiniSphereError(reply.error.code, reply.error.message, reply.error.details);
    }
    await directoryOf(this.env).settle(workspace, seenDueAt, reply.value.nextDueAt);
    return reply.value;
  }
}

const SCHEDULER = { role: "maintainer", actor: "system:scheduler" } as const;

function parsed<T extends z.ZodType>(schema: T, args: unknown[]): z.output<T> {
  const result = schema.safeParse(args);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join(".") || "arguments";
  throw invalidInput(`${path}: ${issue?.message}.`, { path });
}
