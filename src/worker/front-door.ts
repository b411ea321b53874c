import type { Grant, GrantedCalls, Method, Reply } from "../../contracts/index.ts";
import type { Env } from "./env.ts";
import { directoryOf } from "./directory.ts";

/** Workspaces that an isolate remembers; the oldest is forgotten, which costs one more message. */
const REMEMBERED = 10_000;

/** The directory as the front door sees it. */
export interface DueNotes {
  note(workspace: string, dueAt: number): Promise<void>;
}

/**
 * What this isolate last told the directory ([MNT-6]). Only what changes the directory's mind is sent: an
 * earlier due time, or any once the last told one has passed, for then a pass may have come since.
 */
export class ToldDueTimes {
  readonly #told = new Map<string, number>();

  /** Resolves when the directory knows. A failure is thrown and forgotten, so the next write tells again. */
  async tell(directory: DueNotes, workspace: string, dueAt: number, now: number): Promise<void> {
    const told = this.#told.get(workspace);
    if (told !== undefined && told <= dueAt && told > now) return;
    this.#remember(workspace, dueAt);
    try {
      await directory.note(workspace, dueAt);
    } catch (error) {
      this.#told.delete(workspace);
      throw error;
    }
  }

  #remember(workspace: string, dueAt: number): void {
    this.#told.delete(workspace);
    this.#told.set(workspace, dueAt);
    const [oldest] = this.#told.keys();
    if (this.#told.size > REMEMBERED && oldest !== undefined) this.#told.delete(oldest);
  }
}

/**
 * A workspace's object behind the front door. Each call takes a fresh stub, because one that has seen an
 * exception stays broken, and what a write says of the next due time goes to the directory behind the answer.
 */
export function frontDoor(
  workspace: string,
  {
    env,
    ctx,
    told,
    now,
  }: { env: Env; ctx: ExecutionContext; told: ToldDueTimes; now: () => number },
): GrantedCalls {
  return {
    async call<M extends Method>(grant: Grant, method: M, args: unknown[]): Promise<Reply<M>> {
      const sphere = env.SPHERES.getByName(workspace) as unknown as GrantedCalls;
      const reply = await sphere.call(grant, method, args);
      if (reply.ok && typeof reply.dueAt === "number") {
        const telling = told.tell(directoryOf(env), workspace, reply.dueAt, now());
        ctx.waitUntil(telling.catch((error: unknown) => logUntold(workspace, error)));
      }
      return reply;
    },
  };
}

function logUntold(workspace: string, error: unknown): void {
  console.error(JSON.stringify({ event: "directory_not_told", workspace, error: String(error) }));
}
