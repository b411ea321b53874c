import { registerAnalysisReads } from "./reads-analysis.ts";
import { registerAnyQueryReads } from "./reads-any-query.ts";
import { registerAsOfReads } from "./reads-as-of.ts";
import { registerBriefReads } from "./reads-brief.ts";
import { registerBriefBudgetReads } from "./reads-brief-budget.ts";
import { registerChangeReads } from "./reads-changes.ts";
import { registerConnectionReads } from "./reads-connections.ts";
import { registerCountReads } from "./reads-counts.ts";
import { registerEffectReads } from "./reads-effects.ts";
import { registerEntryReads } from "./reads-entries.ts";
import { registerFilterReads } from "./reads-filters.ts";
import { registerGraphReads } from "./reads-graph.ts";
import { registerLanguageReads } from "./reads-languages.ts";
import { registerMaintenanceReads } from "./reads-maintenance.ts";
import { registerNeighbourReads } from "./reads-neighbours.ts";
import { registerOrderReads } from "./reads-order.ts";
import { registerQueryWordReads } from "./reads-query-words.ts";
import { registerRankingReads } from "./reads-ranking.ts";
import { registerRecallReads } from "./reads-recall.ts";
import { registerSnippetReads } from "./reads-snippets.ts";
import { registerStalenessReads } from "./reads-staleness.ts";
import { registerSupersessionReads } from "./reads-supersession.ts";
import { registerTimePhraseReads } from "./reads-time-phrases.ts";
import type { Open } from "./suite.ts";

/** The read side of the contract, and the maintenance pass whose work reads must not depend on. */
export function registerReadTests(open: Open): void {
  for (const register of [
    registerEntryReads,
    registerChangeReads,
    registerConnectionReads,
    registerCountReads,
    registerGraphReads,
    registerSupersessionReads,
    registerAsOfReads,
    registerBriefReads,
    registerBriefBudgetReads,
    registerRecallReads,
    registerAnyQueryReads,
    registerFilterReads,
    registerNeighbourReads,
    registerRankingReads,
    registerOrderReads,
    registerEffectReads,
    registerSnippetReads,
    registerAnalysisReads,
    registerLanguageReads,
    registerQueryWordReads,
    registerTimePhraseReads,
    registerStalenessReads,
    registerMaintenanceReads,
  ]) {
    register(open);
  }
}
