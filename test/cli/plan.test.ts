import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INPUTS } from "../../contracts/inputs.ts";
import { EDGE_RULES } from "../../contracts/vocabulary.ts";
import type { Document, Package } from "../../src/cli/demo/documents.ts";
import type { Commit } from "../../src/importers/git-history.ts";
import { parseSections } from "../../src/importers/markdown-sections.ts";
import type { Plan } from "../../src/importers/plan.ts";
import { planDemo } from "../../src/cli/demo/plan-demo.ts";

const project: Package = { name: "here", version: "1.0.0", description: "What it is." };

function document(path: string, markdown: string, from: Package | null = null): Document {
  return { path, package: from, sections: parseSections(markdown) };
}

function commit(hash: string, over: Partial<Commit> = {}): Commit {
  return {
    hash: hash.padEnd(40, "0"),
    parents: [],
    at: 1_000,
    author: "Ada",
    subject: `Subject ${hash}`,
    body: "",
    files: [],
    ...over,
  };
}

function planOf(documents: Document[], commits: Commit[] = []): Plan {
  return planDemo(commits, { project, documents });
}

const itemOf = (plan: Plan, key: string) => plan.entries.find((entry) => entry.key === key)?.item;

const edgesOf = (plan: Plan, type: string) =>
  plan.edges.filter((edge) => edge.type === type).map(({ src, dst }) => [src, dst]);

describe("commits", () => {
  const old = commit("a", { body: "Why", files: ["x.md", "y.ts"], at: 5_000 });
  const recent = commit("b", { parents: [old.hash, "0".repeat(40)], at: 9_000 });
  const plan = planOf([], [recent, old]);

  it("are episodes of the author date that quote message, files and hash", () => {
    expect(itemOf(plan, `commit:${old.hash}`)).toMatchObject({
      content: "Subject a\n\nWhy\n\nFiles: x.md, y.ts\n\nCommit a000000000 by Ada",
      kind: "episodic",
      occurredAt: 5_000,
      tags: ["commit"],
      claimTag: "VERIFIED",
      evidenceRef: `git:${old.hash}`,
    });
  });

  it("follow the parents that are there", () => {
    expect(edgesOf(plan, "follows")).toEqual([[`commit:${recent.hash}`, `commit:${old.hash}`]]);
  });

  it("are part of the project", () => {
    expect(edgesOf(plan, "part_of_project")).toEqual([
      [`commit:${old.hash}`, "project"],
      [`commit:${recent.hash}`, "project"],
    ]);
  });

  it("name few of many files and count the rest", () => {
    const files = Array.from({ length: 12 }, (_, n) => `f${n}`);
    const item = itemOf(planOf([], [commit("c", { files })]), `commit:${"c".padEnd(40, "0")}`);
    expect(item?.content).toContain("f9 and 2 more");
  });

  it("with equal messages are two entries", () => {
    const twins = planOf([], [commit("d", { subject: "Same" }), commit("e", { subject: "Same" })]);
    expect(new Set(twins.entries.map((entry) => entry.item.content)).size).toBe(
      twins.entries.length,
    );
  });

  it("give a handoff note from the newest", () => {
    expect(itemOf(plan, "handoff")).toMatchObject({
      kind: "episodic",
      tags: ["handoff"],
      occurredAt: 9_000,
      content: expect.stringContaining('"Subject b"'),
    });
  });
});

