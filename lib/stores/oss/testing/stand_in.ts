/** A fake OSS: buckets in memory. It verifies every signature and every MD5, because no test server is available. */
import { createHash } from "node:crypto";
import { escapeXml, readXml, textAt } from "@tiphys/base/xml";
import type { OssKeys } from "../credentials.ts";
import { signHeaders } from "../signature.ts";

interface StoredEntry {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly type: string;
}

/** The fake server. Disposing of it stops it. */
export interface FakeOss extends AsyncDisposable {
  readonly port: number;
  readonly buckets: Map<string, Map<string, StoredEntry>>;
  /** Uploads that were neither completed nor aborted. */
  readonly uploads: Map<string, Map<number, StoredEntry>>;
  /** The lifecycle document of the bucket. */
  readonly lifecycle: Map<string, string>;
  /** Methods and paths of received requests. */
  readonly requests: string[];
}

/** Starts a fake server with these keys. */
export function fakeOss(keys: OssKeys): FakeOss {
  const state = {
    buckets: new Map<string, Map<string, StoredEntry>>(),
    uploads: new Map<string, Map<number, StoredEntry>>(),
    lifecycle: new Map<string, string>(),
    requests: [] as string[],
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const body = await request.bytes().catch(() => undefined);
    return body ? answer(state, keys, request, body) : failure(400, "RequestIsNotWhole");
  });
  return { ...state, port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

type State = Omit<FakeOss, "port" | typeof Symbol.asyncDispose>;

function answer(state: State, keys: OssKeys, request: Request, body: Uint8Array<ArrayBuffer>): Response {
  const url = new URL(request.url);
  const [, name = "", ...rest] = url.pathname.split("/");
  const [bucketName, key] = [decodeURIComponent(name), rest.map(decodeURIComponent).join("/")];
  const query = Object.fromEntries(url.searchParams);
  const headers = Object.fromEntries(request.headers);
  state.requests.push(`${request.method} /${key}`);
  if (!isSigned(request.method, bucketName, key, query, headers, keys)) return failure(403, "SignatureDoesNotMatch");
  const md5 = headers["content-md5"];
  if (md5 && createHash("md5").update(body).digest("base64") !== md5) return failure(400, "InvalidDigest");
  const bucket = state.buckets.get(bucketName);
  if (request.method === "PUT" && key === "" && !("lifecycle" in query)) {
    if (bucket) return failure(409, "BucketAlreadyExists");
    state.buckets.set(bucketName, new Map());
    return new Response("");
  }
  if (!bucket) return request.method === "HEAD" ? new Response(null, { status: 404 }) : failure(404, "NoSuchBucket");
  if (key === "") return ofBucket(state, bucketName, bucket, request.method, query, body);
  return ofObject(state, bucket, key, request.method, query, headers, body);
}

function isSigned(
  method: string,
  bucket: string,
  key: string,
  query: Record<string, string>,
  headers: Record<string, string>,
  keys: OssKeys,
): boolean {
  const now = Date.parse(headers.date ?? "");
  if (Number.isNaN(now)) return false;
  const { authorization, date: _, "x-oss-security-token": token, ...others } = headers;
  if (token !== keys.token) return false;
  return signHeaders({ method, bucket, key, query, headers: others }, keys, { now, region: undefined })
    .authorization ===
    authorization;
}

function ofBucket(
  state: State,
  name: string,
  bucket: Map<string, StoredEntry>,
  method: string,
  query: Record<string, string>,
  body: Uint8Array<ArrayBuffer>,
): Response {
  const text = new TextDecoder().decode(body);
  if ("lifecycle" in query) {
    if (method === "PUT") {
      state.lifecycle.set(name, text);
      return new Response("");
    }
    const document = state.lifecycle.get(name);
    return document ? new Response(document) : failure(404, "NoSuchLifecycle");
  }
  if (method === "POST" && "delete" in query) {
    const keys = (readXml(text)?.children ?? []).filter(({ name }) => name === "Object").map((each) =>
      textAt(each, "Key")
    );
    for (const key of keys) bucket.delete(key);
    return xml(
      `<DeleteResult>${
        keys.map((key) => `<Deleted><Key>${encodeURIComponent(key)}</Key></Deleted>`).join("")
      }</DeleteResult>`,
    );
  }
  const { prefix = "", marker = "", "max-keys": max = "100" } = query;
  const bytes = (text: string) => new TextDecoder("latin1").decode(new TextEncoder().encode(text));
  const all = [...bucket.keys()].filter((key) => key.startsWith(prefix) && bytes(key) > bytes(marker))
    .sort((a, b) => bytes(a) < bytes(b) ? -1 : 1);
  const page = all.slice(0, Number(max));
  const contents = page.map((key) => {
    const { bytes, etag } = bucket.get(key)!;
    return `<Contents><Key>${encodeURIComponent(key)}</Key><ETag>${
      escapeXml(etag)
    }</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const isTruncated = page.length < all.length;
  const next = isTruncated ? `<NextMarker>${encodeURIComponent(page.at(-1)!)}</NextMarker>` : "";
  return xml(
    `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
  );
}

function ofObject(
  state: State,
  bucket: Map<string, StoredEntry>,
  key: string,
  method: string,
  query: Record<string, string>,
  headers: Record<string, string>,
  body: Uint8Array<ArrayBuffer>,
): Response {
  const made = stored(body, headers["content-type"] ?? "");
  if (method === "POST" && "uploads" in query) {
    const id = crypto.randomUUID();
    state.uploads.set(id, new Map());
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  const { uploadId } = query;
  if (uploadId !== undefined) {
    const parts = state.uploads.get(uploadId);
    if (!parts) return failure(404, "NoSuchUpload");
    if (method === "PUT") {
      parts.set(Number(query.partNumber), made);
      return new Response("", { headers: { etag: made.etag } });
    }
    state.uploads.delete(uploadId);
    if (method === "DELETE") return new Response(null, { status: 204 });
    const named = (readXml(new TextDecoder().decode(body))?.children ?? []).map((part) =>
      parts.get(Number(textAt(part, "PartNumber")))
    );
    if (named.some((part) => part === undefined)) return failure(400, "InvalidPart");
    const whole = stored(new Uint8Array(named.flatMap((part) => [...part!.bytes])), "");
    bucket.set(key, whole);
    return xml(`<CompleteMultipartUploadResult><ETag>${escapeXml(whole.etag)}</ETag></CompleteMultipartUploadResult>`);
  }
  if (method === "PUT") {
    bucket.set(key, made);
    return new Response("", { headers: { etag: made.etag } });
  }
  if (method === "DELETE") {
    bucket.delete(key);
    return new Response(null, { status: 204 });
  }
  const found = bucket.get(key);
  if (!found) return method === "HEAD" ? new Response(null, { status: 404 }) : failure(404, "NoSuchKey");
  const own = { etag: found.etag, "content-type": found.type || "application/octet-stream" };
  if (method === "HEAD") {
    return new Response(null, { headers: { ...own, "content-length": String(found.bytes.length) } });
  }
  if (headers["if-match"] && headers["if-match"] !== found.etag) return failure(412, "PreconditionFailed");
  const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "");
  if (!range) {
    const md5 = createHash("md5").update(found.bytes).digest("base64");
    return new Response(found.bytes, { headers: { ...own, "content-md5": md5 } });
  }
  const from = Number(range[1]);
  const to = Math.min(found.bytes.length, range[2] ? Number(range[2]) + 1 : Infinity);
  if (from >= found.bytes.length) return failure(416, "InvalidRange");
  const content = `bytes ${from}-${to - 1}/${found.bytes.length}`;
  return new Response(found.bytes.slice(from, to), { status: 206, headers: { ...own, "content-range": content } });
}

function stored(bytes: Uint8Array<ArrayBuffer>, type: string): StoredEntry {
  return { bytes, etag: `"${createHash("md5").update(bytes).digest("hex").toUpperCase()}"`, type };
}

function xml(text: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, {
    headers: { "content-type": "application/xml" },
  });
}

function failure(status: number, code: string): Response {
  return new Response(`<Error><Code>${code}</Code><Message>${code} it is</Message></Error>`, { status });
}
