/** Errors of the embedded store, with the codes of S3. */

/** An error that becomes the response to a request. */
export class S3Error extends Error {
  override readonly name = "S3Error";

  /** @param code an error code of S3, if there is one. @param status clients retry requests with 500 or more. */
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

/** Returns the error for a key without an object. */
export function noSuchKey(key: string): S3Error {
  return new S3Error(404, "NoSuchKey", `There is no ${key}`);
}

/** Returns the error for an upload that is unknown, completed or aborted. */
export function noSuchUpload(): S3Error {
  return new S3Error(404, "NoSuchUpload", "The upload does not exist");
}

/** Returns the error for an unsupported request. */
export function notImplemented(subject: string): S3Error {
  return new S3Error(501, "NotImplemented", `The embedded store does not support ${subject}`);
}
