import { env, RpcStub } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { capabilityFor } from "../../src/host.ts";

/** The stub that a host holds. */
const native = () => env.SPHERES.getByName(crypto.randomUUID());

describe("a host that holds the object's stub", () => {
  it("[ACC-9] writes as system:native, with the authority of an owner", async () => {
    const stub = native();
    const { id } = await stub.capture("Standing.", { kind: "instruction", status: "canonical" });
    expect(await stub.getEntry(id)).toMatchObject({ actor: "system:native", status: "canonical" });
  });

  it("[ACC-9] hands on less with the same role classes", async () => {
    const contributor = capabilityFor("contributor", { target: native(), actor: "agent:7" });
    const { id } = await contributor.capture("A draft.");
    expect(await contributor.readOnly().getEntry(id)).toMatchObject({ actor: "agent:7" });
    await expect(contributor.capture("x", { status: "canonical" })).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  it("[ACC-8] hands it on over Workers RPC", async () => {
    const reader = capabilityFor("reader", { target: native(), actor: "agent:7" });
    using stub = new RpcStub(reader);
    expect(await stub.getCount()).toBe(0);
    expect(await stub.readOnly().getCount()).toBe(0);
  });
});
