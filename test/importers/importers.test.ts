import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INPUTS } from "../../contracts/inputs.ts";
import { EDGE_RULES } from "../../contracts/vocabulary.ts";
import { FORMATS, type Format } from "../../src/importers/index.ts";
import type { Imported } from "../../src/importers/importer.ts";

const read = (from: Format, files: Record<string, string>, assert = false): Imported =>
  FORMATS[from].read(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    { assert },
  );
const contents = ({ entries }: Imported) => entries.map((entry) => entry.item.content);
const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");

const ADA = {
  type: "entity",
  name: "Ada",
  entityType: "person",
  observations: ["wrote notes", "b. 1815"],
};
const ENGINE = { type: "entity", name: "Engine", entityType: "machine", observations: [] };
const WORKS = { type: "relation", from: "Ada", to: "Engine", relationType: "describes" };

describe("memory.jsonl", () => {
  it("gives an entry an entity and an edge a relation, which keeps its word and direction", () => {
    const plan = read("memory-jsonl", { "memory.jsonl": lines(WORKS, ADA, ENGINE) });
    expect(plan).toEqual({
      entries: [
        {
          key: "memory:Ada",
          item: {
            content: "Ada (person)\n\n- wrote notes\n- b. 1815",
            kind: "semantic",
            status: "draft",
            source: "memory.jsonl#Ada",
            tags: ["person"],
          },
        },
        { key: "memory:Engine", item: expect.objectContaining({ content: "Engine (machine)" }) },
      ],
      edges: [
        {
          src: "memory:Ada",
          dst: "memory:Engine",
          type: "relates_to",
          metadata: { relations: [{ from: "Ada", to: "Engine", word: "describes" }] },
        },
      ],
      problems: [],
    });
  });

  it("reads CRLF, a byte order mark, blank lines and the one object of read_graph alike", () => {
    const plain = read("memory-jsonl", { "memory.jsonl": lines(ADA, ENGINE, WORKS) });
    const crlf = `\uFEFF${lines(ADA, ENGINE, WORKS).replaceAll("\n", "\r\n\r\n")}\r\n`;
    const { type: _a, ...ada } = ADA;
    const { type: _e, ...engine } = ENGINE;
    const whole = JSON.stringify({ entities: [ada, engine], relations: [WORKS] }, null, 2);
    expect(read("memory-jsonl", { "memory.jsonl": crlf })).toEqual(plain);
    expect(read("memory-jsonl", { "memory.jsonl": whole })).toEqual(plain);
  });

  it("adds the observations of a second entity of one name to the first and says so", () => {
    const again = { ...ADA, entityType: "author", observations: ["b. 1815", "d. 1852"] };
    const plan = read("memory-jsonl", { "m.jsonl": lines(ADA, again) });
    expect(contents(plan)).toEqual(["Ada (person, author)\n\n- wrote notes\n- b. 1815\n- d. 1852"]);
    expect(plan.problems).toMatchObject([{ path: "m.jsonl", line: 2 }]);
  });

  it("says which line is broken and which relation dangles, and reads the rest", () => {
    const text = `${lines(ADA)}\n{"type":"ent\n42\n{}\n${lines(WORKS)}`;
    const plan = read("memory-jsonl", { "m.jsonl": text });
    expect(contents(plan)).toHaveLength(1);
    expect(plan.edges).toEqual([]);
    expect(plan.problems.map(({ line }) => line)).toEqual([2, 3, 4, null]);
    expect(plan.problems.at(-1)?.problem).toContain('"Engine"');
  });

  it("keeps both words of two relations between one pair", () => {
    const back = { ...WORKS, from: "Engine", to: "Ada", relationType: "made by" };
    const plan = read("memory-jsonl", { "m.jsonl": lines(ADA, ENGINE, WORKS, back) });
    expect(plan.edges).toHaveLength(1);
    expect(JSON.stringify(plan.edges)).toContain("made by");
  });

  it("takes observations with a time, tags and createdAt of its dialects", () => {
    const dialect = {
      ...ADA,
      observations: [{ content: "wrote notes", timestamp: "2026-01-01" }],
      tags: ["#Maths"],
      createdAt: "2026-01-02 03:04:05",
    };
    expect(read("memory-jsonl", { m: lines(dialect) }, true).entries[0]?.item).toMatchObject({
      content: "Ada (person)\n\n- wrote notes",
      tags: ["person", "maths"],
      status: "canonical",
      occurredAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    });
  });

  it("splits an entity that is larger than an entry may be, and loses none of it", () => {
    const observations = Array.from({ length: 9_000 }, (_, n) => `${n}: ${"語".repeat(40)}`);
    const plan = read("memory-jsonl", { m: lines({ ...ADA, observations }) });
    INPUTS.captureMany.parse([plan.entries.map((entry) => entry.item)]);
    const all = new Set(contents(plan).join("\n").split("\n"));
    expect(observations.filter((each) => !all.has(`- ${each}`))).toEqual([]);
    expect(plan.edges.every((edge) => edge.dst === "memory:Ada")).toBe(true);
  });
});

describe("instructions", () => {
  it("are drafts unless asserted, one a section under its headings", () => {
    const files = { "AGENTS.md": "Be kind.\r\n\r\n# Build\r\n\r\nRun `make`.\r\n\r\n## Empty\r\n" };
    const plan = read("instructions", files);
    expect(contents(plan)).toEqual(["AGENTS.md\n\nBe kind.", "AGENTS.md › Build\n\nRun `make`."]);
    expect(plan.entries.map(({ item }) => [item.kind, item.status])).toEqual([
      ["instruction", "draft"],
      ["instruction", "draft"],
    ]);
    expect(read("instructions", files, true).entries[0]?.item.status).toBe("canonical");
  });
});

const anyText = fc.string({ unit: "binary", maxLength: 60 });
const anyLine = fc.oneof(
  anyText,
  fc.json(),
  fc
    .record({ name: anyText, entityType: anyText, observations: fc.array(anyText) })
    .map((each) => JSON.stringify({ type: "entity", ...each })),
  fc.constantFrom(
    "---",
    "title: a",
    "tags: [a",
    "\ttags: b",
    "# A",
    "## A",
    "- [x] y #z",
    "- about [[A]]",
    "Status: Accepted",
    "## Status",
    "Superseded by [2](0002-b.md)",
    "[[",
    "[a](b.md)",
    "",
  ),
);

describe.each(Object.keys(FORMATS) as Format[])("any files as %s", (from) => {
  it("give what the contract accepts under keys of their own, and never throw", () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyLine), { maxLength: 3 }), (all) => {
        const files = all.map((each, n) => [`000${n}-${"ab"[n] ?? "c"}.md`, each.join("\n")]);
        const { entries, edges } = read(from, Object.fromEntries(files) as Record<string, string>);
        const kinds = new Map(entries.map(({ key, item }) => [key, item.kind ?? "episodic"]));
        expect(kinds.size).toBe(entries.length);
        if (entries.length > 0) INPUTS.captureMany.parse([entries.map(({ item }) => item)]);
        for (const { src, dst, type, metadata } of edges) {
          INPUTS.link.parse(["a", "b", type, metadata ? { metadata } : {}]);
          expect(src).not.toBe(dst);
          const [from, to] = [kinds.get(src), kinds.get(dst)];
          expect(EDGE_RULES[type].src).toContain(from);
          expect(EDGE_RULES[type].dst === "same" ? [from] : EDGE_RULES[type].dst).toContain(to);
        }
      }),
    );
  });
});
