import { describe, expect, it } from "vitest";
import { workersAiEmbedder } from "../../src/bindings/embedder.ts";
import type { Embedded, Embedder } from "../../src/bindings/embedder.ts";
import { Meaning } from "../../src/gadget/meaning.ts";
import { embedderOf } from "../../src/gadget/settings.ts";
import { VectorStore } from "../../src/storage/vectors.ts";
import { ngrams } from "../support/ngrams.ts";
import { errorOf, inSphere } from "../support/sphere.ts";
import type { Bench } from "../support/sphere.ts";

const OWNER = { role: "owner", actor: "test" } as const;

/** A sphere with an embedder whose answers the test may change, and timeouts that the test lets expire. */
function withMeaning(bench: Bench) {
  const given: { embed: (texts: string[]) => Promise<unknown> } = {
    embed: async (texts) => ngrams(texts),
  };
  const asked: string[][] = [];
  const embedder: Embedder = {
    async embed(texts) {
      asked.push(texts);
      return (await given.embed(texts)) as Embedded;
    },
  };
  const expire: { now?: () => void } = {};
  const meaning = new Meaning({
    embedder,
    sphere: bench.sphere,
    clock: () => bench.clock.now,
    timeout: () => {
      const { promise, reject } = Promise.withResolvers<never>();
      promise.catch(() => undefined);
      expire.now = () => reject(new Error("late"));
      return { expired: promise, cancel: () => undefined };
    },
    failed: () => undefined,
  });
  const recall = async (query: string, options = {}) => {
    const aids = await meaning.ofQuery(query);
    return bench.sphere.perform(OWNER, "recall", [query, { explain: true, ...options }], aids);
  };
  return { given, asked, expire, meaning, recall };
}

const vectorsIn = ({ sql }: Bench) =>
  sql.all<{ rid: number; model: string; bytes: number }>(
    "SELECT rid, model, length(data) AS bytes FROM vectors ORDER BY rid",
  );

describe("an embedder that fails", () => {
  const good = (texts: string[]) => ngrams(texts).vectors;
  it.each<[string, (texts: string[]) => Promise<unknown>]>([
    ["throws", () => Promise.reject(new Error("429"))],
    [
      "gives fewer vectors than texts",
      async (texts) => ({ model: "trigrams-1", vectors: good(texts).slice(1) }),
    ],
    [
      "gives NaN",
      async (texts) => ({
        model: "trigrams-1",
        vectors: good(texts).map((each) => [Number.NaN, ...each.slice(1)]),
      }),
    ],
    [
      "gives another dimension",
      async (texts) => ({ model: "trigrams-1", vectors: good(texts).map((each) => each.slice(1)) }),
    ],
    ["names no model", async (texts) => ({ vectors: good(texts) })],
    ["gives nothing", async () => undefined],
  ])(
    "[BND-4] and %s leaves recall to words, which says so, and keeps what is stored",
    async (_what, embed) => {
      await inSphere(async (bench) => {
        const { given, meaning, recall } = withMeaning(bench);
        const { id } = bench.owner.capture("the harbour closes at nine");
        expect(await meaning.fill()).toBe(1);
        const before = vectorsIn(bench);
        given.embed = embed;
        bench.owner.capture("the harbour opens at five");
        expect(await meaning.fill()).toBe(0);
        expect(vectorsIn(bench)).toEqual(before);
        bench.clock.now += 60_000;
        const { hits, degraded } = await recall("closes");
        expect(hits).toMatchObject([{ id, why: { ranks: { vector: null } } }]);
        expect(degraded).toEqual(["embedder"]);

        given.embed = async (texts) => ngrams(texts);
        bench.clock.now += 60_000;
        expect(await meaning.fill()).toBe(1);
        expect((await recall("closes")).degraded).toEqual([]);
      });
    },
  );

  it("[BND-4] and hangs is left after its time, and not asked again for half a minute", async () => {
    await inSphere(async (bench) => {
      const { given, asked, expire, recall } = withMeaning(bench);
      bench.owner.capture("the harbour closes at nine");
      given.embed = () => new Promise(() => undefined);
      const slow = recall("harbour");
      expire.now?.();
      expect((await slow).degraded).toEqual(["embedder"]);
      expect((await recall("harbour")).degraded).toEqual(["embedder"]);
      expect(asked).toHaveLength(1);
    });
  });
});

