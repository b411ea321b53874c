import type { Kind, RecallOptions, Status } from "../../contracts/index.ts";
import type { SupersessionView } from "./deps.ts";
import type { CandidateFacts } from "./stages.ts";

/** What a caller wants to see ([REC-6], [REC-8]). `undefined` allows any; times are ms, both ends inclusive. */
export interface RecallFilter {
  tag?: string | undefined;
  kind?: Kind | undefined;
  status?: Status | undefined;
  since?: number | undefined;
  /** Never after `asOf`. */
  until?: number | undefined;
  /** Only what happened until then replaces ([REC-21]). */
  asOf?: number | undefined;
  /** Deprecated and superseded entries too. */
  includeInactive: boolean;
  includeExhaust: boolean;
}

export function toFilter(options: RecallOptions): RecallFilter {
  const { tag, kind, status, since, until, asOf } = options;
  return {
    tag,
    kind,
    status,
    since,
    until: asOf === undefined ? until : Math.min(asOf, until ?? asOf),
    asOf,
    includeInactive: options.includeInactive === true || status === "deprecated",
    includeExhaust: options.includeExhaust === true,
  };
}

/** Stage 6: what every arm asks before it lets an entry in. */
export function passes(
  facts: CandidateFacts,
  filter: RecallFilter,
  supersession: SupersessionView,
): boolean {
  return (
    (filter.includeInactive || isActive(facts, supersession)) &&
    (filter.includeExhaust || !facts.exhaust) &&
    (filter.tag === undefined || facts.tags.includes(filter.tag)) &&
    (filter.kind === undefined || facts.kind === filter.kind) &&
    (filter.status === undefined || facts.status === filter.status) &&
    (filter.since === undefined || facts.occurredAt >= filter.since) &&
    (filter.until === undefined || facts.occurredAt <= filter.until)
  );
}

/** What is deprecated only since a later entry replaced it was current as of then ([REC-22]). */
function isActive({ id, status }: CandidateFacts, supersession: SupersessionView): boolean {
  return (
    !supersession.isSuperseded(id) && (status !== "deprecated" || supersession.isReplacedLater(id))
  );
}
