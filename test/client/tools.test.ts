import { describe, expect, it } from "vitest";
import { METHODS_BY_ROLE } from "../../contracts/api.ts";
import { ARGUMENT_NAMES, INPUTS, METHODS } from "../../contracts/inputs.ts";
import { ROLES } from "../../contracts/vocabulary.ts";
import { callTool, toolDefinitions } from "../../src/client/tools.ts";
import { FIELD_TEXTS, TOOL_TEXTS } from "../../src/client/tool-texts.ts";

const named = (name: string) => {
  const tool = toolDefinitions({ role: "owner" }).find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.inputSchema as {
    properties: Record<string, Record<string, unknown>>;
    required: string[];
    additionalProperties: boolean;
  };
};

/** The method that was called, and with what. */
function recorder() {
  const calls: unknown[][] = [];
  const memory = Object.fromEntries(
    METHODS.map((method) => [
      method,
      (...args: unknown[]) => {
        calls.push([method, ...args]);
        return Promise.resolve(null);
      },
    ]),
  );
  return { memory, calls };
}

describe("[TOL-1] tool definitions", () => {
  it.each(ROLES)("hold no method that %s lacks", (role) => {
    const methods: readonly string[] = METHODS_BY_ROLE[role];
    for (const { name } of toolDefinitions({ role, prefix: "" })) expect(methods).toContain(name);
  });

  it("take the arguments by name and the options beside them", () => {
    const { properties, required, additionalProperties } = named("memory_capture");
    expect(required).toEqual(["content"]);
    expect(additionalProperties).toBe(false);
    expect(properties).toMatchObject({
      content: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      importance: { type: "integer" },
      kind: { enum: expect.arrayContaining(["semantic"]) as string[] },
    });
  });

  it("say that a text may be null where it may", () => {
    expect(JSON.stringify(named("memory_update").properties["content"])).toContain('"null"');
  });

  it.each([
    ["mcp", ["name", "description", "inputSchema"]],
    ["anthropic", ["name", "description", "input_schema"]],
    ["openai", ["type", "function"]],
  ] as const)("have the keys of the format %s", (format, keys) => {
    expect(Object.keys(toolDefinitions({ format })[0] ?? {})).toEqual(keys);
  });

  it("have names that every vendor takes", () => {
    for (const { name } of toolDefinitions({ role: "owner" })) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }
  });

  it("describe no field that no tool has", () => {
    const fields = new Set(
      toolDefinitions({ role: "owner" }).flatMap(({ inputSchema }) =>
        Object.keys(Object(inputSchema["properties"])),
      ),
    );
    expect(Object.keys(FIELD_TEXTS).filter((each) => !fields.has(each))).toEqual([]);
  });

  it("no option has the name of an argument, which would hide it", () => {
    for (const method of METHODS) {
      const options = INPUTS[method].def.items.at(ARGUMENT_NAMES[method].indexOf("options"));
      const inner = Object(options).def?.innerType ?? options;
      const shape: object = Object(inner?.shape);
      for (const argument of ARGUMENT_NAMES[method].filter((each) => each !== "options")) {
        if (ARGUMENT_NAMES[method].includes("options")) expect(shape).not.toHaveProperty(argument);
      }
    }
  });
});

describe("[TOL-2] a call of a tool", () => {
  it.each([
    ["memory_capture", { content: "x", tags: ["a"] }, ["capture", "x", { tags: ["a"] }]],
    ["memory_capture", { content: "x" }, ["capture", "x"]],
    ["memory_recall", { query: "q", topK: 3 }, ["recall", "q", { topK: 3 }]],
    ["memory_getTags", {}, ["getTags"]],
    ["memory_update", { id: "i", content: null }, ["update", "i", null]],
    ["memory_link", { src: "a", dst: "b", type: "supersedes" }, ["link", "a", "b", "supersedes"]],
    ["memory_captureMany", { items: [{ content: "x" }] }, ["captureMany", [{ content: "x" }]]],
  ])("%s %j is the method's call", async (name, input, expected) => {
    const { memory, calls } = recorder();
    await callTool(memory, name, input);
    expect(calls).toEqual([expected]);
  });

  it.each(["recall", "memory_", "memory_constructor", "memory_runStalenessPass", ""])(
    "%j is no tool",
    async (name) => {
      const { memory, calls } = recorder();
      await expect(callTool(memory, name)).rejects.toMatchObject({ code: "forbidden" });
      expect(calls).toEqual([]);
    },
  );

  it("refuses a field that the tool does not have, and names those it has", async () => {
    const { memory, calls } = recorder();
    await expect(callTool(memory, "memory_recall", { q: "x" })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining('recall has no "q"; it has query, topK') as string,
    });
    expect(calls).toEqual([]);
  });

  it("exists for each method with a text", () => {
    expect(
      Object.keys(TOOL_TEXTS).every((each) => (METHODS as readonly string[]).includes(each)),
    ).toBe(true);
  });
});
