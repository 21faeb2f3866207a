/** Files on web servers: read in ranges, written whole, with redirects that do not leak secrets. */
import { basicAuthorization } from "@tiphys/base/basic_authorization";
import { type Bytes, type HttpResponse, partsOf, type Source } from "@tiphys/base/net";
import { storeStream, streamRange } from "@tiphys/base/byte_streams";
import {
  type ContentInfo,
  type Driver,
  type DriverEnvironment,
  type Part,
  type Place,
  StoreError,
} from "@tiphys/model/artifact";
import { kindOfStatus, retryAfter, send, statusText } from "@tiphys/artifacts/store_request";
import { parseReportedSize } from "@tiphys/artifacts/reported_size";
import { notDeletable, notListable } from "@tiphys/model/artifact/unsupported";
import type { Credentials } from "./credentials.ts";

/** Maximum number of redirects. */
export const MAX_REDIRECTS = 10;

/** The user's headers that may be sent to another server. */
const SAFE_HEADERS = new Set(["accept", "accept-language", "user-agent", "range", "if-match", "accept-encoding"]);

/** The properties of a kind of web server, and the environment of its driver. */
export interface WebStore {
  /** Used in messages. */
  readonly store: "http" | "artifactory";
  readonly environment: DriverEnvironment;
  readonly credentials: (stop: AbortSignal) => Promise<Credentials>;
  /** Whether files can be deleted by DELETE. */
  readonly canRemove?: boolean;
  /** Whether uploads send the digest of their content, which the server verifies. */
  readonly sendsDigest?: boolean;
}

/** Creates the driver of a kind of web server. */
export function webDriver(web: WebStore): Driver {
  const { store, canRemove = false, sendsDigest = false } = web;
  return {
    can: { save: true, folders: false, list: false, remove: canRemove, digest: sendsDigest },
    find: (location, stop) => find(web, location, stop),
    read: (location, part, stop) => read(web, location, part, stop),
    list: () => notListable(store),
    write: (location, content, stop) => write(web, location, content, stop),
    remove: (location, stop) => canRemove ? remove(web, location, stop) : Promise.reject(notDeletable()),
  };
}

/** Requests the first byte, because a server may not support HEAD, and a signed URL may be valid only for GET. */
async function find(web: WebStore, location: Place, stop: AbortSignal): Promise<ContentInfo> {
  const answer = await get(web, location, { range: "bytes=0-0" }, stop);
  await answer.discard();
  const total = /^bytes (?:\d+-\d+|\*)\/(\d+)$/.exec(answer.headers.get("content-range") ?? "")?.[1];
  const etag = answer.headers.get("etag") ?? undefined;
  if (answer.status === 206 || answer.status === 416 && total === "0") {
    const size = parseReportedSize(total, `querying ${addressOf(location)}`);
    return { kind: "file", ...size === undefined ? {} : { size }, ...etag ? { etag } : {} };
  }
  if (!isSuccess(answer.status)) throw loadFailure(web, location, answer);
  // A server without ranges may generate each response, so this one's length and etag may not apply to the next.
  return { kind: "file" };
}

async function read(
  web: WebStore,
  location: Place,
  { from = 0, to, etag }: Part,
  stop: AbortSignal,
): Promise<ReadableStream<Bytes>> {
  const isPart = from > 0 || to !== undefined;
  if (to !== undefined && to <= from) return streamRange(new Blob([]).stream(), 0, 0);
  const headers: Record<string, string> = {};
  if (isPart) headers.range = `bytes=${from}-${to === undefined ? "" : to - 1}`;
  if (etag && !etag.startsWith("W/")) headers["if-match"] = etag;
  const answer = await get(web, location, headers, stop);
  const seen = answer.headers.get("etag");
  if (!isSuccess(answer.status)) {
    await answer.discard();
    throw loadFailure(web, location, answer);
  }
  const start = /^bytes (\d+)-/.exec(answer.headers.get("content-range") ?? "")?.[1];
  if (etag && seen && seen !== etag || answer.status === 206 && isPart && Number(start) !== from) {
    await answer.discard();
    throw new StoreError(`${addressOf(location)} has changed while it was read`, "changed");
  }
  const body = answer.headers.get("content-encoding")?.toLowerCase() === "gzip" && !isPart
    ? answer.body.pipeThrough(new DecompressionStream("gzip"))
    : answer.body;
  // A server without ranges sends the whole file.
  return isPart && answer.status !== 206 ? streamRange(body, from, to) : body;
}

async function write(
  web: WebStore,
  location: Place,
  content: Source | ReadableStream<Bytes>,
  stop: AbortSignal,
): Promise<ContentInfo> {
  if (location.key.endsWith("/")) {
    throw new StoreError(`${web.store} artifacts cannot be a directory with archive none; use archive tar`, "final");
  }
  await using kept = await storeStream(content, stop);
  const body = kept.source;
  const headers: Record<string, string> = {};
  const sha256 = web.sendsDigest ? await sha256Of(body) : undefined;
  if (sha256 !== undefined) headers["x-checksum-sha256"] = sha256;
  const answer = await sendRequest(web, location, "PUT", headers, body, stop);
  await answer.discard();
  if (isSuccess(answer.status)) {
    return { kind: "file", size: body.size, ...(sha256 === undefined ? {} : { sha256 }) };
  }
  throw new StoreError(
    `saving to ${addressOf(location)} failed with reason: ${statusText(answer.status)}`,
    kindOfStatus(answer.status),
    retryAfter(answer, web.environment.now),
  );
}

