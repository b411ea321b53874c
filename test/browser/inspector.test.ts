import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Role } from "../../contracts/vocabulary.ts";
import { connect } from "../../src/client/index.ts";
import { freshWorkspace, ROOT, startWorkers, tokenFor } from "../harness/workers.ts";
import { findChromium } from "./chromium.ts";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const SHOTS = join(ROOT, "screenshots");
const HOSTILE =
  'Hostile text <script>window.hit = 1</script><img src="https://elsewhere.example/x.png" onerror="window.hit = 2"> [press](javascript:window.hit=3) \u202eabc\u200b <style>body { display: none }</style>';

const workspace = freshWorkspace();
let workers: Awaited<ReturnType<typeof startWorkers>>;
let browser: Browser;
const open: Page[] = [];
/** Requests to other origins and whatever a page complained of; both must stay empty. */
const foreign: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  const executablePath = findChromium() ?? "chromium";
  [workers, browser] = await Promise.all([
    startWorkers(),
    chromium.launch({ executablePath, args: ["--no-sandbox"] }),
  ]);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((page) => page.context().close()));
  expect(foreign.splice(0)).toEqual([]);
  expect(complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await workers?.close();
});

async function sphereOf() {
  return connect({ url: workers.url, token: await tokenFor(workspace), transport: "batch" });
}

interface Look {
  role?: Role;
  place?: string;
  colorScheme?: "light" | "dark";
  width?: number;
}

async function blank({ colorScheme = "light", width = 1200 }: Look = {}): Promise<Page> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  open.push(page);
  page.on("request", (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(workers.url))
      foreign.push(request.url());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  return page;
}

/** A page that followed a link with a token. */
async function signedIn({ role = "owner", place, ...look }: Look = {}): Promise<Page> {
  const page = await blank(look);
  await page.goto(`${workers.url}inspector/#token=${await tokenFor(workspace, role)}`);
  await page.locator("header.top").waitFor();
  if (place !== undefined) await page.goto(`${workers.url}inspector/${place}`);
  return page;
}

/** WCAG A and AA, by axe. Evaluated by the debugger, which the page's CSP does not hold. */
async function violations(page: Page): Promise<string[]> {
  const { readFileSync } = await import("node:fs");
  await page.evaluate(readFileSync(AXE, "utf8"));
  const found = await page.evaluate(
    'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] })',
  );
  return (found as { violations: { id: string; nodes: { html: string }[] }[] }).violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`,
  );
}

async function capture(content: string, options: { tags?: string[]; status?: "draft" } = {}) {
  const sphere = await sphereOf();
  return (await sphere.capture(content, options)).id;
}

describe("signing in", () => {
  it("by a link: the token leaves the address for the tab's storage, and the page says who is here", async () => {
    const page = await signedIn();
    expect(page.url()).not.toContain("token");
    expect(await page.evaluate("sessionStorage.length")).toBe(1);
    const header = await page.locator("header.top").innerText();
    for (const said of [workspace, "owner", "agent:7", "until"]) expect(header).toContain(said);
    await page.reload();
    await page.getByRole("search").waitFor();
  });

  it("by a pasted token, with a sentence for what is none, and out again", async () => {
    const page = await blank();
    await page.goto(`${workers.url}inspector/`);
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Session token").fill("nonsense");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("This is no token of mini-sphere").waitFor();
    await page.getByLabel("Session token").fill(await tokenFor(workspace));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Session token").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  });

  it("is served with a policy that allows no inline script and no other origin", async () => {
    const response = await fetch(`${workers.url}inspector/`);
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'",
    );
    expect(policy).not.toContain("unsafe");
  });
});

describe("recall", () => {
  it("shows hits with their words marked and why they are there, also beside another query", async () => {
    await capture("The deploy key of the lighthouse lives in the vault", { tags: ["ops"] });
    const replaced = await capture("Lighthouse rotates its deploy key every ninety days");
    const sphere = await sphereOf();
    await sphere.setStatus(replaced, "deprecated");
    const page = await signedIn();
    await page.getByLabel("Query", { exact: true }).fill("lighthouse keys");
    await page.keyboard.press("Enter");
    const hit = page.locator("article.hit").first();
    await hit.waitFor();
    expect(await hit.locator("mark").allInnerTexts()).toEqual(["key", "lighthouse"]);
    expect(await hit.locator(".why summary").innerText()).toMatch(
      /score [\d.]+ · keyword #1 · graph/,
    );
    expect(await hit.locator(".factor").count()).toBe(7);
    expect(await page.locator(".left-out").innerText()).toContain("Left out: 1");
    expect(await violations(page)).toEqual([]);
    await page.screenshot({ path: join(SHOTS, "recall.png") });
    await page.goto(`${workers.url}inspector/#/recall?q=lighthouse&with=nothingness`);
    await page.getByText("Nothing: no_match").waitFor();
    expect(await page.locator("section.results").count()).toBe(2);
    // Looking has changed nothing.
    const [first] = (await sphere.recall("lighthouse", { observe: true })).hits;
    expect((await sphere.getEntry(first?.id ?? "")).recallCount).toBe(0);
  });

  it("shows a refusal of the contract in its own words", async () => {
    const page = await signedIn({ place: "#/recall?q=x&topK=9999" });
    expect(await page.getByRole("alert").innerText()).toContain("invalid_input");
  });
});

