import { posix } from "node:path";
import type { Document } from "./documents.ts";
import type { Section } from "../../importers/markdown-sections.ts";
import type { PlannedEdge } from "../../importers/plan.ts";

/**
 * What of a document becomes an entry: the document itself, which holds its introduction, and each further
 * section that says something.
 */
export interface Outline {
  document: Document;
  key: string;
  title: string;
  /** Text before the first heading and under a title that comes first. */
  introduction: string;
  sections: OutlinedSection[];
}

export interface OutlinedSection {
  key: string;
  /** Headings from the document's title down. */
  path: string[];
  anchor: string;
  text: string;
}

export function outlineOf(document: Document): Outline {
  const lead = document.sections.filter((section) => isLead(document, section));
  const title = lead.find((section) => section.depth === 1)?.path[0];
  const fallback = document.package?.name ?? document.path;
  return {
    document,
    key: documentKey(document),
    title: title || fallback,
    introduction: lead
      .map((section) => section.text)
      .join("\n\n")
      .trim(),
    sections: document.sections
      .filter((section) => section.text !== "" && !lead.includes(section))
      .map((section) => ({
        key: `${documentKey(document)}#${section.anchor}`,
        path: title === section.path[0] ? section.path : [title || fallback, ...section.path],
        anchor: section.anchor,
        text: section.text,
      })),
  };
}

/** Relations made by links inside and between documents, one for each pair of entries. */
export function linkEdges(documents: readonly Document[]): PlannedEdge[] {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  const edges = new Map<string, PlannedEdge>();
  for (const document of documents) {
    for (const section of document.sections) {
      for (const link of section.links) {
        const src = entryKey(document, section);
        const dst = linkedKey(document, link, byPath);
        if (dst === null || dst === src || belongs(src, dst) || belongs(dst, src)) continue;
        edges.set([src, dst].toSorted().join("\n"), { src, dst, type: "relates_to" });
      }
    }
  }
  return [...edges.values()];
}

/** The entry that a relative link leads to; null when it leads out of what we hold. */
function linkedKey(
  from: Document,
  link: string,
  byPath: ReadonlyMap<string, Document>,
): string | null {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(link)) return null;
  const [file = "", anchor = ""] = decoded(link).split("#");
  const target = targetDocument(from, file.split("?")[0] ?? "", byPath);
  if (!target) return null;
  const section = target.sections.find((each) => each.anchor === anchor.toLowerCase());
  return section ? entryKey(target, section) : documentKey(target);
}

function targetDocument(from: Document, file: string, byPath: ReadonlyMap<string, Document>) {
  if (file === "") return from;
  const base = file.startsWith("/") ? "" : posix.dirname(from.path);
  const path = posix.join(base, file).replace(/\/$/, "");
  return byPath.get(path) ?? byPath.get(`${path}/README.md`);
}

function decoded(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

const documentKey = (document: Document) => `document:${document.path}`;

/** A section's own entry, or its document's when it has none. */
function entryKey(document: Document, section: Section): string {
  return section.text === "" || isLead(document, section)
    ? documentKey(document)
    : `${documentKey(document)}#${section.anchor}`;
}

const belongs = (part: string, whole: string) => part.startsWith(`${whole}#`);

function isLead(document: Document, section: Section): boolean {
  const firstHeading = document.sections.find((each) => each.depth > 0);
  return section.depth === 0 || (section === firstHeading && section.depth === 1);
}
