/** Classifies the errors of S3. */
import type { StoreErrorKind } from "@tiphys/model/artifact";
import { elements, textOf } from "./xml.ts";

/** The content of an error body. */
export interface S3ErrorBody {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly region: string | undefined;
}

const TRANSIENT_CODES =
  /^(RequestError|RequestTimeout|RequestTimeoutException|Throttl.*|RequestLimitExceeded|RequestThrottled.*|ProvisionedThroughputExceededException|BandwidthLimitExceeded|LimitExceededException|InternalError|SlowDown.*|ServiceUnavailable|Busy|OperationAborted|BadDigest|XAmzContentSHA256Mismatch|XAmzContentChecksumMismatch|IncompleteBody|RequestTimeTooSkewed|PriorRequestNotComplete|TransactionInProgressException|EC2ThrottledException)$/;

const FORBIDDEN =
  /^(AccessDenied|AllAccessDisabled|AccountProblem|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken.*|InvalidToken|TokenRefreshRequired|InvalidSecurity|NotSignedUp|InvalidClientTokenId|UnauthorizedAccess|XAdminUserNotFound|AuthorizationHeaderMalformed)$/;

const MISSING = /^(NoSuchKey|NoSuchVersion|NoSuchUpload)$/;

/** Transient statuses in addition to those of all stores. */
const TRANSIENT_STATUSES = new Set([499, 520]);

/** Returns the kind of failure of an error code; undefined if the status decides. */
export function kindOfCode(status: number, code: string | undefined): StoreErrorKind | undefined {
  if (code === "NoSuchBucket") return "bucket";
  if (code === "PreconditionFailed") return "changed";
  if (code !== undefined && TRANSIENT_CODES.test(code)) return "transient";
  if (code !== undefined && FORBIDDEN.test(code)) return "forbidden";
  if (code !== undefined && MISSING.test(code)) return "missing";
  if (TRANSIENT_STATUSES.has(status)) return "transient";
  // Other codes are unknown. A 404 refers to a key only with such a code, or without a code.
  return status === 404 && code !== undefined && code !== "NotFound" && code !== "404" ? "final" : undefined;
}

/** Parses the body of an error. */
export function readError(text: string): S3ErrorBody {
  return { code: textOf(text, "Code"), message: textOf(text, "Message"), region: textOf(text, "Region") };
}

/** Yields the errors of single keys in an otherwise successful response. */
export function* errorsOf(xml: string): Generator<{ key: string; code: string; message: string }> {
  for (const error of elements(xml, "Error")) {
    yield {
      key: textOf(error, "Key") ?? "",
      code: textOf(error, "Code") ?? "",
      message: textOf(error, "Message") ?? "",
    };
  }
}
