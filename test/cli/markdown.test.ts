import { describe, expect, it } from "vitest";
import { anchorOf, parseSections } from "../../src/importers/markdown-sections.ts";

describe("sections of a Markdown text", () => {
  it("have the headings above them as path", () => {
    const sections = parseSections("# A\n\na\n\n### B\n\nb\n\n## C\n\nc\n\n# D\n\nd\n");
    expect(sections.map(({ path, text }) => [path.join("/"), text])).toEqual([
      ["", ""],
      ["A", "a"],
      ["A/B", "b"],
      ["A/C", "c"],
      ["D", "d"],
    ]);
  });

  it("begin with the text before any heading", () => {
    expect(parseSections("first\n\n# A\n")[0]).toMatchObject({ path: [], depth: 0, text: "first" });
  });

  it("are not made by headings inside code", () => {
    const [, section] = parseSections("# A\n\n```sh\n# not a heading\n```\n");
    expect(section?.text).toBe("```sh\n# not a heading\n```");
  });

  it("leave out front matter, raw HTML and link definitions", () => {
    const text =
      "---\ntitle: x\n---\n<p align=center>logo</p>\n\nsaid\n\n[a]: https://example.org\n";
    expect(parseSections(text).map((section) => section.text)).toEqual(["said"]);
  });

  it("name headings without their marks", () => {
    const [, section] = parseSections("## The *big* `code` [link](x.md) ![badge](b.svg)\n");
    expect(section?.path).toEqual(["The big code link"]);
  });

  it("hold links of lists, tables, references and the heading, not those in code", () => {
    const text =
      "# [t](title.md)\n\n- [l](list.md)\n\n|a|\n|-|\n|[c](cell.md)|\n\n[r][ref] `[no](code.md)`\n\n[ref]: ref.md\n";
    expect(parseSections(text)[1]?.links).toEqual(["title.md", "list.md", "cell.md", "ref.md"]);
  });

  it.each([
    ["capture(content, options?) → { id }", "capturecontent-options---id-"],
    ["Łódź & more", "łódź--more"],
    ["snake_case", "snake_case"],
  ])("the anchor of %j is %j", (title, anchor) => {
    expect(anchorOf(title)).toBe(anchor);
  });

  it("have anchors of their own where headings repeat", () => {
    const sections = parseSections("# Example\n# Example 1\n# Example\n# Example\n");
    expect(sections.slice(1).map((section) => section.anchor)).toEqual([
      "example",
      "example-1",
      "example-2",
      "example-3",
    ]);
  });

  it("of an empty text say nothing", () => {
    expect(parseSections("")).toEqual([{ path: [], depth: 0, anchor: "", text: "", links: [] }]);
  });
});
