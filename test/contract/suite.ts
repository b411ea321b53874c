import type { MiniSphereApi, Role } from "../../contracts/index.ts";

/** One fresh workspace, reached some way: natively, or over a session to a running Worker. */
export interface Opened {
  owner: MiniSphereApi;
  /**
   * A capability of that role on the same workspace. Typed as the whole surface, because a test may call
   * what the role lacks.
   */
  as(role: Role, actor?: string): Promise<MiniSphereApi>;
}

/** The contract suite is a set of functions that take this; it runs once for each way in ([WIR-1]). */
export type Open = () => Promise<Opened>;

export interface Refusal extends Error {
  code: string;
  details: Record<string, unknown>;
}

/** The refusal of a call; fails when it succeeds. */
export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    return error as Refusal;
  }
  throw new Error("Expected a refusal, and the call succeeded.");
}
