/** Refusals of the embedded store, in the words of S3. */

/** A request that is not done; the answer says why. */
export class S3Error extends Error {
  override readonly name = "S3Error";

  /** `code` is a word of S3 where it has one. Clients try again what has a status of 500 or more. */
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

/** The refusal for a key without an object. */
export function noSuchKey(key: string): S3Error {
  return new S3Error(404, "NoSuchKey", `There is no ${key}`);
}

/** The refusal for an upload that was never begun, has ended, or was taken back. */
export function noSuchUpload(): S3Error {
  return new S3Error(404, "NoSuchUpload", "There is no such upload");
}

/** The refusal of a request for something that this store does not do, nor pretends to. */
export function notImplemented(what: string): S3Error {
  return new S3Error(501, "NotImplemented", `The embedded store does not do that: ${what}`);
}
