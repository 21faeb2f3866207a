/** A bucket of Google Cloud Storage. */
import type { Bytes, HttpRequest, HttpResponse, Source } from "@tiphys/base/net";
import { pieces, streamRange } from "@tiphys/base/byte_streams";
import { contentTypeOf } from "@tiphys/artifacts/content_type";
import {
  type ContentInfo,
  type DriverEnvironment,
  type Part,
  StoreError,
  type StoreErrorKind,
} from "@tiphys/model/artifact";
import type { CachedToken } from "../cached_tokens.ts";
import { verifyMd5 } from "../objects/checked.ts";
import { countConcurrently } from "../objects/each.ts";
import type { Bucket, ObjectInfo, Page } from "../objects/mod.ts";
import { readPageText } from "@tiphys/artifacts/pages";
import { type ErrorBody, responseFailure, send } from "@tiphys/artifacts/store_request";
import { parseReportedSize } from "@tiphys/artifacts/reported_size";
import { errorBody, pageOf, parseResource, type Resource } from "./answers.ts";

/** The name of a bucket and the access to it. */
export interface GcsBucket {
  readonly name: string;
  /** The origin of the API. */
  readonly base: string;
  /** Returns the token of the caller; undefined if none is needed. */
  readonly token: ((stop: AbortSignal) => Promise<CachedToken>) | undefined;
  readonly environment: DriverEnvironment;
}

/** Uploads larger than this are sent in parts of this size, which can be retried: bytes, in multiples of 256 KiB. */
const PART_BYTES = 16 * 1024 * 1024;
const STEP_BYTES = 256 * 1024;
/** Timeout for cancelling an abandoned upload, in milliseconds. */
const CANCEL_MILLIS = 5000;

interface RequestParts {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Bytes | Source;
  readonly stop: AbortSignal;
}

/** A part of an upload: its offset in the object, and the total size, `*` while it is unknown. */
interface SentPart {
  readonly part: Source;
  readonly at: number;
  readonly total: string;
}

