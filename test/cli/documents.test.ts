import { describe, expect, it } from "vitest";
import { BOUNDS, readDocuments } from "../../src/cli/demo/documents.ts";
import { temporaryTree } from "./support.ts";

const manifest = (value: object) => JSON.stringify(value);
const pathsOf = async (root: string) =>
  (await readDocuments(root)).documents.map((document) => document.path);

describe("the documents of a project", () => {
  it("are its own first, nearest the root and read-me before others, then its packages'", async () => {
    const root = await temporaryTree({
      "package.json": manifest({
        name: "here",
        dependencies: { zeta: "1", "@scope/alpha": "1" },
        devDependencies: { beta: "1" },
      }),
      "docs/guide.md": "g",
      "ABOUT.md": "a",
      "README.md": "r",
      "node_modules/zeta/package.json": manifest({ name: "zeta", version: "2.0.0" }),
      "node_modules/zeta/Readme.md": "z",
      "node_modules/zeta/docs/deep/manual.md": "m",
      "node_modules/@scope/alpha/package.json": manifest({
        name: "@scope/alpha",
        version: "1.0.0",
      }),
      "node_modules/@scope/alpha/readme.md": "s",
      "node_modules/beta/package.json": manifest({ name: "beta", version: "3.0.0" }),
      "node_modules/beta/README.md": "b",
    });
    expect(await pathsOf(root)).toEqual([
      "README.md",
      "ABOUT.md",
      "docs/guide.md",
      "node_modules/zeta/Readme.md",
      "node_modules/@scope/alpha/readme.md",
      "node_modules/beta/README.md",
      "node_modules/zeta/docs/deep/manual.md",
    ]);
  });

  it("know the package that they came with", async () => {
    const root = await temporaryTree({
      "package.json": manifest({ name: "here", version: "1.2.3", dependencies: { alias: "1" } }),
      "node_modules/alias/package.json": manifest({ name: "real", version: "2.0.0" }),
      "node_modules/alias/README.md": "r",
    });
    const { project, documents } = await readDocuments(root);
    expect(project).toEqual({ name: "here", version: "1.2.3", description: "" });
    expect(documents[0]?.package).toEqual({ name: "real", version: "2.0.0", description: "" });
  });

  it("are not those of packages that are not direct, of other files, hidden or built", async () => {
    const root = await temporaryTree({
      "package.json": manifest({ name: "here", dependencies: { absent: "1", direct: "1" } }),
      "node_modules/direct/package.json": manifest({ name: "direct", version: "1.0.0" }),
      "node_modules/direct/CHANGELOG.md": "c",
      "node_modules/indirect/package.json": manifest({ name: "indirect", version: "1.0.0" }),
      "node_modules/indirect/README.md": "i",
      ".hidden/README.md": "h",
      "dist/README.md": "d",
      "notes.txt": "n",
      "empty.md": "",
      "README.md": "r",
    });
    expect(await pathsOf(root)).toEqual(["README.md"]);
  });

  it("stop at the bounds", async () => {
    const pages = Array.from({ length: BOUNDS.files + 5 }, (_, n) => [`page-${n}.md`, "p"]);
    const headings = "# A\n\na\n\n".repeat(BOUNDS.sectionsPerPackageDocument + 5);
    const root = await temporaryTree({
      "package.json": manifest({ name: "here", dependencies: { long: "1" } }),
      "node_modules/long/package.json": manifest({ name: "long", version: "1.0.0" }),
      "node_modules/long/README.md": headings,
    });
    const [long] = (await readDocuments(root)).documents;
    expect(long?.sections).toHaveLength(BOUNDS.sectionsPerPackageDocument);
    expect(await pathsOf(await temporaryTree(Object.fromEntries(pages)))).toHaveLength(
      BOUNDS.files,
    );
  });

  it("need no manifest", async () => {
    const { project, documents } = await readDocuments(await temporaryTree({ "README.md": "r" }));
    expect(project.name).toMatch(/^mini-sphere-/);
    expect(documents).toHaveLength(1);
  });
});
