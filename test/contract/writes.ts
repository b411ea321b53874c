import type { Open } from "./suite.ts";
import { registerAppendTests, registerUpdateTests } from "./writes-change.ts";
import { registerCaptureManyTests } from "./writes-capture-many.ts";
import { registerCaptureTests } from "./writes-capture.ts";
import { registerDedupTests } from "./writes-dedup.ts";
import { registerDoorTests } from "./writes-door.ts";
import { registerEdgeTests } from "./writes-edges.ts";
import { registerEvidenceTests } from "./writes-evidence.ts";
import { registerForgetTests } from "./writes-forget.ts";
import { registerHygieneTests } from "./writes-hygiene.ts";
import { registerLimitTests } from "./writes-limits.ts";
import { registerLinkTests } from "./writes-link.ts";
import { registerParallelTests } from "./writes-parallel.ts";
import { registerRefusalTests } from "./writes-refusals.ts";
import { registerRevisionTests } from "./writes-revisions.ts";
import { registerRoleTests } from "./writes-roles.ts";
import { registerSecretTests } from "./writes-secrets.ts";
import { registerStatusTests } from "./writes-status.ts";
import { registerTagTests } from "./writes-tags.ts";
import { registerValueTests } from "./writes-values.ts";

/** What the contract says of writes and of the door of every method, one topic a file. */
export function registerWriteTests(open: Open): void {
  for (const register of [
    registerDoorTests,
    registerValueTests,
    registerRefusalTests,
    registerCaptureTests,
    registerDedupTests,
    registerCaptureManyTests,
    registerHygieneTests,
    registerTagTests,
    registerAppendTests,
    registerUpdateTests,
    registerRevisionTests,
    registerEvidenceTests,
    registerStatusTests,
    registerForgetTests,
    registerLinkTests,
    registerEdgeTests,
    registerRoleTests,
    registerLimitTests,
    registerSecretTests,
    registerParallelTests,
  ]) {
    register(open);
  }
}
