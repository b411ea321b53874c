import { setTimeout } from "node:timers/promises";
import type { Arguments, Method, MiniSphereApi, Results } from "../../contracts/index.ts";
import { connect, hasErrorCode } from "../../src/client/index.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import { pick, weighted } from "./random.ts";
import type { Tally } from "./tally.ts";
import { question } from "./texts.ts";

/** How often which call, among reads and among writes. */
const READS = { recall: 5, getEntry: 2, listRecent: 1, getBrief: 1, connections: 1 };
const WRITES = { capture: 4, append: 2, link: 2, update: 1, setStatus: 1 };
/** Four writes in ten compare and set, for which they read first: with these, one call in ten is a write. */
const WRITE_SHARE = 1 / 9.6;
/** Entries that an agent remembers, and how many of the last listed ones it changes: others change those too. */
const KNOWN = 100;
const NEWEST = 5;
/** Milliseconds before an agent that was told `unavailable` connects again. */
const PAUSE = 20;

export interface SessionOptions {
  /** The agent's number; with that of a text it makes a marker that no other text has. */
  number: number;
  url: string;
  token: string;
  transport: "websocket" | "batch";
  texts: readonly string[];
  random: Random;
  ledger: Ledger;
  tally: Tally;
}

/** The word that finds a text of an agent, and no other. */
export const markerOf = (agent: number, text: number) => `zz${agent}z${text}`;
export const MARKERS = /\bzz\d+z\d+\b/g;

/** One agent on one workspace, which others use as well: one call after the other, mostly reads. */
export class AgentSession {
  readonly #options: SessionOptions;
  readonly #known: string[] = [];
  #newest: string[] = [];
  #memory: MiniSphereApi & { close(): void };
  #written = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#memory = this.#connect();
  }

  async step(): Promise<void> {
    const { random } = this.#options;
    if (random() < WRITE_SHARE) await this.#write(weighted(WRITES, random));
    else await this.#read(weighted(READS, random));
  }

  close(): void {
    this.#memory.close();
  }

  async #read(method: keyof typeof READS): Promise<void> {
    const { texts, random } = this.#options;
    const [id] = this.#ids(1);
    if (method === "getBrief") await this.#call("getBrief");
    else if (method === "recall") {
      const found = await this.#call("recall", question(texts, random));
      this.#remember(found?.hits ?? []);
    } else if (method === "listRecent" || id === undefined) {
      const listed = await this.#call("listRecent", { n: 20 });
      this.#remember(listed?.entries ?? []);
      this.#newest = listed?.entries.slice(0, NEWEST).map((entry) => entry.id) ?? this.#newest;
    } else await this.#call(method, id);
  }

  async #write(method: keyof typeof WRITES): Promise<void> {
    const [a, b] = this.#ids(2);
    if (method === "capture" || a === undefined || b === undefined) return this.#capture();
    if (method === "link") return this.#link(a, b);
    const id = this.#newest.length > 0 ? pick(this.#newest, this.#options.random) : a;
    const entry = await this.#call("getEntry", id);
    if (entry !== null) await this.#change(method, id, entry.revision);
  }

  async #capture(): Promise<void> {
    const { ledger, random } = this.#options;
    const content = this.#text();
    const tags = [`topic-${Math.floor(random() * 20)}`];
    const captured = await this.#call("capture", content, { tags });
    if (captured === null) ledger.doubtful += 1;
    else {
      ledger.answered.push({ method: "capture", id: captured.id, content });
      this.#remember([captured]);
    }
  }

  async #link(a: string, b: string): Promise<void> {
    const linked = await this.#call("link", a, b, "relates_to");
    if (linked === null) return;
    const { src, dst, type } = linked.edge;
    this.#options.ledger.answered.push({ method: "link", src, dst, type });
  }

  async #change(
    method: "append" | "update" | "setStatus",
    id: string,
    ifRevision: number,
  ): Promise<void> {
    const { ledger, random } = this.#options;
    if (method === "setStatus") {
      const status = pick(["draft", "canonical"] as const, random);
      const set = await this.#call("setStatus", id, status, { ifRevision });
      if (set !== null) ledger.answered.push({ method, ...set, status });
      return;
    }
    const text = this.#text();
    const changed = await this.#call(method, id, text, { ifRevision });
    if (changed === null) return;
    ledger.answered.push(
      method === "append"
        ? { method, ...changed, addition: text }
        : { method, ...changed, content: text },
    );
  }

  /** The result, or null when it was refused, which is counted. */
  async #call<M extends Method>(method: M, ...args: Arguments<M>): Promise<Results[M] | null> {
    const { tally, transport } = this.#options;
    const call = this.#memory[method] as (...args: Arguments<M>) => Promise<Results[M]>;
    const from = performance.now();
    try {
      const result = await call(...args);
      tally.done(method, transport, performance.now() - from);
      return result;
    } catch (error) {
      tally.failed(hasErrorCode(error) ? error.code : String(error));
      await this.#recover(error);
      return null;
    }
  }

  /** As an agent should: wait as long as it is told, connect again when the connection may be gone. */
  async #recover(error: unknown): Promise<void> {
    const { code, details } = error as { code?: string; details?: { retryAfterMs?: number } };
    if (code === "limit_exceeded") await setTimeout(details?.retryAfterMs ?? 0);
    if (code !== "unavailable") return;
    await setTimeout(PAUSE);
    this.#memory.close();
    this.#memory = this.#connect();
  }

  #connect() {
    const { url, token, transport } = this.#options;
    return connect({ url, token, transport }) as unknown as MiniSphereApi & { close(): void };
  }

  #text(): string {
    const { number, texts, random } = this.#options;
    this.#written += 1;
    return `${pick(texts, random)} ${markerOf(number, this.#written)}`;
  }

  #remember(entries: readonly { id: string }[]): void {
    this.#known.push(...entries.map((entry) => entry.id));
    this.#known.splice(0, this.#known.length - KNOWN);
  }

  /** Different ones, fewer when it knows fewer. */
  #ids(n: number): string[] {
    const known = [...new Set(this.#known)];
    return Array.from({ length: Math.min(n, known.length) }, () => {
      const at = Math.floor(this.#options.random() * known.length);
      return known.splice(at, 1)[0]!;
    });
  }
}
