import type { DueNews, Grant, GrantedCalls, Method, Reply } from "../../contracts/index.ts";
import { tellDirectory, type DueSource } from "./directory.ts";
import type { Env } from "./env.ts";
import { logError } from "./log.ts";

/** The object behind the front door, as far as the front door calls it. */
export type SphereStub = GrantedCalls & Pick<DueSource, "acknowledgeDue">;

/**
 * News that is on its way to the directory from this isolate, so that the writes of a burst do not each tell
 * the same. News that does not arrive comes again with the next write: the object repeats it until it is
 * acknowledged ([MNT-6]).
 */
export class NewsOnItsWay {
  readonly #sent = new Map<string, DueNews>();

  /** Calls `tell`, unless news as early as this is under way; throws what `tell` throws. */
  async send(workspace: string, news: DueNews, tell: () => Promise<void>): Promise<void> {
    const sent = this.#sent.get(workspace);
    if (sent !== undefined && sent.run === news.run && sent.dueAt <= news.dueAt) return;
    this.#sent.set(workspace, news);
    try {
      await tell();
    } finally {
      if (this.#sent.get(workspace) === news) this.#sent.delete(workspace);
    }
  }
}

export interface FrontDoor {
  env: Env;
  ctx: ExecutionContext;
  onItsWay: NewsOnItsWay;
}

/**
 * A workspace's object behind the front door. Each call takes a fresh stub, because one that has seen an
 * exception stays broken, and news of an earlier due time goes to the directory behind the answer.
 */
export function frontDoor(workspace: string, { env, ctx, onItsWay }: FrontDoor): GrantedCalls {
  return {
    async call<M extends Method>(grant: Grant, method: M, args: unknown[]): Promise<Reply<M>> {
      const sphere = env.SPHERES.getByName(workspace) as unknown as SphereStub;
      const reply = await sphere.call(grant, method, args);
      if (reply.ok && reply.news !== undefined) {
        const { news } = reply;
        const sending = onItsWay.send(workspace, news, () =>
          tellDirectory(env, workspace, { news, sphere }),
        );
        ctx.waitUntil(
          sending.catch((error: unknown) => logError("directory_not_told", workspace, error)),
        );
      }
      return reply;
    },
  };
}
