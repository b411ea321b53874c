import { describe, expect, it } from "vitest";
import type { Open } from "./suite.ts";

const TOOL_TRAFFIC = [
  "<think>Where is the key?</think>",
  "  <think>\nline\n</think>\n",
  "<thinking>hm</thinking>",
  '<tool_call>{"name":"read","arguments":{}}</tool_call>',
  '<tool_result id="7">ok</tool_result>',
  '<function_calls><invoke name="read"></invoke></function_calls>',
  '{"type":"tool_use","id":"t1","name":"read","input":{}}',
  '{"type":"tool_result","tool_use_id":"t1","content":"ok"}',
  '{"role":"tool","content":"ok"}',
  '[{"type":"tool_result","content":"ok"},{"type":"tool_use","name":"read","input":{}}]',
  '{"name":"read","arguments":"{}"}',
];

const TEXT = [
  "<think>Where is the key?</think> In the drawer.",
  "The model wrote <think>Where is the key?</think>",
  "<think>",
  "<thinkers>are people</thinkers>",
  "<p>tool_call</p>",
  '{"type":"module","name":"mini-sphere"}',
  '{"name":"read"}',
  "[1, 2, 3]",
  "[]",
  "{}",
  "{not json",
  "null",
  'We call it with {"type":"tool_use"}.',
];

const MACHINE_TAGS = ["auto-pattern", "auto-insight", "synthesized", "rolled-up", " Synthesized "];

export function registerHygieneTests(open: Open): void {
  describe("origin tags", () => {
    it("[CAP-11] are moved into origin, and warnings say so", async () => {
      const { owner } = await open();
      const tags = [
        "session:2026-a",
        "session_b",
        "id:42",
        "type:turn",
        "role:user",
        "model:x:y",
        "kept",
      ];
      const { id, warnings } = await owner.capture("said", { tags });
      expect(warnings).toHaveLength(1);
      for (const tag of tags.slice(0, -1)) expect(warnings[0]).toContain(tag);
      expect(warnings[0]).toMatch(/^tags: /);
      expect(warnings[0]).not.toContain("kept");
      expect(await owner.getEntry(id)).toMatchObject({
        tags: ["kept"],
        origin: {
          id: ["42"],
          model: ["x:y"],
          role: ["user"],
          session: ["2026-a", "b"],
          type: ["turn"],
        },
      });
      expect(await owner.getTags()).toEqual([{ tag: "kept", count: 1 }]);
    });

    it("[CAP-11] are those and no others", async () => {
      const { owner } = await open();
      const tags = [
        "ideas",
        "identity:x",
        "model",
        "roles:admin",
        "session",
        "session:",
        "sessions:1",
      ];
      const others = ["type:turns", "type:person", "turn", "user:role:x", "modelling:x"];
      const { id, warnings } = await owner.capture("said", { tags: [...tags, ...others] });
      expect(warnings).toEqual([]);
      expect((await owner.getEntry(id)).tags).toEqual([...tags, ...others].sort());
    });

    it("[CAP-11] are recognised as they are stored, whatever their case and white space", async () => {
      const { owner } = await open();
      const { id } = await owner.capture("said", { tags: [" SESSION:Seven ", "Type:TURN"] });
      expect(await owner.getEntry(id)).toMatchObject({
        tags: [],
        origin: { session: ["seven"], type: ["turn"] },
      });
    });
  });

  describe("exhaust", () => {
    it("[CAP-12] is content that is as a whole tool traffic", async () => {
      const { owner } = await open();
      const { results } = await owner.captureMany(TOOL_TRAFFIC.map((content) => ({ content })));
      const marked = await Promise.all(results.map(({ id }) => owner.getEntry(id)));
      expect(marked.filter((entry) => !entry.exhaust).map((entry) => entry.content)).toEqual([]);
    });

    it("[CAP-12] is not content that only mentions it", async () => {
      const { owner } = await open();
      const { results } = await owner.captureMany(TEXT.map((content) => ({ content })));
      const unmarked = await Promise.all(results.map(({ id }) => owner.getEntry(id)));
      expect(unmarked.filter((entry) => entry.exhaust).map((entry) => entry.content)).toEqual([]);
    });

    it("[CAP-12] is what a tag or a source says is machine-made", async () => {
      const { owner } = await open();
      const exhaust = async (content: string, options: { tags?: string[]; source?: string }) =>
        (await owner.getEntry((await owner.capture(content, options)).id)).exhaust;
      for (const tag of MACHINE_TAGS) expect(await exhaust(tag, { tags: ["a", tag] })).toBe(true);
      for (const tag of ["synthesized-oil", "auto", "pattern"]) {
        expect(await exhaust(tag, { tags: [tag] })).toBe(false);
      }
      expect(await exhaust("by the system", { source: "system:rollup" })).toBe(true);
      expect(await exhaust("about the system", { source: "the system: a book" })).toBe(false);
    });

    it("[CAP-12] is marked at the first capture and never moves", async () => {
      const { owner } = await open();
      const ordinary = await owner.capture("ordinary");
      await owner.capture("ordinary", { tags: ["synthesized"], source: "system:x" });
      await owner.update(ordinary.id, "<think>now it is</think>", {
        tags: ["rolled-up"],
        source: "system:x",
      });
      expect((await owner.getEntry(ordinary.id)).exhaust).toBe(false);

      const machine = await owner.capture("machine", { tags: ["synthesized"], source: "system:x" });
      await owner.update(machine.id, "written again by hand", { tags: [], source: null });
      await owner.setStatus(machine.id, "canonical");
      await owner.capture("written again by hand");
      expect((await owner.getEntry(machine.id)).exhaust).toBe(true);
    });
  });
}
