import type { Kind, RecallOptions, Status } from "../../contracts/index.ts";
import type { CandidateFacts } from "./stages.ts";

/** What a caller wants to see ([REC-6], [REC-8]). `undefined` allows any; times are ms, both ends inclusive. */
export interface RecallFilter {
  tag?: string | undefined;
  kind?: Kind | undefined;
  status?: Status | undefined;
  since?: number | undefined;
  until?: number | undefined;
  /** Deprecated and superseded entries too. */
  includeInactive: boolean;
  includeExhaust: boolean;
}

export function toFilter(options: RecallOptions): RecallFilter {
  const { tag, kind, status, since, until } = options;
  return {
    tag,
    kind,
    status,
    since,
    until,
    includeInactive: options.includeInactive === true || status === "deprecated",
    includeExhaust: options.includeExhaust === true,
  };
}

/** Stage 6, and what every arm asks before it lets an entry in. */
export function passes(facts: CandidateFacts, filter: RecallFilter): boolean {
  const inactive = facts.status === "deprecated" || facts.superseded;
  return (
    (filter.includeInactive || !inactive) &&
    (filter.includeExhaust || !facts.exhaust) &&
    (filter.tag === undefined || facts.tags.includes(filter.tag)) &&
    (filter.kind === undefined || facts.kind === filter.kind) &&
    (filter.status === undefined || facts.status === filter.status) &&
    (filter.since === undefined || facts.occurredAt >= filter.since) &&
    (filter.until === undefined || facts.occurredAt <= filter.until)
  );
}