async function sha256Of(source: Source): Promise<string> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  for await (const chunk of partsOf(source)) hash.update(chunk);
  return hash.digest("hex");
}

async function remove(web: WebStore, location: Place, stop: AbortSignal): Promise<{ readonly removed: number }> {
  const answer = await sendRequest(web, location, "DELETE", {}, undefined, stop);
  await answer.discard();
  if (isSuccess(answer.status)) return { removed: 1 };
  if (kindOfStatus(answer.status) === "missing") return { removed: 0 };
  throw new StoreError(
    `deleting ${addressOf(location)} failed with reason: ${statusText(answer.status)}`,
    kindOfStatus(answer.status),
    retryAfter(answer, web.environment.now),
  );
}

function get(
  web: WebStore,
  location: Place,
  headers: Readonly<Record<string, string>>,
  stop: AbortSignal,
): Promise<HttpResponse> {
  return sendRequest(web, location, "GET", { "accept-encoding": "identity", ...headers }, undefined, stop);
}

function loadFailure(web: WebStore, location: Place, answer: HttpResponse): StoreError {
  const kind = kindOfStatus(answer.status);
  const reason = `loading content from ${addressOf(location)} failed with reason: ${statusText(answer.status)}`;
  return new StoreError(reason, kind, retryAfter(answer, web.environment.now));
}

/** Sends a request. After a rejected token, it is repeated once with a new one. */
async function sendRequest(
  web: WebStore,
  location: Place,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: Source | undefined,
  stop: AbortSignal,
): Promise<HttpResponse> {
  for (let isAgain = false;; isAgain = true) {
    const credentials = await web.credentials(stop);
    const answer = await sendFollowingRedirects(web, location, { method, headers, body, credentials, stop });
    if (answer.status !== 401 || isAgain || !credentials.refused) return answer;
    await answer.discard();
    credentials.refused();
  }
}

interface RequestParts {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Source | undefined;
  readonly credentials: Credentials;
  readonly stop: AbortSignal;
}

async function sendFollowingRedirects(
  { environment: { net } }: WebStore,
  location: Place,
  { method, headers, body, credentials, stop }: RequestParts,
): Promise<HttpResponse> {
  const first = urlOf(location);
  const fromUrl = userOf(first);
  let url = first;
  let isElsewhere = false;
  for (let redirects = 0;; redirects++) {
    const own = isElsewhere ? safeHeaders(credentials.headers) : { ...fromUrl, ...credentials.headers };
    const answer = await send(net, {
      method,
      url,
      headers: { ...own, ...headers },
      ...body ? { body } : {},
      ...credentials.tls && !isElsewhere ? { tls: credentials.tls } : {},
      stop,
    }, `${method} ${displayUrl(url)}`);
    const next = locationOf(answer, method, url);
    if (!next) return answer;
    await answer.discard();
    if (redirects >= MAX_REDIRECTS) {
      throw new StoreError(`${addressOf(location)} redirects more than ${MAX_REDIRECTS} times`, "final");
    }
    if (next.protocol !== "http:" && next.protocol !== "https:") {
      throw new StoreError(`${addressOf(location)} redirects to an address that is neither http nor https`, "final");
    }
    // A request that has left the first host stays foreign, because another server could redirect back to obtain
    // credentials.
    isElsewhere ||= next.host !== first.host || first.protocol === "https:" && next.protocol === "http:";
    url = next;
  }
}

function safeHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => SAFE_HEADERS.has(name)));
}

/** Returns the URL of a redirect. Methods other than GET follow only redirects that keep the method. */
function locationOf(answer: HttpResponse, method: string, from: URL): URL | undefined {
  const follows = method === "GET" ? [301, 302, 303, 307, 308] : [307, 308];
  const location = answer.headers.get("location");
  if (!follows.includes(answer.status) || !location) return undefined;
  return URL.parse(location, from) ?? undefined;
}

/**
 * Returns the URL of a place: that of its settings, unchanged, unless its key is another path.
 * @throws {StoreError} when it has no valid URL.
 */
export function urlOf({ key, settings, store }: Place): URL {
  const written = typeof settings.url === "string" && settings.url !== "" ? settings.url : key;
  const url = URL.parse(written);
  if (!url || url.protocol !== "http:" && url.protocol !== "https:") {
    throw new StoreError(`${store}: the url must begin with http:// or https:// and name a host`, "final");
  }
  if (key !== "" && key !== written && withSlash(key) !== decodePath(url.pathname)) {
    url.pathname = withSlash(key).split("/").map(encodeURIComponent).join("/");
  }
  return url;
}

function withSlash(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Moves the name and password of a URL into a header, because a request line must not contain them. */
function userOf(url: URL): Record<string, string> {
  const { username, password } = url;
  url.username = "";
  url.password = "";
  if (username === "" && password === "") return {};
  return { authorization: basicAuthorization(decodePath(username), decodePath(password)) };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function addressOf(location: Place): string {
  return displayUrl(urlOf(location));
}

/** Returns a URL without parts that may be secret. */
export function displayUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}${url.search === "" ? "" : "?…"}`;
}
