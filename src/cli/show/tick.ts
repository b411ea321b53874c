import type { TickRecord } from "../../../contracts/maintenance.ts";
import { columns } from "./layout.ts";

/** The record of a tick, for people. What did not go wrong is left out. */
export function showTick(record: TickRecord): string {
  const wrong: [string, number][] = [
    ["workspaces that failed", record.failed],
    ["workspaces left over", record.leftOver],
    ["shards out of reach", record.unreachable],
    ["calls that failed", record.failedCalls],
  ];
  return columns([
    ["tick", new Date(record.tick).toISOString()],
    ["workspaces visited", record.visited],
    ["entries flagged", record.flagged],
    ["entries expired", record.expired],
    ...wrong.filter(([, n]) => n > 0),
    ["calls", record.calls],
    ["ms", record.ms],
  ]);
}
