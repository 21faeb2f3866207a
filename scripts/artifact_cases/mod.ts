/**
 * Cases of artifacts: required properties of stores, transfers, archives and garbage, one sentence per case, and the
 * tests of each. `scripts/artifact_cases_test.ts` compares the table with the contract of drivers and the titles of
 * tests.
 */
import type { ArtifactCase } from "./artifact_case.ts";
import { ARCHIVE_CASES } from "./archives.ts";
import { CONTENT_CASES } from "./contents.ts";
import { CREDENTIAL_CASES } from "./credentials.ts";
import { FAILURE_CASES } from "./failures.ts";
import { GARBAGE_CASES } from "./garbage.ts";
import { POD_CASES } from "./pods.ts";
import { STORE_CASES } from "./stores.ts";
import { USER_CASES } from "./users.ts";

/** All cases, by id. */
export const ARTIFACT_CASES: Readonly<Record<string, ArtifactCase>> = {
  ...CONTENT_CASES,
  ...CREDENTIAL_CASES,
  ...FAILURE_CASES,
  ...STORE_CASES,
  ...ARCHIVE_CASES,
  ...POD_CASES,
  ...GARBAGE_CASES,
  ...USER_CASES,
};
