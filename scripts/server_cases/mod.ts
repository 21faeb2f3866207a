/**
 * Cases of the server and of the CLI: required properties of routes (SV), callers (AU), commands (CL) and known attacks
 * (SEC), one sentence per case, with the tests of each. `scripts/server_cases_test.ts` compares the tables with the
 * titles of tests.
 */
import type { CoveredCase } from "../case_coverage.ts";
import { ATTACK_CASES } from "./attacks.ts";
import { CALLER_CASES } from "./callers.ts";
import { COMMAND_CASES } from "./commands.ts";
import { ROUTE_CASES } from "./routes.ts";

/** All cases, by id. */
export const SERVER_CASES: Readonly<Record<string, CoveredCase>> = {
  ...ROUTE_CASES,
  ...CALLER_CASES,
  ...COMMAND_CASES,
  ...ATTACK_CASES,
};
