import {
  entriesOf,
  type Importer,
  legalText,
  note,
  tagsFrom,
  timeOf,
  type Problem,
} from "./importer.ts";
import type { PlannedEdge, PlannedEntry } from "./plan.ts";

interface Entity {
  name: string;
  types: Set<string>;
  tags: Set<string>;
  observations: Set<string>;
  occurredAt: number | null;
}
interface Relation {
  from: string;
  to: string;
  word: string;
}
interface Graph {
  entities: Map<string, Entity>;
  relations: Relation[];
}
type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === "string" ? legalText(value).trim() : "");
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * The file of the official MCP memory server: a JSON object a line, an entity or a relation; also the one
 * object that its `read_graph` answers with, and observations that are objects with a time.
 */
export const importMemory: Importer = (files, { assert }) => {
  const graph: Graph = { entities: new Map(), relations: [] };
  const problems: Problem[] = [];
  let path = "memory.jsonl";
  for (const file of files) {
    path = file.path;
    for (const { value, line, problem } of valuesIn(legalText(file.text))) {
      const wrong = problem ?? addRecord(graph, value);
      if (wrong) problems.push({ path, line, problem: wrong });
    }
  }
  const entries: PlannedEntry[] = [];
  const edges: PlannedEdge[] = [];
  for (const entity of graph.entities.values()) {
    const plan = entriesOf(keyOf(entity.name), titleOf(entity), bulletsOf(entity), {
      kind: "semantic",
      status: assert ? "canonical" : "draft",
      source: note(`memory.jsonl#${entity.name}`),
      tags: tagsFrom([...entity.types, ...entity.tags]),
      ...(entity.occurredAt === null ? {} : { occurredAt: entity.occurredAt }),
    });
    entries.push(...plan.entries);
    edges.push(...plan.edges);
  }
  edges.push(...relationEdges(graph, (problem) => problems.push({ path, line: null, problem })));
  return { entries, edges, problems };
};

interface Read {
  value?: unknown;
  line: number;
  problem?: string;
}

function* valuesIn(source: string): Generator<Read> {
  const whole = parsed(source);
  if (isFields(whole) && (Array.isArray(whole["entities"]) || Array.isArray(whole["relations"]))) {
    for (const value of list(whole["entities"])) yield { value: typed(value, "entity"), line: 1 };
    for (const value of list(whole["relations"]))
      yield { value: typed(value, "relation"), line: 1 };
    return;
  }
  for (const [n, line] of source.split("\n").entries()) {
    if (line.trim() === "") continue;
    const value = parsed(line);
    yield value === undefined
      ? { line: n + 1, problem: "is not JSON; the line is left out" }
      : { value, line: n + 1 };
  }
}

const typed = (value: unknown, type: string) => (isFields(value) ? { ...value, type } : value);

function parsed(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}

/** A sentence when the record is none that we know. */
function addRecord(graph: Graph, value: unknown): string | null {
  if (!isFields(value)) return "is not an object; the line is left out";
  const relation = { from: text(value["from"]), to: text(value["to"]) };
  if (relation.from && relation.to) {
    graph.relations.push({ ...relation, word: text(value["relationType"]) });
    return null;
  }
  const name = text(value["name"]) || text(value["entityName"]);
  if (!name) return "names no entity and no two ends of a relation; the line is left out";
  const known = graph.entities.get(name);
  const entity: Entity = known ?? {
    name,
    types: new Set(),
    tags: new Set(),
    observations: new Set(),
    occurredAt: null,
  };
  graph.entities.set(name, entity);
  addTo(entity, value);
  return known && value["type"] === "entity"
    ? `is a second entity "${name}"; its observations are added to the first`
    : null;
}

function addTo(entity: Entity, value: Fields): void {
  if (text(value["entityType"])) entity.types.add(text(value["entityType"]));
  for (const tag of list(value["tags"])) if (text(tag)) entity.tags.add(text(tag));
  entity.occurredAt ??= timeOf(value["createdAt"] ?? value["created_at"]);
  for (const each of [...list(value["observations"]), ...list(value["contents"])]) {
    const said = isFields(each) ? text(each["content"]) || text(each["text"]) : text(each);
    entity.observations.add(said || JSON.stringify(each));
  }
}

const keyOf = (name: string) => `memory:${name}`;

function titleOf({ name, types }: Entity): string {
  return types.size === 0 ? name : `${name} (${[...types].join(", ")})`;
}

const bulletsOf = ({ observations }: Entity) =>
  [...observations].map((each) => `- ${each.replaceAll("\n", "\n  ")}`).join("\n");

/** One edge a pair and type; all the words that the source has for it stand in its metadata. */
function relationEdges(
  { entities, relations }: Graph,
  report: (problem: string) => void,
): PlannedEdge[] {
  const edges = new Map<string, { edge: PlannedEdge; said: Map<string, Relation> }>();
  for (const relation of relations) {
    const { from, to, word } = relation;
    const missing = [from, to].find((name) => !entities.has(name));
    if (missing !== undefined || from === to) {
      const why = from === to ? "leads to itself" : `names "${missing}", which is no entity here`;
      report(`the relation "${from} ${word} ${to}" ${why}; it is left out`);
      continue;
    }
    const type = edgeTypeOf(word);
    const ends = type === "relates_to" ? [from, to].toSorted() : [from, to];
    const id = JSON.stringify([type, ...ends]);
    const known = edges.get(id) ?? {
      edge: { src: keyOf(from), dst: keyOf(to), type },
      said: new Map<string, Relation>(),
    };
    known.said.set(JSON.stringify([from, word]), relation);
    edges.set(id, known);
  }
  return [...edges.values()].map(({ edge, said }) => ({
    ...edge,
    metadata: wordsOf([...said.values()]),
  }));
}

const METADATA_CHARS = 1_200;

// Metadata is bounded; as many as fit, in the order of the source.
function wordsOf(relations: readonly Relation[]): NonNullable<PlannedEdge["metadata"]> {
  const kept: Relation[] = [];
  for (const relation of relations) {
    if (JSON.stringify([...kept, relation]).length <= METADATA_CHARS) kept.push(relation);
  }
  return { relations: kept.map((each) => ({ ...each })) };
}

const TYPE_OF_WORD = {
  supersedes: "supersedes",
  replaces: "supersedes",
  caused_by: "caused_by",
  part_of_project: "part_of_project",
} as const;

function edgeTypeOf(word: string): PlannedEdge["type"] {
  const plain = word.toLowerCase().replace(/[\s-]+/g, "_");
  return Object.hasOwn(TYPE_OF_WORD, plain)
    ? TYPE_OF_WORD[plain as keyof typeof TYPE_OF_WORD]
    : "relates_to";
}
