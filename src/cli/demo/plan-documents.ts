import { LIMITS } from "../../../contracts/limits.ts";
import { cut } from "../../lib/text.ts";
import type { Documents, Package } from "./documents.ts";
import { textForEntry } from "../../importers/entry-text.ts";
import type { Commit } from "../../importers/git-history.ts";
import { linkEdges, type Outline, outlineOf } from "./outline.ts";
import { type CaptureItem, type Plan, type PlannedEntry, PROJECT } from "../../importers/plan.ts";

/** Short enough that a brief of the default size holds it whole. */
const INSTRUCTION_CHARS = 1_500;

/**
 * The project, the packages it uses, their documents and the sections of those: a section documents its
 * document, a document its project or package, and a link between two of them relates them.
 */
export function planDocuments(input: Documents, commits: readonly Commit[]): Plan {
  const { project, documents } = input;
  const outlines = documents.map(outlineOf);
  const touchedAt = lastTouched(commits);
  const parts = [
    planProject(project, outlines),
    ...packagesOf(input).map(planPackage),
    ...outlines.map((outline) => planDocument(outline, project, touchedAt)),
    planInstruction(project, outlines),
  ];
  return {
    entries: parts.flatMap((part) => part.entries),
    edges: [...parts.flatMap((part) => part.edges), ...linkEdges(documents)],
  };
}

function planProject(project: Package, outlines: readonly Outline[]): Plan {
  const readme = outlines.find(({ document }) => /^readme\.md$/i.test(document.path));
  const item = {
    content: textForEntry([
      `Project ${nameAndVersion(project)}`,
      project.description,
      readme?.introduction ?? "",
    ]),
    ...factFrom("package.json", null),
    tags: tagsOf("project", project),
  };
  return { entries: [{ key: PROJECT, item }], edges: [] };
}

function planPackage(each: Package): Plan {
  const key = packageKey(each);
  const item = {
    content: textForEntry([`Package ${nameAndVersion(each)}`, each.description]),
    ...factFrom(`node_modules/${each.name}/package.json`, each),
    tags: tagsOf("package", each),
  };
  return {
    entries: [{ key, item }],
    edges: [{ src: key, dst: PROJECT, type: "part_of_project" }],
  };
}

function planDocument(
  outline: Outline,
  project: Package,
  touchedAt: ReadonlyMap<string, number>,
): Plan {
  const { document, key, sections } = outline;
  const occurredAt = touchedAt.get(document.path);
  const common = {
    tags: tagsOf("document", document.package ?? project),
    ...(occurredAt === undefined ? {} : { occurredAt }),
  };
  const whole: PlannedEntry = {
    key,
    item: {
      content: textForEntry([
        `${outline.title} (${document.path})`,
        outline.introduction || `Sections: ${sections.map((each) => each.path.at(-1)).join(", ")}`,
      ]),
      ...factFrom(document.path, document.package),
      ...common,
    },
  };
  const parts = sections.map((section) => ({
    key: section.key,
    item: {
      content: textForEntry([section.path.join(" › "), section.text]),
      ...factFrom(`${document.path}#${section.anchor}`, document.package),
      ...common,
    },
  }));
  const owner = document.package ? packageKey(document.package) : PROJECT;
  return {
    entries: [whole, ...parts],
    edges: [
      { src: key, dst: owner, type: "document_of" },
      ...parts.map((part) => ({ src: part.key, dst: key, type: "document_of" as const })),
    ],
  };
}

/** The repository's own rules for contributors, as the instruction that every brief begins with. */
function planInstruction(project: Package, outlines: readonly Outline[]): Plan {
  const rules = outlines.find(({ document }) => /^contributing\.md$/i.test(document.path));
  if (!rules) return { entries: [], edges: [] };
  const said = [
    `Work on ${project.name} as ${rules.document.path} says`,
    rules.introduction,
    ...rules.sections.flatMap((section) => [section.path.at(-1) ?? "", section.text]),
  ];
  const item: CaptureItem = {
    content: cut(textForEntry(said), INSTRUCTION_CHARS).content.trimEnd(),
    ...factFrom(rules.document.path, null),
    kind: "instruction",
    tags: tagsOf("contributing", project),
  };
  return {
    entries: [{ key: "instruction", item }],
    edges: [{ src: "instruction", dst: PROJECT, type: "part_of_project" }],
  };
}

/** What a file says: asserted by its authors, checked by nobody here. */
function factFrom(path: string, from: Package | null): Omit<CaptureItem, "content"> {
  return {
    kind: "semantic",
    status: "canonical",
    // A package's text belongs to its version; the repository's own goes out of date.
    volatility: from ? "durable" : "state",
    claimTag: "INFERRED",
    source: cut(from ? `${path} of ${nameAndVersion(from)}` : path, LIMITS.noteChars).content,
  };
}

/** When the history last touched a path: the time of what a document says. */
function lastTouched(newestFirst: readonly Commit[]): Map<string, number> {
  const at = new Map<string, number>();
  for (const commit of newestFirst) {
    for (const file of commit.files) if (!at.has(file)) at.set(file, commit.at);
  }
  return at;
}

function packagesOf({ documents }: Documents): Package[] {
  return [
    ...new Map(
      documents.flatMap((each) => (each.package ? [[each.package.name, each.package]] : [])),
    ).values(),
  ];
}

const packageKey = (each: Package) => `package:${each.name}`;

const nameAndVersion = (each: Package) => `${each.name} ${each.version}`.trim();

function tagsOf(what: string, from: Package): string[] {
  return [what, from.name].filter((tag) => tag.length <= LIMITS.tagChars);
}
