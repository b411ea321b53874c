import type { Arguments } from "../../contracts/inputs.ts";
import type { EdgeType } from "../../contracts/vocabulary.ts";

type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

export type CaptureItem = Arguments<"captureMany">[0][number];

/** An entry to capture, under a name that the edges of the plan use until it has an id. */
export interface PlannedEntry {
  key: string;
  item: CaptureItem;
}

export interface PlannedEdge {
  src: string;
  dst: string;
  type: EdgeType;
  /** What the source says of the edge beyond our types, such as its own word for the relation. */
  metadata?: Record<string, JsonValue>;
}

export interface Plan {
  entries: PlannedEntry[];
  edges: PlannedEdge[];
}

export const PROJECT = "project";