describe("an entry", () => {
  it("is edited with compare-and-set: a conflict shows the other text and keeps what was typed", async () => {
    const id = await capture("The kettle boils at noon");
    const page = await signedIn({ place: `#/entry/${id}` });
    await page.getByRole("button", { name: "Edit" }).click();
    await (await sphereOf()).update(id, "The kettle boils at one");
    await page.getByLabel("Text", { exact: true }).fill("The kettle boils at two");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("It says now (revision 2)").waitFor();
    expect(await page.locator(".theirs").innerText()).toBe("The kettle boils at one");
    expect(await page.getByLabel("Text", { exact: true }).inputValue()).toBe(
      "The kettle boils at two",
    );
    expect(await violations(page)).toEqual([]);
    await page.screenshot({ path: join(SHOTS, "conflict.png") });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Revision 3").waitFor();
    const newest = page.locator(".revisions > li").first();
    expect(await newest.locator("del").allInnerTexts()).toEqual(["one"]);
    expect(await newest.locator("ins").allInnerTexts()).toEqual(["two"]);
    expect(await violations(page)).toEqual([]);
    await page.screenshot({ path: join(SHOTS, "entry.png") });
  });

  it("is forgotten only after the page has said what goes", async () => {
    const id = await capture("A secret handshake", { tags: ["club", "private"] });
    const page = await signedIn({ place: `#/entry/${id}` });
    await page.getByRole("button", { name: "Forget" }).click();
    const said = await page.getByRole("dialog").innerText();
    for (const gone of ["18 characters", "0 edges", "0 earlier revisions", "2 tags"])
      expect(said).toContain(gone);
    await page.getByRole("button", { name: "Forget for good" }).click();
    await page.getByRole("search").waitFor();
    await expect((await sphereOf()).getEntry(id)).rejects.toMatchObject({ code: "not_found" });
  });

  it.each([
    ["reader", []],
    ["contributor", ["Append", "Link"]],
    ["curator", ["Append", "Edit", "Status", "Link", "Forget"]],
  ] as const)("offers a %s only what the role can do", async (role, offered) => {
    const id = await capture(`Seen by a ${role}`);
    const page = await signedIn({ role, place: `#/entry/${id}` });
    await page.locator("article.entry").waitFor();
    expect(await page.locator("article.entry > .actions button").allInnerTexts()).toEqual(offered);
  });

  it("with hostile content is harmless", async () => {
    const id = await capture(HOSTILE);
    const page = await signedIn({ place: `#/entry/${id}` });
    const prose = page.locator(".prose");
    await prose.waitFor();
    expect(await prose.locator("script, img, style, a[href^=javascript]").count()).toBe(0);
    expect(await prose.innerText()).toContain("<script>window.hit = 1</script>");
    await page.goto(`${workers.url}inspector/#/recall?q=hostile`);
    await page.locator("article.hit").waitFor();
    expect(await page.evaluate("window.hit")).toBeUndefined();
  });
});

describe("the look", () => {
  it("is dark where the system is, at the same contrast, and fits a narrow screen", async () => {
    await capture("Whales sing in the dark");
    const page = await signedIn({ colorScheme: "dark", width: 360, place: "#/recall?q=whales" });
    await page.locator("article.hit").waitFor();
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
      "rgb(22, 24, 27)",
    );
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    expect(await violations(page)).toEqual([]);
    await page.screenshot({ path: join(SHOTS, "dark-narrow.png") });
  });

  it("needs no mouse: from the query to the entry and into a dialog and out by keys", async () => {
    const id = await capture("Zeppelins moor at the mast");
    const page = await signedIn();
    await page.getByLabel("Query", { exact: true }).focus();
    await page.keyboard.type("zeppelins");
    await page.keyboard.press("Enter");
    const link = page.getByRole("link", { name: `Open entry ${id.slice(0, 8)}` });
    await link.waitFor();
    // Behind the query: the button, the options, and then the first hit.
    await page.getByLabel("Query", { exact: true }).focus();
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe(
      `Open entry ${id.slice(0, 8)}`,
    );
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Append" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});
