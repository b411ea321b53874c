import { z } from "zod";
import type { MiniSphereApi } from "../../contracts/api.ts";
import { METHODS_BY_ROLE } from "../../contracts/api.ts";
import { forbidden, invalidInput } from "../../contracts/errors.ts";
import { ARGUMENT_NAMES, INPUTS, type Method } from "../../contracts/inputs.ts";
import type { Role } from "../../contracts/vocabulary.ts";
import { FIELD_TEXTS, TOOL_TEXTS } from "./tool-texts.ts";

/*
 * The surface as tools of a language model. A tool takes one flat object: the method's arguments by name,
 * and the fields of its options beside them. Schemas are the contract's own ([INP-1]).
 */

type JsonSchema = Record<string, unknown>;

/** A tool as the Model Context Protocol names its parts. */
export interface Tool {
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

interface Formats {
  mcp: Tool;
  anthropic: { name: string; description: string; input_schema: JsonSchema };
  openai: {
    type: "function";
    function: { name: string; description: string; parameters: JsonSchema };
  };
}

export interface ToolOptions<F extends keyof Formats = keyof Formats> {
  /** Whose methods. Default: contributor, who reads and proposes. */
  role?: Role;
  /** How the parts are called. Default: "mcp". */
  format?: F;
  /** What a name begins with. Default: "memory_". */
  prefix?: string;
}

const PREFIX = "memory_";

const FORMATS: { [F in keyof Formats]: (tool: Tool) => Formats[F] } = {
  mcp: (tool) => tool,
  anthropic: ({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }),
  openai: ({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }),
};

/** The tools of a role, in the order of the contract: `toolDefinitions({ format: "anthropic" })`. */
export function toolDefinitions<F extends keyof Formats = "mcp">({
  role = "contributor",
  format = "mcp" as F,
  prefix = PREFIX,
}: ToolOptions<F> = {}): Formats[F][] {
  const methods: readonly Method[] = METHODS_BY_ROLE[role];
  return methods
    .filter((method) => TOOL_TEXTS[method] !== undefined)
    .map((method) =>
      FORMATS[format]({
        name: `${prefix}${method}`,
        description: TOOL_TEXTS[method] ?? "",
        inputSchema: inputSchema(method),
      }),
    );
}

/**
 * Does what a model asked for: the method of the tool `name` with the fields of `input`.
 *
 * @throws MiniSphereError `forbidden` for a name that is no tool, `invalid_input` for a field that the tool
 * does not have; the rest is the method's.
 */
export async function callTool(
  memory: Partial<MiniSphereApi>,
  name: string,
  input: Record<string, unknown> = {},
  { prefix = PREFIX }: { prefix?: string } = {},
): Promise<unknown> {
  const method = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  if (!isTool(method)) {
    const names = Object.keys(TOOL_TEXTS).map((each) => `${prefix}${each}`);
    throw forbidden(`There is no tool "${name}"; there are ${names.join(", ")}.`, { tool: name });
  }
  const call = memory[method] as (...args: unknown[]) => Promise<unknown>;
  return call(...argumentsOf(method, input));
}

const isTool = (name: string): name is Method => Object.hasOwn(TOOL_TEXTS, name);

interface Part {
  /** The argument's name; null for the options, whose fields stand by themselves. */
  argument: string | null;
  fields: Record<string, JsonSchema>;
  required: readonly string[];
}

function parts(method: Method): Part[] {
  const items: readonly z.ZodType[] = INPUTS[method].def.items;
  return items.map((item, index) => {
    const name = ARGUMENT_NAMES[method][index] ?? "";
    const schema = jsonSchema(item);
    if (name !== "options") {
      const optional = item instanceof z.ZodOptional;
      return { argument: name, fields: { [name]: schema }, required: optional ? [] : [name] };
    }
    const { properties = {}, required = [] } = schema as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
    };
    return { argument: null, fields: properties, required };
  });
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}

function inputSchema(method: Method): JsonSchema {
  const all = parts(method);
  const properties = Object.assign({}, ...all.map(({ fields }) => fields)) as Record<
    string,
    JsonSchema
  >;
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, described(name, schema)]),
    ),
    required: all.flatMap(({ required }) => required),
    additionalProperties: false,
  };
}

const described = (name: string, schema: JsonSchema): JsonSchema =>
  FIELD_TEXTS[name] === undefined ? schema : { ...schema, description: FIELD_TEXTS[name] };

function argumentsOf(method: Method, input: Record<string, unknown>): unknown[] {
  const all = parts(method);
  const known = new Set(all.flatMap(({ fields }) => Object.keys(fields)));
  const unknown = Object.keys(input).find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw invalidInput(`${method} has no "${unknown}"; it has ${[...known].join(", ")}.`, {
      path: unknown,
    });
  }
  const args = all.map(({ argument, fields }) =>
    argument === null
      ? Object.fromEntries(Object.entries(input).filter(([name]) => name in fields))
      : input[argument],
  );
  // Options that say nothing are left out, as a person would.
  const last = all.at(-1);
  if (last?.argument === null && Object.keys(Object(args.at(-1))).length === 0) args.pop();
  return args;
}
