/**
 * Cases of the server and of the CLI: what must be true of routes (SV), callers (AU), commands (CL) and known attacks (SEC),
 * one sentence per case, and where each is asked. `scripts/server_cases_test.ts` holds the tables against the titles of tests.
 */
import type { AskedCase } from "../case_coverage.ts";
import { ATTACK_CASES } from "./attacks.ts";
import { CALLER_CASES } from "./callers.ts";
import { COMMAND_CASES } from "./commands.ts";
import { ROUTE_CASES } from "./routes.ts";

/** All cases, by id. */
export const SERVER_CASES: Readonly<Record<string, AskedCase>> = {
  ...ROUTE_CASES,
  ...CALLER_CASES,
  ...COMMAND_CASES,
  ...ATTACK_CASES,
};
