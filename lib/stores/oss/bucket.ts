/** A bucket of OSS. */
import type { Bytes, HttpResponse, Source } from "@tiphys/base/net";
import { pieces } from "@tiphys/base/byte_streams";
import { contentTypeOf } from "@tiphys/artifacts/content_type";
import {
  type ContentInfo,
  type DriverEnvironment,
  type Part,
  StoreError,
  type StoreErrorKind,
} from "@tiphys/model/artifact";
import { md5Of, verifyMd5 } from "../objects/checked.ts";
import { forEachOfStream } from "../objects/each.ts";
import type { Bucket, ObjectInfo, Page } from "../objects/mod.ts";
import { markSinglePiece } from "../objects/only_or_part.ts";
import { decodeListedKey, readPageText } from "@tiphys/artifacts/pages";
import { checkPart, type ErrorBody, responseFailure, send } from "@tiphys/artifacts/store_request";
import { parseHeadSize, parseReportedSize } from "@tiphys/artifacts/reported_size";
import { escapeXml, readXml, textAt } from "@tiphys/base/xml";
import type { OssKeys } from "./credentials.ts";
import { type LifecycleRule, withRule } from "./lifecycle.ts";
import { encodedPath, queryText, regionOf, signHeaders } from "./signature.ts";

/** The address of a bucket, its name, and the access to it. */
export interface OssBucket {
  readonly endpoint: URL;
  readonly name: string;
  readonly credentials: (stop: AbortSignal) => Promise<OssKeys>;
  /** Whether the first upload creates a missing bucket. */
  readonly createsBucket: boolean;
  readonly lifecycle?: LifecycleRule;
  readonly environment: DriverEnvironment;
}

/** Objects larger than this are uploaded in parts of this size, in bytes. The minimum of OSS is 100 KiB. */
const PART_BYTES = 8 * 1024 * 1024;
const MIN_PART_BYTES = 100 * 1024;
/** Codes of transient errors of OSS. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  "CachedTimeTooLarge",
  "ConnectionTimeout",
  "DomainNetWorkVisitedException",
  "InternalError",
  "OperationAborted",
  "QuotaExceeded.Refresh",
  "RequestTimeout",
  "ServiceBusy",
  "ServiceUnavailable",
  "SocketException",
  "SocketTimeout",
  "Throttling",
]);
/** Maximum number of parts of an object. */
const MAX_PARTS = 10_000;
/** Timeout for aborting an abandoned upload, in milliseconds. */
const ABORT_MILLIS = 5000;

