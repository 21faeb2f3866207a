/** The requests of a multipart upload: create, send parts, complete or abort. */
import { createHash, type Hash } from "node:crypto";
import { pause, systemClock } from "@tiphys/base/clock";
import { type Bytes, NetError, partsOf, type Source } from "@tiphys/base/net";
import { type DriverEnvironment, type StartedUploads, StoreError } from "@tiphys/model/artifact";
import type { S3Client, S3Request } from "./client.ts";
import { readError } from "./errors.ts";
import { escapedText, textOf } from "./xml.ts";

/** Timeout for aborting an upload, in milliseconds. */
const ABORT_MILLIS = 10_000;

/** Delays after each attempt to abort an upload, in milliseconds. */
const ABORT_WAITS = [50, 200, 800, 2_000, 0] as const;

/** Time after which a store no longer stores an interrupted part, in milliseconds. */
const LATE_PART_MILLIS = 1_000;

/** The client and the settings for writing an object. */
export interface Upload {
  readonly client: S3Client;
  readonly key: string;
  /** Headers of requests that create an object, and of those that send a part. */
  readonly headers: Readonly<Record<string, string>>;
  readonly partHeaders: Readonly<Record<string, string>>;
  readonly partBytes: number | undefined;
  readonly parts: number;
  readonly stop: AbortSignal;
  /** Sends a part, with retries. */
  readonly retry: NonNullable<DriverEnvironment["retry"]>;
  readonly begun?: StartedUploads;
  /** Checks for existing content at the key. Not repeated after the store refuses to report it. */
  readonly asking?: { isRefused: boolean };
}

/** Creates a multipart upload. Returns its ID. */
export async function beginUpload(
  { client, key, headers, stop }: Upload,
  more: Readonly<Record<string, string>>,
  operation: string,
): Promise<string> {
  const begun = await client.sendOrThrow(
    { method: "POST", key, query: [["uploads", ""]], headers: { ...headers, ...more }, stop },
    operation,
  );
  const id = textOf(await begun.text(), "UploadId");
  if (!id) throw new StoreError(`${operation} failed: the store returned no UploadId`, "final");
  return id;
}

/** Returns a part's element in the request that completes the upload. */
export function partElement(number: number, etag: string, sum = ""): string {
  return `<Part><PartNumber>${number}</PartNumber><ETag>${escapedText(etag)}</ETag>${sum}</Part>`;
}

/** Sends a part, with retries. Resolves to its etag. Calls `onLostResponse` for lost responses. */
export async function putPart(
  { client, key, partHeaders, retry }: Upload,
  id: string,
  number: number,
  body: Bytes | Source,
  sum: Readonly<Record<string, string>>,
  stop: AbortSignal,
  onLostResponse: () => void,
): Promise<string> {
  const operation = `s3: writing part ${number} of ${key}`;
  const request: S3Request = {
    method: "PUT",
    key,
    query: [["partNumber", `${number}`], ["uploadId", id]],
    headers: { ...partHeaders, ...sum },
    body,
    stop,
  };
  const response = await retry(stop, () =>
    client.sendOrThrow(request, operation).catch((error: unknown) => {
      if (!(error instanceof StoreError) || error.cause instanceof NetError) onLostResponse();
      throw error;
    }));
  const etag = response.headers.get("etag");
  await response.discard();
  if (!etag) throw new StoreError(`${operation} failed: the store returned no ETag`, "final");
  return etag;
}

/** Completes the upload. If the response is lost or an error, the object itself shows whether it exists. */
export async function completeUpload(
  { client, key, headers, partHeaders, stop }: Upload,
  id: string,
  parts: readonly string[],
  etags: readonly string[],
  size: number,
): Promise<{ readonly etag?: string }> {
  const operation = `s3: completing the upload of ${key}`;
  const body = new TextEncoder().encode(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
  try {
    const customer = Object.fromEntries(Object.entries(partHeaders).filter(([name]) => name in headers));
    const response = await client.sendOrThrow(
      { method: "POST", key, query: [["uploadId", id]], headers: customer, body, stop },
      operation,
    );
    const text = await response.text();
    throwIfError(client, text, operation);
    const etag = textOf(text, "ETag");
    return etag === undefined ? {} : { etag: PLAIN_ETAG.test(etag) ? `"${etag}"` : etag };
  } catch (error) {
    stop.throwIfAborted();
    const passed = error instanceof StoreError
      ? error.kind === "transient" || error.kind === "missing"
      : error instanceof NetError;
    if (!passed) throw error;
    const current = await client.send({ method: "HEAD", key, headers: partHeaders, stop }).catch(() => undefined);
    if (!current || !("ok" in current)) throw error;
    const { ok: { headers: found } } = current;
    const etag = found.get("etag") ?? "";
    const ours = etag.replaceAll('"', "") === etagOfParts(etags);
    if (!ours || found.get("content-length") !== String(size)) throw error;
    return { etag };
  }
}

/** An etag without quotes, as in XML. Headers have quotes, so they must be added before comparisons. */
const PLAIN_ETAG = /^[0-9a-f]{32}(-\d+)?$/i;

/**
 * Checks for an error in a response with a success status, which a slow store sends before it knows the outcome.
 * @throws {StoreError} with the store's message.
 */
export function throwIfError(client: S3Client, text: string, operation: string): void {
  const error = readError(text);
  if (!text.includes("<Error>") && error.code === undefined) return;
  throw client.failure({ status: 500, error, retryAfterMillis: undefined }, operation);
}

/**
 * Aborts an upload. A store may still be processing a part without a response, and storing that part brings the upload
 * back. With `mayComeLate`, the request is therefore repeated after a while, even if the upload is gone.
 */
export async function abortUpload(client: S3Client, key: string, id: string, mayComeLate: boolean): Promise<void> {
  const stop = AbortSignal.timeout(ABORT_MILLIS);
  let waited = 0;
  for (const wait of ABORT_WAITS) {
    const answer = await client.send({ method: "DELETE", key, query: [["uploadId", id]], stop }).catch(() => undefined);
    if (answer && "ok" in answer) await answer.ok.discard().catch(() => {});
    else if (answer && isRetryUseless(answer.failed.status) && (!mayComeLate || waited >= LATE_PART_MILLIS)) return;
    const isOver = await pause(systemClock, wait, stop).then(() => stop.aborted, () => true);
    if (isOver) return;
    waited += wait;
  }
}

/** Whether a retry is useless: the upload is gone (404), or may not be aborted. */
function isRetryUseless(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429;
}

/** Returns the etag of a multipart object: the MD5 of its parts' etags, and their number. */
function etagOfParts(etags: readonly string[]): string {
  const hash = createHash("md5");
  for (const etag of etags) hash.update(etag.replaceAll('"', ""), "hex");
  return `${hash.digest("hex")}-${etags.length}`;
}

/** Returns the MD5 of content, in any encoding. */
export async function md5Of(content: Bytes | Source): Promise<Hash> {
  const hash = createHash("md5");
  for await (const part of partsOf(content)) hash.update(part);
  return hash;
}
