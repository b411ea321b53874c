import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { importPackage } from "./engine.ts";
import type { Engine } from "./engine.ts";

interface Entity {
  name: string;
  entityType: string;
  observations: string[];
}

interface Package {
  KnowledgeGraphManager: new (file: string) => {
    createEntities(entities: Entity[]): Promise<unknown>;
    searchNodes(query: string): Promise<{ entities: Entity[] }>;
  };
}

/**
 * The official MCP memory server, its own search called directly: one entity a text. Importing it also starts
 * the server on standard input; the process ends when it has answered.
 */
export async function memoryServer(): Promise<Engine> {
  const directory = mkdtempSync(path.join(tmpdir(), "mini-sphere-speed-"));
  const file = path.join(directory, "memory.jsonl");
  process.env["MEMORY_FILE_PATH"] = file;
  const { KnowledgeGraphManager } = await importPackage<Package>(
    "@modelcontextprotocol/server-memory/dist/index.js",
  );
  const graph = new KnowledgeGraphManager(file);
  return {
    async add(documents) {
      const entities = documents.map(({ id, content }) => ({
        name: String(id),
        entityType: "note",
        observations: [content],
      }));
      await graph.createEntities(entities);
    },
    async search(query, limit) {
      const { entities } = await graph.searchNodes(query);
      return entities.slice(0, limit).map(({ name }) => Number(name));
    },
    close: () => rmSync(directory, { recursive: true }),
  };
}
