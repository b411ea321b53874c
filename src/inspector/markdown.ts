import DOMPurify from "dompurify";
import { Marked } from "marked";
import { el } from "./dom.ts";

/** Markup that an entry holds is shown as it was written, and an image as its source: nothing is loaded. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ raw }) => escaped(raw),
  },
});

/** Longer texts are shown as they are: a page is for reading, and parsing 256 kB holds it up. */
const PARSED_CHARS = 100_000;

const ALLOWED = {
  ALLOWED_TAGS:
    "h1 h2 h3 h4 h5 h6 p br hr ul ol li blockquote pre code em strong del a table thead tbody tr th td".split(
      " ",
    ),
  ALLOWED_ATTR: ["href", "title", "align", "start"],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  RETURN_DOM_FRAGMENT: true as const,
};

/** An entry's text as Markdown, without anything that runs, loads or looks like the page around it. */
export function markdown(text: string): HTMLElement {
  if (text.length > PARSED_CHARS)
    return el("pre", { class: "prose", dir: "auto", tabindex: 0 }, text);
  const prose = el("div", { class: "prose", dir: "auto" });
  prose.append(DOMPurify.sanitize(marked.parse(text, { async: false }), ALLOWED));
  for (const link of prose.querySelectorAll("a")) link.rel = "noopener noreferrer nofollow";
  for (const code of prose.querySelectorAll("pre, table")) code.setAttribute("tabindex", "0");
  return prose;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
