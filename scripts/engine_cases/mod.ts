/**
 * Cases of the engine: required properties of locks, memoization, agents, schedules, the life cycle of workflows,
 * metrics and operations, one sentence per case, and of every setting, with the tests that prove them or the reason for
 * having none. `scripts/engine_cases_test.ts` compares the tables with the titles of tests and with the existing
 * settings.
 */
import type { CoveredCase } from "../case_coverage.ts";
import { AGENT_CASES } from "./agent.ts";
import { CRON_CASES } from "./cron.ts";
import { DATABASE_CASES } from "./databases.ts";
import { LIFECYCLE_CASES } from "./lifecycle.ts";
import { LOCK_CASES } from "./locks.ts";
import { MEMOIZATION_CASES } from "./memoization.ts";
import { OPERATION_CASES } from "./operations.ts";
import { TELEMETRY_CASES } from "./telemetry.ts";

export { KEY_CASES, METRIC_CASES, VARIABLE_CASES } from "./settings.ts";

/** All cases, by id. */
export const ENGINE_CASES: Readonly<Record<string, CoveredCase>> = {
  ...LOCK_CASES,
  ...MEMOIZATION_CASES,
  ...AGENT_CASES,
  ...CRON_CASES,
  ...LIFECYCLE_CASES,
  ...TELEMETRY_CASES,
  ...OPERATION_CASES,
  ...DATABASE_CASES,
};
