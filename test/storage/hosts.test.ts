import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { MiniSphereApi } from "../../contracts/index.ts";
import { MiniSphere } from "../../src/host.ts";

const openObject = () => env.SPHERES.getByName(crypto.randomUUID());

/** What any way of running it must do: keep, find and forget. */
async function expectToWork(sphere: MiniSphereApi): Promise<void> {
  const { id } = await sphere.capture("the harbour closes at nine");
  expect((await sphere.recall("harbour")).hits.map((hit) => hit.id)).toEqual([id]);
  expect((await sphere.getEntry(id)).actor).toBe("system:native");
  await sphere.forget(id);
  expect(await sphere.getCount()).toBe(0);
}

it("[STO-9] runs as a namespace object", async () => {
  await expectToWork(openObject() as unknown as MiniSphereApi);
});

it("[STO-9] runs with an empty environment", async () => {
  await runInDurableObject(openObject(), async (_instance, state) => {
    await expectToWork(new MiniSphere(state, {}));
  });
});

it("[STO-9] runs as facets inside a host object, which keep apart from it and from each other", async () => {
  await runInDurableObject(openObject(), async (host, state) => {
    await expectToWork(facetOf(state, "one"));
    await facetOf(state, "one").capture("only in the first facet");
    expect(await facetOf(state, "one").getCount()).toBe(1);
    expect(await facetOf(state, "two").getCount()).toBe(0);
    expect(await host.getCount()).toBe(0);
  });
});

it("[STO-9] keeps its memory as a facet that is stopped and started again", async () => {
  await runInDurableObject(openObject(), async (_host, state) => {
    const { id } = await facetOf(state, "sphere").capture("outlives its process");
    state.facets.abort("sphere", new Error("stopped by its host"));
    expect((await facetOf(state, "sphere").getEntry(id)).content).toBe("outlives its process");
  });
});

it("[STO-9] keeps its memory as a facet that is started again under another id", async () => {
  await runInDurableObject(openObject(), async (_host, state) => {
    await facetOf(state, "sphere", "first").capture("belongs to no id");
    state.facets.abort("sphere", new Error("stopped by its host"));
    expect(await facetOf(state, "sphere", "second").getCount()).toBe(1);
  });
});

function facetOf(state: DurableObjectState, name: string, id?: string): MiniSphereApi {
  const exported = state.exports as unknown as Record<"MiniSphere", DurableObjectClass>;
  const start = { class: exported.MiniSphere, ...(id !== undefined && { id }) };
  return state.facets.get(name, () => start) as unknown as MiniSphereApi;
}
