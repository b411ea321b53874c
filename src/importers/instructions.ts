import { entriesOf, type Importer, note } from "./importer.ts";
import { parseSections } from "./markdown-sections.ts";

/**
 * `AGENTS.md`, `CLAUDE.md` and their like: an instruction a section that says something, under the headings
 * above it. Drafts, since an instruction is what every brief begins with: a person asserts it.
 */
export const importInstructions: Importer = (files, { assert }) => {
  const plans = files.flatMap(({ path, text }) =>
    parseSections(text)
      .filter((section) => section.text !== "")
      .map((section) => {
        const key = section.depth === 0 ? path : `${path}#${section.anchor}`;
        return entriesOf(`instructions:${key}`, [path, ...section.path].join(" › "), section.text, {
          kind: "instruction",
          status: assert ? "canonical" : "draft",
          source: note(key),
          tags: ["instructions"],
        });
      }),
  );
  return {
    entries: plans.flatMap((plan) => plan.entries),
    edges: plans.flatMap((plan) => plan.edges),
    problems: [],
  };
};
