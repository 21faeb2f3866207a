/** Appends to an object: the store copies the object into a new one, which then replaces it. */
import { sliceOf, type Source } from "@tiphys/base/net";
import { MAX_APPENDED_BYTES, StoreError } from "@tiphys/model/artifact";
import {
  abortUpload,
  beginUpload,
  completeUpload,
  md5Of,
  partElement,
  putPart,
  throwIfError,
  type Upload,
} from "./multipart.ts";
import { DIGEST_HEADER } from "./object_headers.ts";
import { escaped } from "./signature.ts";
import { textOf } from "./xml.ts";

/** Minimum size of a part other than the last one, as required by S3. */
const MIN_PART_BYTES = 5 * 1024 * 1024;

/** Size of a part. */
const PART_BYTES = 16 * 1024 * 1024;

/** The existing object. */
export interface ObjectVersion {
  readonly size: number;
  readonly etag: string;
}

/** The content to append, and the digest of the resulting object. */
export interface AddedContent {
  readonly content: Source;
  readonly sha256: string;
}

/**
 * Appends content to an object, completely or not at all. Until then, readers see the old content.
 * @throws {StoreError} `changed` when the object has changed.
 */
export async function appendTo(
  upload: Upload,
  current: ObjectVersion,
  { content, sha256 }: AddedContent,
): Promise<ObjectVersion> {
  const { client, key, stop, retry } = upload;
  const operation = `s3: appending to ${key}`;
  if (current.size < MIN_PART_BYTES || current.size > MAX_APPENDED_BYTES) {
    throw new StoreError(`${operation} failed: an object of ${current.size} bytes cannot be appended to`, "final");
  }
  // Some stores ignore the condition of the copy.
  const head = await client.sendOrThrow({ method: "HEAD", key, stop }, operation);
  await head.discard();
  if (head.headers.get("etag") !== current.etag) {
    throw new StoreError(`${operation} failed: the object has changed`, "changed");
  }
  // Without its own digest, some stores keep that of the copied object.
  const id = await beginUpload(upload, { [DIGEST_HEADER]: sha256 }, operation);
  let mayComeLate = false;
  try {
    const etags = [await retry(stop, () => copyWhole(upload, id, current, operation))];
    for (let from = 0; from < content.size; from += PART_BYTES) {
      const part = sliceOf(content, from, Math.min(content.size, from + PART_BYTES));
      const sum = { "content-md5": (await md5Of(part)).digest("base64") };
      etags.push(await putPart(upload, id, etags.length + 1, part, sum, stop, () => mayComeLate = true));
    }
    const size = current.size + content.size;
    const parts = etags.map((etag, index) => partElement(index + 1, etag));
    const made = await retry(stop, () => completeUpload(upload, id, parts, etags, size));
    return { size, etag: made.etag ?? "" };
  } catch (error) {
    await abortUpload(client, key, id, mayComeLate);
    throw error;
  }
}

/** Copies the existing object as the first part of the upload. Resolves to the part's etag. */
async function copyWhole(
  { client, key, stop }: Upload,
  id: string,
  current: ObjectVersion,
  operation: string,
): Promise<string> {
  const copied = await client.sendOrThrow({
    method: "PUT",
    key,
    query: [["partNumber", "1"], ["uploadId", id]],
    headers: {
      "x-amz-copy-source": `/${client.address.bucket}/${escaped(key, "/")}`,
      "x-amz-copy-source-if-match": current.etag,
    },
    stop,
  }, operation);
  const text = await copied.text();
  throwIfError(client, text, operation);
  const etag = textOf(text, "ETag");
  if (!etag) throw new StoreError(`${operation} failed: the response to the copy request has no ETag`, "final");
  return etag;
}