describe("documents", () => {
  const readme = document(
    "README.md",
    "# Here\n\nIntroduction.\n\n## Use\n\nSee [how](docs/guide.md#second).\n\n## Empty\n",
  );
  const guide = document(
    "docs/guide.md",
    "## First\n\n1\n\n## Second\n\nBack [home](../README.md).\n",
  );
  const plan = planOf([readme, guide]);

  it("are entries with their introduction, or with their headings when they have none", () => {
    expect(itemOf(plan, "document:README.md")?.content).toBe("Here (README.md)\n\nIntroduction.");
    expect(itemOf(plan, "document:docs/guide.md")?.content).toBe(
      "docs/guide.md (docs/guide.md)\n\nSections: First, Second",
    );
  });

  it("have an entry a section, with the headings above it as first line", () => {
    expect(itemOf(plan, "document:README.md#use")).toMatchObject({
      content: "Here › Use\n\nSee [how](docs/guide.md#second).",
      kind: "semantic",
      source: "README.md#use",
      tags: ["document", "here"],
    });
  });

  it("have no entry for a section without text", () => {
    expect(itemOf(plan, "document:README.md#empty")).toBeUndefined();
  });

  it("belong together: section to document, document to project", () => {
    expect(edgesOf(plan, "document_of")).toEqual([
      ["document:README.md", "project"],
      ["document:README.md#use", "document:README.md"],
      ["document:docs/guide.md", "project"],
      ["document:docs/guide.md#first", "document:docs/guide.md"],
      ["document:docs/guide.md#second", "document:docs/guide.md"],
    ]);
  });

  it("are related by links between them, once a pair", () => {
    expect(edgesOf(plan, "relates_to")).toEqual([
      ["document:README.md#use", "document:docs/guide.md#second"],
      ["document:docs/guide.md#second", "document:README.md"],
    ]);
    const twice = document("a.md", "# A\n\n[b](b.md) [b](./b.md)\n");
    const back = document("b.md", "# B\n\n[a](/a.md)\n");
    expect(edgesOf(planOf([twice, back]), "relates_to")).toHaveLength(1);
  });

  it.each([
    "https://example.org/b.md",
    "//example.org/b.md",
    "mailto:a@b.md",
    "gone.md",
    "%E0%A4%A",
    "#x",
  ])("are not related by the link %s", (link) => {
    const linked = planOf([document("a.md", `# A\n\n[t](${link})\n`), document("b.md", "b")]);
    expect(edgesOf(linked, "relates_to")).toEqual([]);
  });

  it("happened when the history last touched them", () => {
    const touched = planOf(
      [readme],
      [
        commit("2", { at: 2_000, files: ["README.md"] }),
        commit("1", { at: 1_000, files: ["README.md"] }),
      ],
    );
    expect(itemOf(touched, "document:README.md")?.occurredAt).toBe(2_000);
    expect(itemOf(plan, "document:README.md")).not.toHaveProperty("occurredAt");
  });

  it("of a package belong to the package, which is part of the project", () => {
    const zod = { name: "zod", version: "4.0.0", description: "Schemas." };
    const ofPackage = planOf([document("node_modules/zod/README.md", "# Zod\n\nHi.\n", zod)]);
    expect(itemOf(ofPackage, "package:zod")?.content).toBe("Package zod 4.0.0\n\nSchemas.");
    expect(edgesOf(ofPackage, "document_of")).toEqual([
      ["document:node_modules/zod/README.md", "package:zod"],
    ]);
    expect(edgesOf(ofPackage, "part_of_project")).toEqual([["package:zod", "project"]]);
  });

  it("for contributors give one canonical instruction, short enough for a brief", () => {
    const rules = document(
      "CONTRIBUTING.md",
      `# Rules\n\nBe kind.\n\n## More\n\n${"x ".repeat(5_000)}`,
    );
    const instruction = itemOf(planOf([rules]), "instruction");
    expect(instruction).toMatchObject({ kind: "instruction", status: "canonical" });
    expect(instruction?.content).toContain("Be kind.");
    expect(instruction?.content.length).toBeLessThanOrEqual(1_500);
  });
});

describe("the project", () => {
  it("is what the manifest and the read-me say", () => {
    const plan = planOf([document("README.md", "# Here\n\nIntroduction.\n")]);
    expect(itemOf(plan, "project")).toMatchObject({
      content: "Project here 1.0.0\n\nWhat it is.\n\nIntroduction.",
      kind: "semantic",
      status: "canonical",
    });
  });
});

describe("any plan", () => {
  const words = fc.string({ unit: "binary", maxLength: 200 });
  const anyCommit = fc.record({
    hash: fc.stringMatching(/^[0-9a-f]{40}$/),
    parents: fc.array(fc.stringMatching(/^[0-9a-f]{40}$/), { maxLength: 2 }),
    at: fc.nat(),
    author: words,
    subject: words,
    body: words,
    files: fc.array(words, { maxLength: 20 }),
  });
  const anyDocument = fc
    .tuple(fc.constantFrom("README.md", "CONTRIBUTING.md", "docs/a.md"), words)
    .map(([path, text]) => document(path, `# ${text}\n\n${text}\n\n## B\n\n[${text}](README.md)`));

  it("is what the contract accepts: items, kinds of the ends of edges, no edge to itself", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyCommit, { selector: (each) => each.hash, maxLength: 5 }),
        fc.uniqueArray(anyDocument, { selector: (each) => each.path }),
        (commits, documents) => {
          const plan = planOf(documents, commits);
          INPUTS.captureMany.parse([plan.entries.map((entry) => entry.item)]);
          for (const { src, dst, type } of plan.edges) {
            expect(src).not.toBe(dst);
            expect(EDGE_RULES[type].src).toContain(itemOf(plan, src)?.kind);
            expect(EDGE_RULES[type].dst).toContain(itemOf(plan, dst)?.kind);
          }
          expect(new Set(plan.entries.map((entry) => entry.key)).size).toBe(plan.entries.length);
        },
      ),
    );
  });
});
