/** The requests of an upload in parts: begun, sent part by part, and put together or taken back. */
import { createHash, type Hash } from "node:crypto";
import { pause, systemClock } from "../../clock/mod.ts";
import { type Bytes, NetError, partsOf, type Source } from "../../net/mod.ts";
import { type BegunUploads, StoreError, type Surroundings } from "../driver.ts";
import type { S3Client, S3Request } from "./client.ts";
import { readError } from "./errors.ts";
import { escapedText, textOf } from "./xml.ts";

/** The time limit for taking back an upload that was begun, milliseconds. */
const ABORT_MILLIS = 10_000;

/** The pauses after each attempt to take an upload back, in milliseconds. */
const ABORT_WAITS = [50, 200, 800, 2_000, 0] as const;

/** The time after which a store will no longer put down a part that was cut off, milliseconds. */
const LATE_PART_MILLIS = 1_000;

/** The client and the settings that an object is written with. */
export interface Upload {
  readonly client: S3Client;
  readonly key: string;
  /** Of requests that begin an object, and of those that bring a part of it. */
  readonly headers: Readonly<Record<string, string>>;
  readonly partHeaders: Readonly<Record<string, string>>;
  readonly partBytes: number | undefined;
  readonly parts: number;
  readonly stop: AbortSignal;
  /** Sends a part, again where that may help. */
  readonly again: NonNullable<Surroundings["again"]>;
  readonly begun?: BegunUploads;
  /** The store is asked whether the same content lies at the key already, until it refuses to tell. */
  readonly asking?: { isRefused: boolean };
}

/** Begins an upload in parts; the answer is its id. */
export async function beginUpload(
  { client, key, headers, stop }: Upload,
  more: Readonly<Record<string, string>>,
  what: string,
): Promise<string> {
  const begun = await client.do(
    { method: "POST", key, query: [["uploads", ""]], headers: { ...headers, ...more }, stop },
    what,
  );
  const id = textOf(await begun.text(), "UploadId");
  if (!id) throw new StoreError(`${what} failed: the store gave no UploadId`, "final");
  return id;
}

/** A part as the request names it that puts the parts together. */
export function partElement(number: number, etag: string, sum = ""): string {
  return `<Part><PartNumber>${number}</PartNumber><ETag>${escapedText(etag)}</ETag>${sum}</Part>`;
}

/** Sends a part, again while that may help. Resolves to its etag; tells `onUnanswered` of lost answers. */
export async function putPart(
  { client, key, partHeaders, again }: Upload,
  id: string,
  number: number,
  body: Bytes | Source,
  sum: Readonly<Record<string, string>>,
  stop: AbortSignal,
  onUnanswered: () => void,
): Promise<string> {
  const what = `s3: writing part ${number} of ${key}`;
  const request: S3Request = {
    method: "PUT",
    key,
    query: [["partNumber", `${number}`], ["uploadId", id]],
    headers: { ...partHeaders, ...sum },
    body,
    stop,
  };
  const response = await again(stop, () =>
    client.do(request, what).catch((error: unknown) => {
      if (!(error instanceof StoreError) || error.cause instanceof NetError) onUnanswered();
      throw error;
    }));
  const etag = response.headers.get("etag");
  await response.discard();
  if (!etag) throw new StoreError(`${what} failed: the store gave no ETag`, "final");
  return etag;
}

/** Puts the parts together. Where the answer is lost, or an error, the object itself says whether it is there. */
export async function completeUpload(
  { client, key, headers, partHeaders, stop }: Upload,
  id: string,
  parts: readonly string[],
  etags: readonly string[],
  size: number,
): Promise<{ readonly etag?: string }> {
  const what = `s3: putting ${key} together`;
  const body = new TextEncoder().encode(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
  try {
    const customer = Object.fromEntries(Object.entries(partHeaders).filter(([name]) => name in headers));
    const response = await client.do(
      { method: "POST", key, query: [["uploadId", id]], headers: customer, body, stop },
      what,
    );
    const text = await response.text();
    throwError(client, text, what);
    const etag = textOf(text, "ETag");
    return etag === undefined ? {} : { etag: PLAIN_ETAG.test(etag) ? `"${etag}"` : etag };
  } catch (error) {
    stop.throwIfAborted();
    const passed = error instanceof StoreError
      ? error.kind === "transient" || error.kind === "missing"
      : error instanceof NetError;
    if (!passed) throw error;
    const there = await client.ask({ method: "HEAD", key, headers: partHeaders, stop }).catch(() => undefined);
    if (!there || !("ok" in there)) throw error;
    const { ok: { headers: found } } = there;
    const etag = found.get("etag") ?? "";
    const ours = etag.replaceAll('"', "") === etagOfParts(etags);
    if (!ours || found.get("content-length") !== String(size)) throw error;
    return { etag };
  }
}

/** An etag that stands in XML without its quotes; headers have them, and one is held against the other. */
const PLAIN_ETAG = /^[0-9a-f]{32}(-\d+)?$/i;

/**
 * Looks for an error in an answer that is a success by its status: a store that takes long has said so before it knew.
 * @throws {StoreError} in the words of the store.
 */
export function throwError(client: S3Client, text: string, what: string): void {
  const error = readError(text);
  if (!text.includes("<Error>") && error.code === undefined) return;
  throw client.failure({ status: 500, error, retryAfterMillis: undefined }, what);
}

/**
 * Takes back an upload that was begun. A store may still be at work on a part whose answer we did not wait for, and what it
 * puts down then brings the upload back: where `mayComeLate`, a store that knows of none is asked again after a while.
 */
export async function abortUpload(client: S3Client, key: string, id: string, mayComeLate: boolean): Promise<void> {
  const stop = AbortSignal.timeout(ABORT_MILLIS);
  let waited = 0;
  for (const wait of ABORT_WAITS) {
    const answer = await client.ask({ method: "DELETE", key, query: [["uploadId", id]], stop }).catch(() => undefined);
    if (answer && "ok" in answer) await answer.ok.discard().catch(() => {});
    else if (answer && isFinal(answer.failed.status) && (!mayComeLate || waited >= LATE_PART_MILLIS)) return;
    const isOver = await pause(systemClock, wait, stop).then(() => stop.aborted, () => true);
    if (isOver) return;
    waited += wait;
  }
}

/** Whether asking again changes nothing: the upload is gone (404), or may not be taken back. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429;
}

/** The etag of an object of parts: the MD5 of those of its parts, and their number. */
function etagOfParts(etags: readonly string[]): string {
  const hash = createHash("md5");
  for (const etag of etags) hash.update(etag.replaceAll('"', ""), "hex");
  return `${hash.digest("hex")}-${etags.length}`;
}

/** The MD5 of content, to be written as is asked for. */
export async function md5Of(content: Bytes | Source): Promise<Hash> {
  const hash = createHash("md5");
  for await (const part of partsOf(content)) hash.update(part);
  return hash;
}