describe("vectors", () => {
  it("[BND-3] follow the texts: changed, forgotten and reused places are embedded again", async () => {
    await inSphere(async (bench) => {
      const { asked, meaning, recall } = withMeaning(bench);
      const first = bench.owner.capture("the harbour closes at nine").id;
      const last = bench.owner.capture("coal costs sixty-one").id;
      await meaning.fill();
      bench.owner.update(first, "quarterly wheat harvest");
      expect((await recall("harbourage")).hits).toEqual([]);
      bench.owner.forget(last);
      expect(vectorsIn(bench)).toEqual([{ rid: 1, model: "", bytes: 0 }]);
      const next = bench.owner.capture("lighthouse lamps").id;
      asked.length = 0;
      await meaning.fill();
      expect(asked).toEqual([["quarterly wheat harvest", "lighthouse lamps"]]);
      expect((await recall("harvesting")).hits.map((hit) => hit.id)).toEqual([first]);
      expect((await recall("lighthouses lamp")).hits[0]).toMatchObject({ id: next });
      asked.length = 0;
      expect(await meaning.fill()).toBe(0);
      expect(asked).toEqual([]);
    });
  });

  it("[BND-3] of a text that changes while it is embedded wait again", async () => {
    await inSphere(async (bench) => {
      const { given, meaning } = withMeaning(bench);
      const { id } = bench.owner.capture("the harbour closes at nine");
      given.embed = async (texts) => {
        if (texts[0]?.startsWith("the harbour")) bench.owner.update(id, "quite another text");
        return ngrams(texts);
      };
      await meaning.fill();
      expect(vectorsIn(bench)).toMatchObject([{ model: "trigrams-1" }]);
      const { sphere } = bench;
      expect(sphere.missingVectors(5).missing).toEqual([]);
    });
  });

  it("[BND-3] of another model are never compared: all entries are embedded again, some at a time", async () => {
    await inSphere(async (bench) => {
      const { given, meaning, recall } = withMeaning(bench);
      bench.owner.captureMany(
        Array.from({ length: 150 }, (_, at) => ({ content: `harbourmaster ${at}` })),
      );
      expect([await meaning.fill(), await meaning.fill(), await meaning.fill()]).toEqual([
        128, 22, 0,
      ]);
      given.embed = async (texts) => ngrams(texts, "trigrams-2");
      expect((await recall("harbourmasterly")).hits).toEqual([]);
      bench.owner.capture("one more");
      while ((await meaning.fill()) > 0);
      expect(new Set(vectorsIn(bench).map(({ model }) => model))).toEqual(new Set(["trigrams-2"]));
      expect((await recall("harbourmasterly")).hits).toHaveLength(10);
    });
  });

  it("[BND-5] find only what the filter lets in, and nothing inactive", async () => {
    await inSphere(async (bench) => {
      const { meaning, recall } = withMeaning(bench);
      const { owner } = bench;
      const shown = owner.capture("harbourmaster one", { tags: ["pier"] }).id;
      owner.capture("harbourmaster two");
      owner.setStatus(owner.capture("harbourmaster three", { tags: ["pier"] }).id, "deprecated");
      const old = owner.capture("harbourmaster four", { tags: ["pier"] }).id;
      owner.link(owner.capture("coal").id, old, "supersedes");
      await meaning.fill();
      const { hits } = await recall("harbourmasterly", { tag: "pier" });
      expect(hits.map((hit) => hit.id)).toEqual([shown]);
      expect(bench.owner.getEntry(shown).recallCount).toBe(1);
    });
  });

  it("[BND-5] are compared among what words found where there are too many of them", async () => {
    await inSphere(async (bench) => {
      const { meaning } = withMeaning(bench);
      bench.owner.captureMany([{ content: "harbour" }, { content: "coal" }, { content: "wheat" }]);
      await meaning.fill();
      const few = new VectorStore(bench.sql, 2);
      const [query = []] = ngrams(["harbours"]).vectors;
      expect(few.nearest("trigrams-1", query, 5, () => true)).toEqual([]);
      expect(few.similarities("trigrams-1", query, [1, 3]).map(({ doc }) => doc)).toEqual([1, 3]);
      const all = new VectorStore(bench.sql);
      expect(all.nearest("trigrams-1", query, 5, (doc) => doc !== 2)[0]).toMatchObject({ doc: 1 });
    });
  });

  it("[BND-2] cost a recall without an embedder no row", async () => {
    const rows = (vectors: boolean) =>
      inSphere(async (bench) => {
        bench.owner.captureMany([{ content: "the harbour" }, { content: "the coal" }]);
        if (vectors) await withMeaning(bench).meaning.fill();
        bench.owner.recall("harbour", { observe: true });
        return bench.rowsOf("recall");
      });
    expect(await rows(true)).toEqual(await rows(false));
  });
});

describe("Workers AI", () => {
  it("[BND-1] is asked as documented, and its refusals pass", async () => {
    const calls: unknown[] = [];
    const ai = {
      run: async (model: string, input: unknown) => {
        calls.push([model, input]);
        return { shape: [1, 2], data: [[0.6, 0.8]], pooling: "cls" };
      },
    };
    const embedder = workersAiEmbedder(ai, "@cf/baai/bge-m3");
    expect(await embedder.embed(["harbour"])).toEqual({
      model: "@cf/baai/bge-m3",
      vectors: [[0.6, 0.8]],
    });
    expect(calls).toEqual([["@cf/baai/bge-m3", { text: ["harbour"] }]]);
  });

  it("[BND-1] is off unless a model is named, and refused in words without its binding", () => {
    expect(embedderOf({})).toBeNull();
    expect(embedderOf({ AI: {} })).toBeNull();
    const error = errorOf(() => embedderOf({ SPHERE_EMBEDDING_MODEL: "@cf/baai/bge-m3" }));
    expect(error).toMatchObject({ code: "unavailable" });
    expect(error.message).toContain("SPHERE_EMBEDDING_MODEL");
  });
});
