import { marked, type Token, type Tokens } from "marked";

export interface Section {
  /** Headings from the top of the document down to this one; empty for text before any heading. */
  path: string[];
  /** 1 to 6, as the heading is; 0 for text before any heading. */
  depth: number;
  /** The anchor that links use for the heading; "" for text before any heading. */
  anchor: string;
  /** Markdown under the heading up to the next one; may be empty. */
  text: string;
  /** Where its links lead, as written. */
  links: string[];
}

/** Every section of a Markdown text in order, front matter and raw HTML left out. */
export function parseSections(markdown: string): Section[] {
  const sections: Section[] = [];
  const anchors = new Set<string>();
  const open: { depth: number; title: string }[] = [];
  let section: Section = { path: [], depth: 0, anchor: "", text: "", links: [] };
  sections.push(section);

  for (const token of marked.lexer(withoutFrontMatter(markdown))) {
    if (isHeading(token)) {
      const title = plainText(token.tokens) || token.text.trim();
      while ((open.at(-1)?.depth ?? 0) >= token.depth) open.pop();
      open.push({ depth: token.depth, title });
      section = {
        path: open.map((each) => each.title),
        depth: token.depth,
        anchor: uniqueAnchor(title, anchors),
        text: "",
        links: linksOf([token]),
      };
      sections.push(section);
    } else if (token.type !== "html" && token.type !== "def") {
      section.text += token.raw;
      section.links.push(...linksOf([token]));
    }
  }
  for (const each of sections) each.text = each.text.trim();
  return sections;
}

/** The anchor of a heading: lower case, punctuation gone, spaces to hyphens, as code hosts make it. */
export function anchorOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

// The second "Example" is "example-1", unless a heading of that very name came before it.
function uniqueAnchor(title: string, used: Set<string>): string {
  const plain = anchorOf(title);
  let anchor = plain;
  for (let n = 1; used.has(anchor); n++) anchor = `${plain}-${n}`;
  used.add(anchor);
  return anchor;
}

function linksOf(tokens: Token[]): string[] {
  const links: string[] = [];
  marked.walkTokens(tokens, (token) => {
    if (token.type === "link") links.push((token as Tokens.Link).href);
  });
  return links;
}

/** The words of inline tokens, without their marks; images and HTML say nothing in a heading. */
function plainText(tokens: Token[]): string {
  return tokens.map(wordsOf).join("").replace(/\s+/g, " ").trim();
}

function wordsOf(token: Token): string {
  if (token.type === "image" || token.type === "html") return "";
  if ("tokens" in token && token.tokens) return token.tokens.map(wordsOf).join("");
  return "text" in token && typeof token.text === "string" ? token.text : "";
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function withoutFrontMatter(markdown: string): string {
  return markdown.replace(/^\uFEFF?/, "").replace(/^---\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, "");
}
