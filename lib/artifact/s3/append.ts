/** Adding to the end of an object: the store copies what is there into a new one, in the place of which that comes then. */
import { sliceOf, type Source } from "../../net/mod.ts";
import { MOST_ADDED_TO_BYTES, StoreError } from "../driver.ts";
import {
  abortUpload,
  beginUpload,
  completeUpload,
  md5Of,
  partElement,
  putPart,
  throwError,
  type Upload,
} from "./multipart.ts";
import { DIGEST_HEADER } from "./object_headers.ts";
import { escaped } from "./signature.ts";
import { textOf } from "./xml.ts";

/** The least of a part that is not the last one: what S3 takes. */
const LEAST_PART_BYTES = 5 * 1024 * 1024;

/** The size of a part that is sent. */
const PART_BYTES = 16 * 1024 * 1024;

/** The object that is there. */
export interface Grown {
  readonly size: number;
  readonly etag: string;
}

/** The content that is added, and the digest of the whole then. */
export interface Added {
  readonly content: Source;
  readonly sha256: string;
}

/**
 * Adds content to an object, whole or not at all; it can be read meanwhile as it was.
 * @throws {StoreError} `changed` when it is another one by now.
 */
export async function appendTo(upload: Upload, there: Grown, { content, sha256 }: Added): Promise<Grown> {
  const { client, key, stop, again } = upload;
  const what = `s3: adding to ${key}`;
  if (there.size < LEAST_PART_BYTES || there.size > MOST_ADDED_TO_BYTES) {
    throw new StoreError(`${what} failed: nothing is added to an object of ${there.size} bytes`, "final");
  }
  // Not every store heeds the condition of the copy.
  const head = await client.do({ method: "HEAD", key, stop }, what);
  await head.discard();
  if (head.headers.get("etag") !== there.etag) {
    throw new StoreError(`${what} failed: it is another object by now`, "changed");
  }
  // Without a digest of its own, some stores keep that of the object it is copied from.
  const id = await beginUpload(upload, { [DIGEST_HEADER]: sha256 }, what);
  let mayComeLate = false;
  try {
    const etags = [await again(stop, () => copyWhole(upload, id, there, what))];
    for (let from = 0; from < content.size; from += PART_BYTES) {
      const part = sliceOf(content, from, Math.min(content.size, from + PART_BYTES));
      const sum = { "content-md5": (await md5Of(part)).digest("base64") };
      etags.push(await putPart(upload, id, etags.length + 1, part, sum, stop, () => mayComeLate = true));
    }
    const size = there.size + content.size;
    const parts = etags.map((one, index) => partElement(index + 1, one));
    const made = await again(stop, () => completeUpload(upload, id, parts, etags, size));
    return { size, etag: made.etag ?? "" };
  } catch (error) {
    await abortUpload(client, key, id, mayComeLate);
    throw error;
  }
}

/** Makes the object that is there the first part of the upload; resolves to the etag of that. */
async function copyWhole({ client, key, stop }: Upload, id: string, there: Grown, what: string): Promise<string> {
  const copied = await client.do({
    method: "PUT",
    key,
    query: [["partNumber", "1"], ["uploadId", id]],
    headers: {
      "x-amz-copy-source": `/${client.address.bucket}/${escaped(key, "/")}`,
      "x-amz-copy-source-if-match": there.etag,
    },
    stop,
  }, what);
  const text = await copied.text();
  throwError(client, text, what);
  const etag = textOf(text, "ETag");
  if (!etag) throw new StoreError(`${what} failed: the store did not copy it`, "final");
  return etag;
}
