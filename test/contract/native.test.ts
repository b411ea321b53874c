import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { GrantedCalls, MiniSphereApi } from "../../contracts/index.ts";
import { METHODS } from "../../contracts/index.ts";
import { capabilityFor } from "../../src/host.ts";
import { registerReadTests } from "./reads.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { registerWriteTests } from "./writes.ts";
import { callAny } from "./writes-support.ts";

/** The object's own stub, and capabilities over it as a host would hand them out ([ACC-9]). */
const open: Open = async () => {
  const stub = env.SPHERES.getByName(crypto.randomUUID());
  const target = stub as unknown as GrantedCalls;
  return {
    owner: stub as unknown as MiniSphereApi,
    as: async (role, actor = `test:${role}`) =>
      capabilityFor(role, { target, actor }) as unknown as MiniSphereApi,
  };
};

registerWriteTests(open);
registerReadTests(open);

describe("the native methods", () => {
  it("[INP-1] refuse data without end, which no wire would carry", async () => {
    const { owner } = await open();
    const cycle: Record<string, unknown> = {};
    Object.assign(cycle, { left: cycle, right: [cycle] });
    let deep: unknown = 1;
    for (let level = 0; level < 2_000; level++) deep = [deep];
    const { results } = await owner.captureMany([{ content: "a" }, { content: "b" }]);
    const ids = results.map((result) => result.id);
    for (const metadata of [cycle, { deep }]) {
      const error = await refusal(callAny(owner, "link", [...ids, "follows", { metadata }]));
      expect(error).toMatchObject({
        code: "invalid_input",
        details: { path: "options.metadata" },
      });
    }
  });

  it.each(METHODS)("[ACC-9] have %s, with the refusals of the contract", async (method) => {
    const { owner } = await open();
    const error = await refusal(callAny(owner, method, [1, 2, 3, 4, 5]));
    expect(error.code).toBe("invalid_input");
  });

  it("[ACC-9] act as system:native, with all that an owner may", async () => {
    const { owner } = await open();
    const { id } = await owner.capture("Stand up.", { kind: "instruction", status: "canonical" });
    await owner.update(id, "Stand up straight.");
    await owner.runStalenessPass();
    expect((await owner.getEntry(id)).actor).toBe("system:native");
    expect((await owner.history(id)).revisions[0]?.actor).toBe("system:native");
    expect((await owner.getStats()).runs[0]?.trigger).toBe("system:native");
    expect((await owner.getBrief()).instructions).toHaveLength(1);
  });
});
