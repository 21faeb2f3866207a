/** Cases of credentials, and of objects that do not exist or cannot be read. */
import type { ArtifactCase } from "./artifact_case.ts";
import { HTTP, OSS, S3, S3_KEYS, STAGE, TRANSFER } from "./places.ts";

export const CREDENTIAL_CASES: Readonly<Record<string, ArtifactCase>> = {
  "AR-30": {
    behavior: "A nonexistent key is missing; an optional input is omitted.",
    contract: true,
    tests: [[TRANSFER, "(AR-30)"], [
      STAGE,
      "stageTemplate: skips a missing optional artifact and fails for a missing required one",
    ]],
  },
  "AR-31": { behavior: "A missing bucket is distinguished from a missing key.", contract: true },
  "AR-32": { behavior: "Unreadable content is forbidden, not missing.", contract: true },
  "AR-33": {
    behavior: "A refusal without s3:ListBucket names the missing permission.",
    tests: [["lib/stores/s3/errors_test.ts", "(AR-33)"]],
  },
  "AR-34": { behavior: "A wrong secret is refused at once, with the store's message.", contract: true },
  "AR-35": {
    behavior: "The message names a missing secret.",
    tests: [[S3_KEYS, "s3 credentials: a key pair that is incomplete, or a missing secret, is named in the error"]],
  },
  "AR-36": { behavior: "White space around access keys is ignored.", contract: true },
  "AR-37": {
    behavior: "Temporary credentials are renewed once; expired static ones are refused.",
    tests: [[S3, "s3: an expired temporary token is renewed once, and the request is repeated"], [
      S3,
      "s3: expired static keys are an error after one request, with the store's message",
    ]],
  },
  "AR-38": {
    behavior: "Roles, web identities and machines provide temporary credentials.",
    tests: [[S3_KEYS, "a role is assumed"], [
      S3_KEYS,
      "s3 credentials: temporary keys are renewed five minutes before they expire, with the current token in the file",
    ], [
      S3_KEYS,
      "s3 credentials: a token is requested from an EC2 machine first; without one, there are no credentials",
    ]],
  },
  "AR-39": {
    behavior: "The keys of a location have priority.",
    tests: [[S3_KEYS, "s3 credentials: the keys of a location take precedence, and no other source is used"]],
  },
  "AR-40": {
    behavior: "Azure: account key, SAS, default credentials, or a message about the required ones.",
    tests: [["lib/stores/azure/credentials_test.ts", "a shared access signature"], [
      "lib/stores/azure/credentials_test.ts",
      "azureCredentials: without a key and without default credentials, the error names the required fields",
    ]],
  },
  "AR-41": {
    behavior: "GCS: service accounts and default credentials; other types are refused.",
    tests: [[
      "lib/stores/gcs/credentials_test.ts",
      "googleCredentials: other kinds of credentials are rejected with their type, and never shown",
    ], [
      "lib/stores/gcs/credentials_test.ts",
      "without a secret",
    ]],
  },
  "AR-42": {
    behavior: "No credential is printed anywhere.",
    tests: [["executor/credentials_stay_secret_test.ts", "(AR-42)"], [
      "tests/advisories/cve_2025_62157_test.ts",
      "contain no credentials of a store",
    ]],
  },
  "AR-43": {
    behavior: "Queries of URLs are redacted; user names and passwords become a header.",
    tests: [[HTTP, "http: a status is an error of the matching kind, with the URL but without its query"], [
      HTTP,
      "http: a name and password in the URL are sent as a header and never shown",
    ]],
  },
  "AR-44": {
    behavior: "Half a pair of keys is an error.",
    tests: [[S3_KEYS, "s3 credentials: a key pair that is incomplete, or a missing secret, is named in the error"], [
      OSS,
      "oss: an incomplete or missing key pair is rejected before any request",
    ]],
  },
};