/** Returns a client for a bucket. */
export function gcsBucket(gcs: GcsBucket): Bucket {
  const title = `gcs bucket "${gcs.name}"`;
  const { retry = (_, act) => act() } = gcs.environment;
  const objects = `/storage/v1/b/${encodeURIComponent(gcs.name)}/o`;

  async function sendAuthorized(operation: string, parts: RequestParts): Promise<HttpResponse> {
    for (let isAgain = false;; isAgain = true) {
      const token = await gcs.token?.(parts.stop);
      const headers = { ...parts.headers, ...token ? { authorization: `Bearer ${token.value}` } : {} };
      const request: HttpRequest = { ...parts, url: new URL(gcs.base), headers };
      const answer = await send(gcs.environment.net, request, `${title}: ${operation}`);
      if (answer.status !== 401 || isAgain || !token) return answer;
      await answer.discard();
      token.forget();
    }
  }

  async function requireStatus(
    operation: string,
    parts: RequestParts,
    statuses: readonly number[],
    about: "object" | "bucket" = "bucket",
  ): Promise<HttpResponse> {
    const answer = await sendAuthorized(operation, parts);
    if (statuses.includes(answer.status)) return answer;
    const error = await responseError(operation, answer);
    if (error.kind === "missing" && about === "object") await page("", undefined, 1, parts.stop);
    if (error.kind !== "missing" || about === "object") throw error;
    // A request without an object can only miss the bucket.
    throw new StoreError(error.message, "bucket", undefined, { cause: error });
  }

  function responseError(operation: string, answer: HttpResponse): Promise<StoreError> {
    return responseFailure(answer, `${title}: ${operation}`, {
      now: gcs.environment.now,
      read: errorBody,
      kindOf,
    });
  }

  async function head(key: string, stop: AbortSignal): Promise<ObjectInfo | undefined> {
    const target = `${objects}/${encodeURIComponent(key)}?fields=name,size,generation,contentEncoding`;
    const what = `querying ${key}`;
    const answer = await sendAuthorized(what, { method: "GET", target, stop });
    if (answer.status === 200) {
      return infoOf({ ...parseResource(what, await answer.text()), name: key }, `${title}: ${what}`);
    }
    const error = await responseError(what, answer);
    if (error.kind === "missing") return undefined;
    throw error;
  }

  async function page(prefix: string, next: string | undefined, limit: number, stop: AbortSignal): Promise<Page> {
    const query = new URLSearchParams({
      prefix,
      maxResults: String(limit),
      fields: "nextPageToken,items(name,size,generation)",
      ...next === undefined ? {} : { pageToken: next },
    });
    const what = `listing ${prefix}`;
    const answer = await requireStatus(what, { method: "GET", target: `${objects}?${query}`, stop }, [200]);
    const { items, next: after } = pageOf(what, await readPageText(answer, what));
    return { objects: items.map((item) => infoOf(item, `${title}: ${what}`)), next: after };
  }

  async function get(key: string, { from = 0, to, etag }: Part, stop: AbortSignal): Promise<ReadableStream<Bytes>> {
    const isPart = from > 0 || to !== undefined;
    if (to !== undefined && to <= from) return new Blob([]).stream();
    const condition = etag === undefined ? "" : `&ifGenerationMatch=${encodeURIComponent(etag)}`;
    const what = `reading ${key}`;
    const answer = await requireStatus(
      what,
      {
        method: "GET",
        target: `${objects}/${encodeURIComponent(key)}?alt=media${condition}`,
        headers: isPart ? { range: `bytes=${from}-${to === undefined ? "" : to - 1}` } : {},
        stop,
      },
      [200, 206],
      "object",
    );
    const generation = answer.headers.get("x-goog-generation");
    if (etag !== undefined && generation !== null && generation !== etag) {
      await answer.discard();
      throw new StoreError(`${title}: ${key} has changed while it was read`, "changed");
    }
    if (isPart) return answer.status === 206 ? answer.body : streamRange(answer.body, from, to);
    const md5 = /md5=([^,\s]+)/.exec(answer.headers.get("x-goog-hash") ?? "")?.[1];
    // The digest is that of the stored content, which differs from content that was decompressed in transit.
    const isStored = !answer.headers.get("x-goog-stored-content-encoding")?.includes("gzip");
    return md5 && isStored ? verifyMd5(answer.body, md5, `${title}: ${key}`) : answer.body;
  }

  const partBytes = roundDownToStep(gcs.environment.limits.partBytes ?? PART_BYTES);

  async function put(key: string, content: Source | ReadableStream<Bytes>, stop: AbortSignal): Promise<ContentInfo> {
    const upload = `/upload/storage/v1/b/${encodeURIComponent(gcs.name)}/o`;
    const name = encodeURIComponent(key);
    const headers = { "content-type": contentTypeOf(key) };
    const what = `writing ${key}`;
    if (!(content instanceof ReadableStream) && content.size <= partBytes) {
      const target = `${upload}?uploadType=media&name=${name}`;
      const answer = await requireStatus(what, { method: "POST", target, headers, body: content, stop }, [200]);
      return contentInfoOf(await answer.text(), content.size);
    }
    const begun = await requireStatus(what, {
      method: "POST",
      target: `${upload}?uploadType=resumable&name=${name}`,
      headers: { "x-upload-content-type": headers["content-type"] },
      stop,
    }, [200, 201]);
    await begun.discard();
    const session = URL.parse(begun.headers.get("location") ?? "", gcs.base);
    if (!session) throw new StoreError(`${title}: ${what} failed: the server returned no session URL`, "final");
    try {
      return await sendParts(what, session, content, stop);
    } catch (error) {
      await sendAuthorized(what, {
        method: "DELETE",
        target: `${session.pathname}${session.search}`,
        stop: AbortSignal.timeout(CANCEL_MILLIS),
      }).then((answer) => answer.discard(), () => {}); // It expires after a week.
      throw error;
    }
  }

  async function sendParts(
    operation: string,
    session: URL,
    content: Source | ReadableStream<Bytes>,
    stop: AbortSignal,
  ): Promise<ContentInfo> {
    let offset = 0;
    for await (const { part, isLast } of partsOf(content, partBytes)) {
      const total = isLast ? String(offset + part.size) : "*";
      const done = await sendPart(operation, session, { part, at: offset, total }, stop);
      offset += part.size;
      if (done !== undefined) return contentInfoOf(done, offset);
    }
    throw new StoreError(`${title}: ${operation} failed: the server expects more content than there is`, "transient");
  }

  /** Sends a part, with retries, from where the server has it. The response to the last part is the object. */
  async function sendPart(
    operation: string,
    session: URL,
    part: SentPart,
    stop: AbortSignal,
  ): Promise<string | undefined> {
    let from: number | undefined = 0;
    return await retry(stop, async () => {
      // The previous attempt was interrupted; only the server knows where.
      if (from === undefined) {
        const answer = await sendAuthorized(
          operation,
          sessionRequest(session, { "content-range": "bytes */*" }, undefined, stop),
        );
        const is = await stateOf(operation, answer, part);
        if (is.isOver) return is.object;
        from = is.from;
      }
      const start = from;
      from = undefined;
      const { at, part: { size, open }, total } = part;
      const rest = { size: size - start, open: (a: number, b: number) => open(start + a, start + b) };
      const range = rest.size === 0 ? `bytes */${total}` : `bytes ${at + start}-${at + size - 1}/${total}`;
      const is = await stateOf(
        operation,
        await sendAuthorized(operation, sessionRequest(session, { "content-range": range }, rest, stop)),
        part,
      );
      if (is.isOver) return is.object;
      throw new StoreError(`${title}: ${operation} failed: the server did not keep the whole part`, "transient");
    });
  }

  /**
   * Returns the state of a part from a response of the session: completed, with the object at the last part, or stored
   * up to a byte.
   */
  async function stateOf(
    operation: string,
    answer: HttpResponse,
    { part, at, total }: SentPart,
  ): Promise<{ readonly isOver: true; readonly object?: string } | { readonly isOver: false; readonly from: number }> {
    if (answer.status === 200 || answer.status === 201) return { isOver: true, object: await answer.text() };
    if (answer.status !== 308) throw await responseError(operation, answer);
    await answer.discard();
    const from = Math.min(Math.max(storedBytes(answer) - at, 0), part.size);
    // The last part is complete only when the object exists.
    return from === part.size && total === "*" ? { isOver: true } : { isOver: false, from };
  }

  function sessionRequest(
    session: URL,
    headers: Readonly<Record<string, string>>,
    body: Source | undefined,
    stop: AbortSignal,
  ): RequestParts {
    return {
      method: "PUT",
      target: `${session.pathname}${session.search}`,
      headers,
      body: body ?? new Uint8Array(),
      stop,
    };
  }

  function remove(keys: readonly string[], stop: AbortSignal): Promise<number> {
    return countConcurrently(keys, gcs.environment.limits.objects, async (key) => {
      const what = `deleting ${key}`;
      const answer = await sendAuthorized(what, {
        method: "DELETE",
        target: `${objects}/${encodeURIComponent(key)}`,
        stop,
      });
      if (answer.status === 204 || answer.status === 200) {
        await answer.discard();
        return true;
      }
      const error = await responseError(what, answer);
      if (error.kind !== "missing") throw error;
      return false;
    });
  }

  return { title, head, page, get, put, remove };
}

