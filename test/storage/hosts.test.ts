import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { MiniSphereApi } from "../../contracts/index.ts";
import { copyWorkspace } from "../../examples/host/copy-workspace.ts";
import { MiniSphere } from "../../src/host.ts";
import { fillWorkspace } from "../fixtures/databases/workspace.ts";

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

it("[STO-9] is copied from a namespace object into a facet and back, with all but what is new by nature", async () => {
  await runInDurableObject(openObject(), async (_host, state) => {
    const [from, facet, back] = [
      openObject() as never,
      facetOf(state, "sphere"),
      openObject() as never,
    ];
    await fillWorkspace(from);
    await copyWorkspace(from, facet);
    await copyWorkspace(facet, back);
    await copyWorkspace(facet, back);
    const known = await knowledgeOf(from);
    expect(known.edges.length).toBeGreaterThan(8);
    expect(await knowledgeOf(facet)).toEqual(known);
    expect(await knowledgeOf(back)).toEqual(known);
  });
});

/** What a copy must keep: entries by their content, and edges between contents. */
async function knowledgeOf(sphere: MiniSphereApi) {
  const { entries: listed } = await sphere.listRecent({ n: 200 });
  const entries = await Promise.all(listed.map(({ id }) => sphere.getEntry(id)));
  const { edges } = await sphere.graphView({ seedIds: listed.map(({ id }) => id), hops: 0 });
  const contentOf = new Map(entries.map(({ id, content }) => [id, content]));
  return {
    entries: entries
      .map(({ id: _id, createdAt: _created, updatedAt: _updated, ...entry }) => ({
        ...entry,
        revision: 0,
        recallCount: 0,
        staleSince: null,
        supersededBy: entry.supersededBy.length,
        restsOnSuperseded: entry.restsOnSuperseded.length,
      }))
      .sort(byJson),
    edges: edges
      .map(({ src, dst, type, weight, provenance, metadata }) => {
        const ends = [contentOf.get(src), contentOf.get(dst)];
        // relates_to has no direction: its src is the smaller id, which is new.
        if (type === "relates_to") ends.sort();
        return { ends, type, weight, provenance, metadata };
      })
      .sort(byJson),
  };
}

const byJson = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

function facetOf(state: DurableObjectState, name: string, id?: string): MiniSphereApi {
  const exported = state.exports as unknown as Record<"MiniSphere", DurableObjectClass>;
  const start = { class: exported.MiniSphere, ...(id !== undefined && { id }) };
  return state.facets.get(name, () => start) as unknown as MiniSphereApi;
}
