import type { Open } from "./suite.ts";
import {
  registerCaptureManyTests,
  registerCaptureTests,
  registerDedupTests,
} from "./writes-capture.ts";
import { registerAppendTests, registerUpdateTests } from "./writes-change.ts";
import { registerDoorTests } from "./writes-door.ts";
import { registerForgetTests } from "./writes-forget.ts";
import { registerHygieneTests } from "./writes-hygiene.ts";
import { registerLimitTests } from "./writes-limits.ts";
import { registerEdgeTests, registerLinkTests } from "./writes-link.ts";
import { registerParallelTests } from "./writes-parallel.ts";
import { registerRoleTests } from "./writes-roles.ts";
import { registerStatusTests } from "./writes-status.ts";
import { registerTagTests } from "./writes-tags.ts";

/** What the contract says of writes and of the door of every method, one topic a file. */
export function registerWriteTests(open: Open): void {
  registerDoorTests(open);
  registerCaptureTests(open);
  registerDedupTests(open);
  registerCaptureManyTests(open);
  registerHygieneTests(open);
  registerTagTests(open);
  registerAppendTests(open);
  registerUpdateTests(open);
  registerStatusTests(open);
  registerForgetTests(open);
  registerLinkTests(open);
  registerEdgeTests(open);
  registerRoleTests(open);
  registerLimitTests(open);
  registerParallelTests(open);
}
