import { read } from "./project-files.ts";

const DOCUMENT = read("contracts/MINI_SPHERE_CONTRACT.md");

export const documentVersion = /^Version (\S+)$/m.exec(DOCUMENT)?.[1];

/** Ids of the rules, in the order of the document. */
export const ruleIds = [...DOCUMENT.matchAll(/^- \*\*\[([A-Z]{3}-\d+)\]\*\*/gm)].map(
  (match) => match[1] ?? "",
);

/** Rule ids that a text quotes, as `[REC-9]`. */
export function quotedIds(text: string): string[] {
  return [...text.matchAll(/\[([A-Z]{3}-\d+)\]/g)].map((match) => match[1] ?? "");
}

/** Rule ids that the document refers to in its own prose. */
export const referredIds = quotedIds(DOCUMENT);

/** Rows of the table whose first column has this heading: cells without code marks. */
export function tableRows(heading: string): string[][] {
  const lines = DOCUMENT.split("\n");
  const head = lines.findIndex((line) => cells(line)[0] === heading);
  if (head === -1) throw new Error(`The contract has no table headed "${heading}".`);
  const body = lines.slice(head + 2);
  return body
    .slice(
      0,
      body.findIndex((line) => !line.startsWith("|")),
    )
    .map(cells);
}

function cells(line: string): string[] {
  return line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.replaceAll("`", "").trim());
}
