/** Cases of failed requests: retries, damaged contents, aborted uploads, and the network. */
import type { ArtifactCase } from "./artifact_case.ts";
import { NET, RETRY, S3, S3_DIGESTS, S3_PARTS, STAGE, TRANSFER } from "./places.ts";

export const FAILURE_CASES: Readonly<Record<string, ArtifactCase>> = {
  "AR-50": {
    behavior: "An interrupted transfer resumes, or is repeated.",
    contract: true,
    tests: [[TRANSFER, "(AR-50)"]],
  },
  "AR-51": {
    behavior: "A truncated body is retried; five in a row are an error without a file.",
    tests: [[TRANSFER, "(AR-51)"]],
  },
  "AR-52": {
    behavior: "A stalled server is given up, a slow one is not.",
    tests: [[NET, "openNet: a stalled server fails the request"]],
  },
  "AR-53": {
    behavior: "Requests to an overloaded server are retried with increasing delays.",
    contract: true,
    tests: [[RETRY, "waits one second"], [
      S3_PARTS,
      "s3: an interrupted part is sent again with increasing delays, other parts are not",
    ]],
  },
  "AR-54": {
    behavior: "`Retry-After` is honored, up to one minute.",
    contract: true,
    tests: [[RETRY, "retrying() honors the delay that a store requests, up to a minute"]],
  },
  "AR-55": { behavior: "Transient and permanent errors are distinguished.", contract: true },
  "AR-56": {
    behavior: "A corrupted byte, in transit or in the store, is detected.",
    contract: true,
    tests: [[TRANSFER, "(AR-56)"], [S3_DIGESTS, "content that differs from the object's own SHA-256"]],
  },
  "AR-57": {
    behavior: "After a lost or failed final response, the object itself decides.",
    tests: [[S3_PARTS, "s3: the object itself shows whether it exists if the last response is lost or an error"]],
  },
  "AR-58": {
    behavior: "An aborted upload is removed; uploads of others are not.",
    contract: true,
    tests: [[S3_PARTS, "s3: an upload that is stopped is aborted"], [
      "local/artifacts/killed_writer_test.ts",
      "killed writer: its upload leaves no object",
    ]],
  },
  "AR-59": {
    behavior: "A keep-alive connection that the server closed is replaced without an error.",
    contract: true,
    tests: [[NET, "openNet: retries a request"]],
  },
  "AR-60": {
    behavior: "A failed page is requested again, and a cyclic list ends.",
    tests: [
      [TRANSFER, "(AR-60)"],
      [S3, "s3: a failing second page of a list is an error, not the end of the list"],
      [S3, "s3: a list whose pages form a cycle, or that never ends, is an error"],
    ],
  },
  "AR-61": {
    behavior: "A wrong clock is corrected, once.",
    tests: [[S3, "s3: corrects a clock skew of 20 minutes by the store's clock, once"]],
  },
  "AR-62": {
    behavior: "An unreachable server is retried, and given up after one minute.",
    tests: [[STAGE, "stageTemplate: retries when a store is temporarily unreachable"]],
  },
  "AR-63": {
    behavior: "Invalid certificates are named, and caSecret fixes those of unknown authorities.",
    tests: [["lib/base/net/dial_test.ts", "dial: given authorities replace"]],
  },
  "AR-64": {
    behavior: "A redirect to another region is followed once.",
    tests: [[S3, "s3: follows a response that names another region once, with a new signature"]],
  },
  "AR-65": {
    behavior: "Proxies are used, except for hosts in NO_PROXY.",
    tests: [["lib/base/net/proxy_test.ts", "NO_PROXY"]],
  },
  "AR-66": {
    behavior: "A full disk is reported with sizes, and leaves no file.",
    tests: [["lib/artifacts/transfer/full_disk_test.ts", "(AR-66)"]],
  },
};
