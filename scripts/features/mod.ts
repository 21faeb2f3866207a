/**
 * The features of Argo Workflows and how Tiphys compares, by area: the source of the compatibility table in
 * `docs/migrate.md`. `scripts/features_test.ts` checks that every row names cases and tests that exist.
 */
import { ARTIFACT_CASES } from "../artifact_cases/mod.ts";
import type { CoveredCase, TestReference } from "../case_coverage.ts";
import { ENGINE_CASES } from "../engine_cases/mod.ts";
import { SERVER_CASES } from "../server_cases/mod.ts";
import type { Features, Proof } from "./feature.ts";
import { CONTROLLER_FEATURES, SECURITY_FEATURES, SERVER_FEATURES } from "./operation.ts";
import { ARTIFACT_FEATURES, POD_FEATURES } from "./pods_and_artifacts.ts";
import { ACTION_FEATURES, CRON_FEATURES, KIND_FEATURES, TEMPLATE_FEATURES } from "./workflows.ts";

export type { Feature, Features, Verdict } from "./feature.ts";

/** The features by area, in the order of the table. */
export const FEATURES: Readonly<Record<string, Features>> = {
  "Objects": KIND_FEATURES,
  "Templates": TEMPLATE_FEATURES,
  "Schedules": CRON_FEATURES,
  "Actions": ACTION_FEATURES,
  "Pods": POD_FEATURES,
  "Artifacts": ARTIFACT_FEATURES,
  "Controller": CONTROLLER_FEATURES,
  "Server and clients": SERVER_FEATURES,
  "Security": SECURITY_FEATURES,
};

const CASES: Readonly<Record<string, CoveredCase & { readonly contract?: true }>> = {
  ...ENGINE_CASES,
  ...SERVER_CASES,
  ...ARTIFACT_CASES,
};

/** The contract of artifact stores, which every driver passes. */
const CONTRACT = "lib/artifacts/testing/contract/mod.ts";

/**
 * Lists the tests of a proof.
 * @throws {Error} for an id that is in no table of cases.
 */
export function testsOf(proof: Proof): readonly TestReference[] {
  if (typeof proof !== "string") return [proof];
  const found = CASES[proof];
  if (found === undefined) throw new Error(`Expected the id of a case, got ${JSON.stringify(proof)}`);
  return [...(found.contract ? [[CONTRACT] as const] : []), ...(found.tests ?? [])];
}
