import type { Hit, PathStep, Why } from "../../../contracts/entities.ts";
import { el, svg } from "../dom.ts";
import { badges, highlighted, shortId, when } from "../format.ts";
import { hrefOf } from "../router.ts";

/** A hit and how it came to its place; `best` is the largest score of the list. */
export function hitCard(hit: Hit, best: number): HTMLElement {
  const { id, content, why, actor, occurredAt, tags } = hit;
  const superseded = (hit.supersededBy ?? []).length > 0;
  return el(
    "article",
    { class: "hit" },
    el(
      "p",
      { class: "meta" },
      el(
        "a",
        { href: hrefOf("entry", id), "aria-label": `Open entry ${shortId(id)}` },
        shortId(id),
      ),
      badges({ ...hit, superseded }),
      el("span", { class: "quiet" }, `${actor} · `, when(occurredAt)),
    ),
    highlighted(content, why?.matchedTerms ?? []),
    tags.length === 0
      ? null
      : el("p", { class: "quiet tags" }, tags.map((tag) => `#${tag}`).join(" ")),
    why === undefined ? null : explanation(why, hit.score, best),
  );
}

function explanation(why: Why, score: number, best: number): HTMLElement {
  const ranks = Object.entries(why.ranks).map(
    ([arm, rank]) => `${arm} ${rank === null ? "–" : `#${rank}`}`,
  );
  return el(
    "details",
    { class: "why", open: true },
    el("summary", {}, `Why: score ${score.toPrecision(3)} · ${ranks.join(" · ")}`),
    el("div", { class: "chart" }, bar("score", score / best, score), ...factors(why)),
    why.path === null || why.path.steps.length === 0 ? null : path(why.path),
  );
}

/** RRF is the base of the product; the others are factors about 1, drawn from the middle to 0.5 and 1.5. */
function factors({ factors: { rrf, ...others } }: Why): HTMLElement[] {
  return [
    el(
      "p",
      { class: "factor" },
      el("span", {}, "rrf"),
      el("span"),
      el("output", {}, rrf.toPrecision(3)),
    ),
    ...Object.entries(others).map(([name, value]) => deviation(name, value)),
  ];
}

function bar(name: string, share: number, value: number): HTMLElement {
  const chart = el("span", { "aria-hidden": "true" });
  const width = 100 * Math.min(1, Math.max(0, share));
  chart.append(plot(svg("rect", { class: "bar", x: 0, y: 2, width, height: 6 })));
  return el(
    "p",
    { class: "factor" },
    el("span", {}, name),
    chart,
    el("output", {}, value.toPrecision(3)),
  );
}

function deviation(name: string, value: number): HTMLElement {
  const offset = 100 * Math.min(0.5, Math.max(-0.5, value - 1));
  const box = { x: 50 + Math.min(0, offset), y: 2, width: Math.abs(offset), height: 6 };
  const chart = el("span", { "aria-hidden": "true" });
  chart.append(
    plot(
      svg("line", { class: "axis", x1: 50, x2: 50, y1: 0, y2: 10 }),
      svg("rect", { class: offset < 0 ? "bar down" : "bar up", ...box }),
    ),
  );
  return el(
    "p",
    { class: "factor" },
    el("span", {}, name),
    chart,
    el("output", {}, `× ${value.toFixed(3)}`),
  );
}

const plot = (...shapes: SVGElement[]) =>
  svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none" }, ...shapes);

function path({ from, steps }: { from: string; steps: PathStep[] }): HTMLElement {
  const link = (id: string) => el("a", { href: hrefOf("entry", id) }, shortId(id));
  return el(
    "p",
    { class: "path" },
    "Path: ",
    link(from),
    ...steps.flatMap(({ id, type, direction }) => [
      direction === "out" ? ` —${type}→ ` : ` ←${type}— `,
      link(id),
    ]),
  );
}
