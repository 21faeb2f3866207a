/** A container of an Azure storage account. */
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
import { countConcurrently, forEachOfStream } from "../objects/each.ts";
import { markSinglePiece } from "../objects/only_or_part.ts";
import type { Bucket, ObjectInfo, Page } from "../objects/mod.ts";
import { decodeListedKey, readPageText } from "@tiphys/artifacts/pages";
import { checkPart, type ErrorBody, responseFailure, send } from "@tiphys/artifacts/store_request";
import { parseHeadSize, parseReportedSize } from "@tiphys/artifacts/reported_size";
import { child, escapeXml, readXml, textAt } from "@tiphys/base/xml";
import type { Authorize } from "./credentials.ts";

/** The address of a container, its name, and the signer of its requests. */
export interface AzureContainer {
  readonly endpoint: URL;
  readonly name: string;
  readonly authorize: Authorize;
  readonly environment: DriverEnvironment;
}

const VERSION = "2021-12-02";
/** Blobs larger than this are uploaded in blocks of this size, in bytes. */
const BLOCK_BYTES = 8 * 1024 * 1024;
/** Maximum number of blocks of a blob. */
const MAX_BLOCKS = 50_000;

interface RequestParts {
  readonly method: string;
  /** Undefined for the container itself. */
  readonly blob?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Bytes;
  readonly stop: AbortSignal;
}

