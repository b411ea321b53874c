import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseSections, type Section } from "../../importers/markdown-sections.ts";

export const BOUNDS = {
  files: 40,
  sections: 400,
  /** So that one long manual does not crowd out the other packages. */
  sectionsPerPackageDocument: 30,
  fileBytes: 1_000_000,
} as const;

export interface Package {
  name: string;
  version: string;
  description: string;
}

export interface Document {
  /** Relative to the root, with forward slashes. */
  path: string;
  /** The package it came with; null for the repository's own. */
  package: Package | null;
  sections: Section[];
}

export interface Documents {
  project: Package;
  documents: Document[];
}

/**
 * The repository's own Markdown first, then the read-me of each direct dependency, then their `docs`, up to
 * the bounds. The order is fixed, so that the same tree always gives the same documents.
 */
export async function readDocuments(root: string): Promise<Documents> {
  const manifest = await readManifest(root);
  const project = packageOf(manifest, basename(root));
  const documents: Document[] = [];
  let room: number = BOUNDS.sections;
  for (const found of await listFiles(root, dependencyNames(manifest))) {
    if (documents.length >= BOUNDS.files || room <= 0) break;
    const sections = await readSections(join(root, found.path));
    const most = found.package ? Math.min(room, BOUNDS.sectionsPerPackageDocument) : room;
    const document = { ...found, sections: sections.slice(0, most) };
    if (document.sections.some((section) => section.text !== "")) documents.push(document);
    room -= document.sections.length;
  }
  return { project, documents };
}

interface Found {
  path: string;
  package: Package | null;
}

async function listFiles(root: string, dependencies: string[]): Promise<Found[]> {
  const own = (await markdownUnder(root, "")).toSorted(readFirst);
  const readmes: Found[] = [];
  const manuals: Found[] = [];
  for (const name of dependencies) {
    const directory = `node_modules/${name}`;
    const manifest = await readManifest(join(root, directory));
    if (!manifest.version) continue;
    const files = (await markdownUnder(root, directory)).toSorted(readFirst);
    const from = packageOf(manifest, name);
    const inPackage = (path: string) => path.slice(directory.length + 1).toLowerCase();
    for (const path of files) {
      if (inPackage(path) === "readme.md") readmes.push({ path, package: from });
      else if (inPackage(path).startsWith("docs/")) manuals.push({ path, package: from });
    }
  }
  return [...own.map((path) => ({ path, package: null })), ...readmes, ...manuals];
}

/** Nearest the root first, the read-me before its neighbours, then by name. */
function readFirst(a: string, b: string): number {
  const key = (path: string) => {
    const depth = String(path.split("/").length).padStart(3, "0");
    return `${depth} ${/(^|\/)readme\.md$/i.test(path) ? 0 : 1} ${path}`;
  };
  return key(a) < key(b) ? -1 : 1;
}

const SKIPPED = new Set(["node_modules", "dist", "coverage"]);

async function markdownUnder(root: string, directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const each of await readdir(join(root, directory), { withFileTypes: true })) {
    const path = directory === "" ? each.name : `${directory}/${each.name}`;
    if (each.isDirectory() && !each.name.startsWith(".") && !SKIPPED.has(each.name)) {
      found.push(...(await markdownUnder(root, path)));
    } else if (each.isFile() && /\.md$/i.test(each.name)) {
      found.push(path);
    }
  }
  return found;
}

async function readSections(file: string): Promise<Section[]> {
  if ((await stat(file)).size > BOUNDS.fileBytes) return [];
  return parseSections(await readFile(file, "utf8"));
}

type Manifest = Record<string, unknown>;

async function readManifest(directory: string): Promise<Manifest> {
  try {
    const parsed: unknown = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
    return typeof parsed === "object" && parsed !== null ? (parsed as Manifest) : {};
  } catch {
    // No manifest, or one that nobody can read: the directory is not a package.
    return {};
  }
}

function packageOf(manifest: Manifest, fallbackName: string): Package {
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return {
    name: text(manifest["name"]) || fallbackName,
    version: text(manifest["version"]),
    description: text(manifest["description"]),
  };
}

function dependencyNames(manifest: Manifest): string[] {
  const names = (value: unknown) => (typeof value === "object" && value ? Object.keys(value) : []);
  return [...new Set([...names(manifest["dependencies"]), ...names(manifest["devDependencies"])])];
}