interface RequestParts {
  readonly method: string;
  /** Undefined for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Bytes;
  readonly stop: AbortSignal;
}

/** Returns a client for a bucket. */
export function ossBucket(oss: OssBucket): Bucket {
  const { limits, net, now, retry = (_, act) => act() } = oss.environment;
  const { endpoint, name } = oss;
  const title = `oss bucket "${name}"`;
  const region = regionOf(endpoint.hostname);
  const isAddress = /^(localhost|\d+\.\d+\.\d+\.\d+|\[.*\])$/.test(endpoint.hostname);
  const origin = isAddress ? endpoint.origin : `${endpoint.protocol}//${name}.${endpoint.host}`;

  async function sendSigned(
    operation: string,
    { method, key = "", query = {}, headers = {}, body, stop }: RequestParts,
  ): Promise<HttpResponse> {
    const own = body === undefined ? headers : { "content-type": "application/octet-stream", ...headers };
    const all = signHeaders({ method, bucket: name, key, query, headers: own }, await oss.credentials(stop), {
      now: now(),
      region,
    });
    const search = queryText(query);
    const path = encodedPath(isAddress ? `/${name}/${key}` : `/${key}`);
    return await send(net, {
      method,
      url: new URL(origin),
      target: search === "" ? path : `${path}?${search}`,
      headers: all,
      ...body ? { body } : {},
      stop,
    }, `${title}: ${operation}`);
  }

  async function requireStatus(
    operation: string,
    request: RequestParts,
    statuses: readonly number[],
  ): Promise<HttpResponse> {
    const answer = await sendSigned(operation, request);
    if (statuses.includes(answer.status)) return answer;
    throw await responseError(operation, answer);
  }

  function responseError(operation: string, answer: HttpResponse): Promise<StoreError> {
    return responseFailure(answer, `${title}: ${operation}`, { now, read: errorBody, kindOf });
  }

  async function head(key: string, stop: AbortSignal): Promise<ObjectInfo | undefined> {
    const answer = await sendSigned(`querying ${key}`, { method: "HEAD", key, stop });
    if (answer.status === 200) {
      await answer.discard();
      const size = parseHeadSize(answer.headers, `${title}: querying ${key}`);
      return {
        key,
        ...size === undefined ? {} : { size },
        ...answer.headers.has("etag") ? { etag: answer.headers.get("etag")! } : {},
      };
    }
    const error = await responseError(`querying ${key}`, answer);
    // A list determines whether the object or the bucket is missing.
    if (error.kind === "missing" || error.kind === "bucket") return undefined;
    throw error;
  }

  async function page(prefix: string, next: string | undefined, limit: number, stop: AbortSignal): Promise<Page> {
    const query = {
      prefix,
      "max-keys": String(limit),
      "encoding-type": "url",
      ...next === undefined ? {} : { marker: next },
    };
    const what = `listing ${prefix}`;
    const answer = await requireStatus(what, { method: "GET", query, stop }, [200]);
    const document = readXml(await readPageText(answer, what));
    if (!document) throw new StoreError(`${title}: ${what} failed: the response is not XML`, "transient");
    const objects = document.children.filter(({ name }) => name === "Contents").map((object) => ({
      key: decodeKey(textAt(object, "Key"), `${title}: ${what}`),
      size: parseReportedSize(textAt(object, "Size"), `${title}: ${what}`) ?? 0,
      etag: textAt(object, "ETag"),
    }));
    const isLast = textAt(document, "IsTruncated") !== "true";
    const marker = decodeKey(textAt(document, "NextMarker"), `${title}: ${what}`);
    return { objects, next: isLast ? undefined : marker || objects.at(-1)?.key };
  }

  async function get(key: string, { from = 0, to, etag }: Part, stop: AbortSignal): Promise<ReadableStream<Bytes>> {
    const isPart = from > 0 || to !== undefined;
    if (to !== undefined && to <= from) return new Blob([]).stream();
    const what = `reading ${key}`;
    const answer = await requireStatus(what, {
      method: "GET",
      key,
      headers: {
        ...isPart
          ? { range: `bytes=${from}-${to === undefined ? "" : to - 1}`, "x-oss-range-behavior": "standard" }
          : {},
        ...etag === undefined ? {} : { "if-match": etag },
      },
      stop,
    }, isPart ? [206] : [200]);
    if (isPart) {
      await checkPart(answer, from, `${title}: ${what}`);
      return answer.body;
    }
    const md5 = answer.headers.get("content-md5");
    return md5 ? verifyMd5(answer.body, md5, `${title}: ${key}`) : answer.body;
  }

  async function put(key: string, content: Source | ReadableStream<Bytes>, stop: AbortSignal): Promise<ContentInfo> {
    const found = await uploadContent(key, content, stop);
    if (oss.lifecycle) await setLifecycle(key, oss.lifecycle, stop);
    return found;
  }

  async function uploadContent(
    key: string,
    content: Source | ReadableStream<Bytes>,
    stop: AbortSignal,
  ): Promise<ContentInfo> {
    const what = `writing ${key}`;
    const min = content instanceof ReadableStream ? 0 : Math.ceil(content.size / MAX_PARTS);
    const size = Math.max(MIN_PART_BYTES, limits.partBytes ?? PART_BYTES, min);
    const type = { "content-type": contentTypeOf(key) };
    let whole: ContentInfo | undefined;
    let uploadId: string | undefined;
    const tags: string[] = [];
    let total = 0;
    try {
      await forEachOfStream(markSinglePiece(pieces(content, size)), limits.parts, async ({ piece, isOnly }, index) => {
        total += piece.length;
        const headers = { "content-md5": md5Of(piece) };
        if (isOnly) {
          const request = { method: "PUT", key, headers: { ...type, ...headers }, body: piece, stop };
          const answer = await sendCreatingBucket(what, request, stop);
          await answer.discard();
          whole = { kind: "file", size: piece.length, ...etagOf(answer) };
          return;
        }
        if (index >= MAX_PARTS) {
          throw new StoreError(
            `${title}: ${what} failed: an object may have at most ${MAX_PARTS} parts of ${size} bytes`,
            "final",
          );
        }
        const query = { partNumber: String(index + 1), uploadId: uploadId! };
        const part = { method: "PUT", key, query, headers, body: piece, stop };
        const answer = await retry(stop, () => requireStatus(what, part, [200]));
        await answer.discard();
        tags[index] = answer.headers.get("etag") ?? "";
      }, async ({ isOnly }) => {
        if (!isOnly) uploadId = await beginUpload(what, key, type, stop);
      });
      if (whole) return whole;
      const body = `<CompleteMultipartUpload>${
        tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`)
          .join("")
      }</CompleteMultipartUpload>`;
      const answer = await requireStatus(what, {
        method: "POST",
        key,
        query: { uploadId: uploadId! },
        headers: { "content-type": "application/xml" },
        body: new TextEncoder().encode(body),
        stop,
      }, [200]);
      const etag = textAt(readXml(await answer.text()), "ETag");
      return { kind: "file", size: total, ...etag ? { etag } : {} };
    } catch (error) {
      if (uploadId !== undefined) {
        const stop = AbortSignal.timeout(ABORT_MILLIS);
        await sendSigned(what, { method: "DELETE", key, query: { uploadId }, stop }).then(
          (answer) => answer.discard(),
          () => {},
        );
      }
      throw error;
    }
  }

  async function beginUpload(
    operation: string,
    key: string,
    headers: Readonly<Record<string, string>>,
    stop: AbortSignal,
  ): Promise<string> {
    const answer = await sendCreatingBucket(operation, {
      method: "POST",
      key,
      query: { uploads: "" },
      headers,
      body: new Uint8Array(),
      stop,
    }, stop);
    const id = textAt(readXml(await answer.text()), "UploadId");
    if (id === "") throw new StoreError(`${title}: ${operation} failed: the server returned no upload ID`, "transient");
    return id;
  }

  /** Sends a request. If the bucket is missing and may be created, creates it and repeats the request. */
  async function sendCreatingBucket(
    operation: string,
    request: RequestParts,
    stop: AbortSignal,
  ): Promise<HttpResponse> {
    try {
      return await requireStatus(operation, request, [200]);
    } catch (error) {
      if (!oss.createsBucket || !(error instanceof StoreError) || error.kind !== "bucket") throw error;
      const made = await sendSigned("making it", { method: "PUT", body: new Uint8Array(), stop });
      // Another process may have created it.
      if (made.status !== 200 && made.status !== 409) throw await responseError("making it", made);
      await made.discard();
      return await requireStatus(operation, request, [200]);
    }
  }

  async function setLifecycle(key: string, rule: LifecycleRule, stop: AbortSignal): Promise<void> {
    const what = "changing its lifecycle rules";
    const answer = await sendSigned(what, { method: "GET", query: { lifecycle: "" }, stop });
    const isNone = answer.status === 404;
    if (!isNone && answer.status !== 200) throw await responseError(what, answer);
    const text = await readPageText(answer, what);
    const document = withRule(isNone ? "" : text, key, rule);
    if (document === undefined) return;
    const body = new TextEncoder().encode(document);
    const headers = { "content-type": "application/xml", "content-md5": md5Of(body) };
    await (await requireStatus(what, { method: "PUT", query: { lifecycle: "" }, headers, body, stop }, [200]))
      .discard();
  }

  async function remove(keys: readonly string[], stop: AbortSignal): Promise<number> {
    const [only] = keys;
    const what = keys.length === 1 ? `deleting ${only}` : `deleting ${keys.length} objects`;
    if (keys.length === 1) {
      const answer = await sendSigned(what, { method: "DELETE", key: only!, stop });
      if (answer.status === 204 || answer.status === 200) {
        await answer.discard();
        return 1;
      }
      const error = await responseError(what, answer);
      if (error.kind === "missing") return 0;
      throw error;
    }
    const list = keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join("");
    const body = new TextEncoder().encode(
      `<?xml version="1.0" encoding="UTF-8"?><Delete><Quiet>false</Quiet>${list}</Delete>`,
    );
    const headers = { "content-type": "application/xml", "content-md5": md5Of(body) };
    const query = { delete: "", "encoding-type": "url" };
    const answer = await requireStatus(what, { method: "POST", query, headers, body, stop }, [200]);
    const document = readXml(await readPageText(answer, what));
    const deleted = document?.children.filter(({ name }) => name === "Deleted").length ?? 0;
    if (deleted < keys.length) {
      throw new StoreError(`${title}: ${what} failed: ${keys.length - deleted} of them still exist`, "transient");
    }
    return deleted;
  }

  return { title, head, page, get, put, remove };
}

function etagOf({ headers }: HttpResponse): { etag?: string } {
  const etag = headers.get("etag");
  return etag === null ? {} : { etag };
}

function decodeKey(text: string, operation: string): string {
  return decodeListedKey(text.replaceAll("+", "%20"), operation);
}

function errorBody(text: string): ErrorBody {
  const document = readXml(text);
  return { code: textAt(document, "Code") || undefined, message: textAt(document, "Message") || undefined };
}

function kindOf(status: number, { code }: ErrorBody): StoreErrorKind | undefined {
  if (code === "NoSuchBucket") return "bucket";
  if (code !== undefined && TRANSIENT_CODES.has(code)) return "transient";
  return status === 409 ? "final" : undefined;
}