function infoOf({ name, size: reportedSize, generation, contentEncoding }: Resource, operation: string): ObjectInfo {
  const size = parseReportedSize(reportedSize, operation);
  return {
    key: name,
    // An object that is stored compressed is sent decompressed, so its transferred size is unknown.
    ...size === undefined || contentEncoding === "gzip" ? {} : { size },
    ...generation === undefined ? {} : { etag: generation },
  };
}

function contentInfoOf(text: string, size: number): ContentInfo {
  const { generation, size: kept } = parseResource("an upload", text);
  if (kept !== undefined && kept !== String(size)) {
    throw new StoreError(`gcs: the server has ${kept} bytes of an object of ${size}`, "transient");
  }
  return { kind: "file", size, ...generation === undefined ? {} : { etag: generation } };
}

/** Returns the number of bytes of an upload that the server has. */
function storedBytes({ headers }: HttpResponse): number {
  const last = /-(\d+)$/.exec(headers.get("range") ?? "")?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

function roundDownToStep(bytes: number): number {
  return Math.max(1, Math.floor(bytes / STEP_BYTES)) * STEP_BYTES;
}

interface UploadPart {
  readonly part: Source;
  readonly isLast: boolean;
}

async function* partsOf(content: Source | ReadableStream<Bytes>, size: number): AsyncGenerator<UploadPart> {
  if (!(content instanceof ReadableStream)) {
    for (let offset = 0; offset < content.size; offset += size) {
      const to = Math.min(offset + size, content.size);
      const start = offset;
      const open = (from: number, until: number) => content.open(start + from, start + until);
      yield { part: { size: to - offset, open }, isLast: to === content.size };
    }
    return;
  }
  let before: Bytes | undefined;
  for await (const piece of pieces(content, size)) {
    if (before) yield { part: sourceOfBytes(before), isLast: false };
    before = piece;
  }
  yield { part: sourceOfBytes(before ?? new Uint8Array()), isLast: true };
}

function sourceOfBytes(bytes: Bytes): Source {
  return { size: bytes.length, open: (from, to) => new Blob([bytes.subarray(from, to)]).stream() };
}

function kindOf(status: number, { code, message }: ErrorBody): StoreErrorKind | undefined {
  if (status === 404 && message?.includes("bucket does not exist")) return "bucket";
  if (status === 403 && (code === "rateLimitExceeded" || code === "userRateLimitExceeded")) return "transient";
  if (status === 304) return "changed";
  return undefined;
}