/** Returns a client for a container. */
export function azureContainer(azure: AzureContainer): Bucket {
  const { limits, net, now, retry = (_, act) => act() } = azure.environment;
  const title = `azure container "${azure.name}"`;
  const base = `${azure.endpoint.pathname === "/" ? "" : withoutSlash(azure.endpoint.pathname)}/${azure.name}`;

  async function sendSigned(
    operation: string,
    { method, blob, query = {}, headers = {}, body, stop }: RequestParts,
  ): Promise<HttpResponse> {
    const path = blob === undefined ? base : `${base}/${blob.split("/").map(encodeText).join("/")}`;
    const all: Record<string, string> = {
      ...headers,
      "x-ms-date": new Date(now()).toUTCString(),
      "x-ms-version": VERSION,
    };
    for (let isAgain = false;; isAgain = true) {
      const signed = await azure.authorize({ method, path, query, headers: all, length: body?.length ?? 0 }, stop);
      const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeText(value)}`);
      const search = [...pairs, ...signed.query ? [signed.query] : []].join("&");
      const answer = await send(net, {
        method,
        url: new URL(azure.endpoint.origin),
        target: search === "" ? path : `${path}?${search}`,
        headers: { ...all, ...signed.headers },
        ...body || method === "PUT" ? { body: body ?? new Uint8Array() } : {},
        stop,
      }, `${title}: ${operation}`);
      if (answer.status !== 401 || isAgain || !signed.forget) return answer;
      await answer.discard();
      signed.forget();
    }
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
    const code = answer.headers.get("x-ms-error-code") ?? undefined;
    const read = (text: string): ErrorBody => ({ code, message: messageOf(text) });
    return responseFailure(answer, `${title}: ${operation}`, { now, read, kindOf });
  }

  async function head(key: string, stop: AbortSignal): Promise<ObjectInfo | undefined> {
    const what = `querying ${key}`;
    const answer = await sendSigned(what, { method: "HEAD", blob: key, stop });
    const { headers, status } = answer;
    if (status === 200) {
      await answer.discard();
      const size = parseHeadSize(headers, `${title}: ${what}`);
      const etag = headers.get("etag");
      return {
        key,
        ...size === undefined ? {} : { size },
        ...etag === null ? {} : { etag },
        ...headers.get("x-ms-meta-hdi_isfolder") === "true" ? { isFolder: true } : {},
      };
    }
    const error = await responseError(what, answer);
    if (error.kind === "missing") return undefined;
    throw error;
  }

  async function page(prefix: string, next: string | undefined, limit: number, stop: AbortSignal): Promise<Page> {
    const what = `listing ${prefix}`;
    const query: Record<string, string> = {
      restype: "container",
      comp: "list",
      include: "metadata",
      maxresults: String(limit),
      ...prefix === "" ? {} : { prefix },
      ...next === undefined ? {} : { marker: next },
    };
    const answer = await requireStatus(what, { method: "GET", query, stop }, [200]);
    const document = readXml(await readPageText(answer, what));
    if (!document) throw new StoreError(`${title}: ${what} failed: the response is not XML`, "transient");
    const objects = (child(document, "Blobs")?.children ?? []).filter(({ name }) => name === "Blob").map((blob) => {
      const name = child(blob, "Name");
      const isEncoded = /Encoded="true"/i.test(name?.attributes ?? "");
      const isFolder = textAt(blob, "Properties", "ResourceType") === "directory" ||
        child(blob, "Metadata")?.children.some(({ name, text }) =>
          name.toLowerCase() === "hdi_isfolder" && text === "true"
        );
      return {
        key: isEncoded ? decodeListedKey(name!.text, `${title}: ${what}`) : name?.text ?? "",
        size: parseReportedSize(textAt(blob, "Properties", "Content-Length"), `${title}: ${what}`) ?? 0,
        etag: quoteEtag(textAt(blob, "Properties", "Etag")),
        ...isFolder ? { isFolder: true } : {},
      };
    });
    return { objects, next: textAt(document, "NextMarker") || undefined };
  }

  async function get(key: string, { from = 0, to, etag }: Part, stop: AbortSignal): Promise<ReadableStream<Bytes>> {
    const isPart = from > 0 || to !== undefined;
    if (to !== undefined && to <= from) return new Blob([]).stream();
    const answer = await requireStatus(`reading ${key}`, {
      method: "GET",
      blob: key,
      headers: {
        ...isPart ? { "x-ms-range": `bytes=${from}-${to === undefined ? "" : to - 1}` } : {},
        ...etag === undefined ? {} : { "if-match": etag },
      },
      stop,
    }, isPart ? [206] : [200]);
    if (isPart) await checkPart(answer, from, `${title}: reading ${key}`);
    const md5 = answer.headers.get("content-md5");
    return md5 && !isPart ? verifyMd5(answer.body, md5, `${title}: ${key}`) : answer.body;
  }

  async function put(key: string, content: Source | ReadableStream<Bytes>, stop: AbortSignal): Promise<ContentInfo> {
    const what = `writing ${key}`;
    if (key.includes("\\")) {
      throw new StoreError(`${title}: ${what} failed: Azure changes a backslash in a name to a slash`, "final");
    }
    const type = contentTypeOf(key);
    const size = blockBytes(content, limits.partBytes ?? BLOCK_BYTES);
    const ids: string[] = [];
    let total = 0;
    let whole: ContentInfo | undefined;
    await forEachOfStream(markSinglePiece(pieces(content, size)), limits.parts, async ({ piece, isOnly }, index) => {
      total += piece.length;
      if (isOnly) {
        whole = await putWhole(what, { key, piece, type }, stop);
        return;
      }
      if (index >= MAX_BLOCKS) {
        throw new StoreError(
          `${title}: ${what} failed: a blob may have at most ${MAX_BLOCKS} blocks of ${size} bytes`,
          "final",
        );
      }
      const id = btoa(`block-${String(index).padStart(6, "0")}`);
      ids[index] = id;
      const block = {
        method: "PUT",
        blob: key,
        query: { comp: "block", blockid: id },
        headers: { "content-md5": md5Of(piece) },
        body: piece,
        stop,
      };
      const answer = await retry(stop, () => requireStatus(what, block, [201]));
      await answer.discard();
    });
    if (whole) return whole;
    const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${
      ids.map((id) => `<Latest>${escapeXml(id)}</Latest>`).join("")
    }</BlockList>`;
    const together = {
      method: "PUT",
      blob: key,
      query: { comp: "blocklist" },
      headers: { "x-ms-blob-content-type": type },
      body: new TextEncoder().encode(list),
      stop,
    };
    const answer = await retry(stop, () => requireStatus(what, together, [201]));
    return await contentInfoOf(answer, total);
  }

  async function putWhole(
    operation: string,
    { key, piece, type }: { readonly key: string; readonly piece: Bytes; readonly type: string },
    stop: AbortSignal,
  ): Promise<ContentInfo> {
    const answer = await requireStatus(operation, {
      method: "PUT",
      blob: key,
      headers: { "x-ms-blob-type": "BlockBlob", "x-ms-blob-content-type": type, "content-md5": md5Of(piece) },
      body: piece,
      stop,
    }, [201]);
    return await contentInfoOf(answer, piece.length);
  }

  function remove(keys: readonly string[], stop: AbortSignal): Promise<number> {
    return countConcurrently(keys, limits.objects, async (key) => {
      const what = `deleting ${key}`;
      const answer = await sendSigned(what, {
        method: "DELETE",
        blob: key,
        headers: { "x-ms-delete-snapshots": "include" },
        stop,
      });
      if (answer.status === 202) {
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

async function contentInfoOf(answer: HttpResponse, size: number): Promise<ContentInfo> {
  await answer.discard();
  const etag = answer.headers.get("etag");
  return { kind: "file", size, ...etag === null ? {} : { etag } };
}

/** Returns a block size for which the content has few enough blocks. */
function blockBytes(content: Source | ReadableStream<Bytes>, min: number): number {
  const size = content instanceof ReadableStream ? 0 : content.size;
  return Math.max(min, Math.ceil(size / MAX_BLOCKS));
}

function encodeText(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Returns an etag with quotes, as in headers. Lists contain etags without quotes. */
function quoteEtag(etag: string): string {
  return etag.startsWith('"') || etag === "" ? etag : `"${etag}"`;
}

function messageOf(text: string): string | undefined {
  return textAt(readXml(text), "Message").split("\n")[0] || undefined;
}

function kindOf(status: number, { code }: ErrorBody): StoreErrorKind | undefined {
  if (code === "ContainerNotFound" || code === "ContainerBeingDeleted") return "bucket";
  if (code === "AccountIsDisabled") return "forbidden";
  if (code === "ServerBusy" || code === "OperationTimedOut" || code === "InternalError") return "transient";
  return status === 409 ? "final" : undefined;
}
