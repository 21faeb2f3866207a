/** The errors of S3: which of them pass, and what the others mean. */
import type { StoreErrorKind } from "../driver.ts";
import { elements, textOf } from "./xml.ts";

/** The content of an error's body. */
export interface S3ErrorBody {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly region: string | undefined;
}

const PASSES =
  /^(RequestError|RequestTimeout|RequestTimeoutException|Throttl.*|RequestLimitExceeded|RequestThrottled.*|ProvisionedThroughputExceededException|BandwidthLimitExceeded|LimitExceededException|InternalError|SlowDown.*|ServiceUnavailable|Busy|OperationAborted|BadDigest|XAmzContentSHA256Mismatch|XAmzContentChecksumMismatch|IncompleteBody|RequestTimeTooSkewed|PriorRequestNotComplete|TransactionInProgressException|EC2ThrottledException)$/;

const FORBIDDEN =
  /^(AccessDenied|AllAccessDisabled|AccountProblem|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken.*|InvalidToken|TokenRefreshRequired|InvalidSecurity|NotSignedUp|InvalidClientTokenId|UnauthorizedAccess|XAdminUserNotFound|AuthorizationHeaderMalformed)$/;

const MISSING = /^(NoSuchKey|NoSuchVersion|NoSuchUpload)$/;

/** Statuses that pass beside those of all stores. */
const PASSING_STATUSES = new Set([499, 520]);

/** The kind of failure that an error's code means; undefined leaves it to the status. */
export function kindOfCode(status: number, code: string | undefined): StoreErrorKind | undefined {
  if (code === "NoSuchBucket") return "bucket";
  if (code === "PreconditionFailed") return "changed";
  if (code !== undefined && PASSES.test(code)) return "transient";
  if (code !== undefined && FORBIDDEN.test(code)) return "forbidden";
  if (code !== undefined && MISSING.test(code)) return "missing";
  if (PASSING_STATUSES.has(status)) return "transient";
  // The code is of a matter that we know nothing of; 404 speaks of a key only where it says so, or says nothing.
  return status === 404 && code !== undefined && code !== "NotFound" && code !== "404" ? "final" : undefined;
}

/** Reads the body of an error. */
export function readError(text: string): S3ErrorBody {
  return { code: textOf(text, "Code"), message: textOf(text, "Message"), region: textOf(text, "Region") };
}

/** Errors of single keys in an answer that is a success otherwise. */
export function* errorsOf(xml: string): Generator<{ key: string; code: string; message: string }> {
  for (const error of elements(xml, "Error")) {
    yield {
      key: textOf(error, "Key") ?? "",
      code: textOf(error, "Code") ?? "",
      message: textOf(error, "Message") ?? "",
    };
  }
}
