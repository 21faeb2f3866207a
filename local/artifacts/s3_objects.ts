/** The operations on single objects of the embedded store. */
import { createHash } from "node:crypto";
import { child, readXml, textAt } from "@tiphys/base/xml";
import type { ArtifactStore } from "./artifact_store.ts";
import { base64Of, receiveContent, receiveText } from "./content.ts";
import { MAX_DOCUMENT_BYTES, MAX_METADATA_BYTES, MAX_PARTS, PAGE } from "./limits.ts";
import type { Block, StoredObject, StoredPart } from "./object_index.ts";
import { begunAnswer, completedAnswer, copiedAnswer, headersOf, partsAnswer } from "./s3_answers.ts";
import { targetOf } from "./s3_request.ts";
import { noSuchKey, noSuchUpload, notImplemented, S3Error } from "./s3_error.ts";

/** A request about an object. */
export interface ObjectCall {
  readonly store: ArtifactStore;
  readonly namespace: string;
  readonly key: string;
  readonly request: Request;
}

/** Headers that are stored with an object. */
const STORED_HEADERS = /^(content-(type|encoding|disposition|language)|cache-control|expires|x-amz-meta-.*)$/;

/** Returns an object or a range of it. @throws {S3Error} if it does not exist or does not match the conditions. */
export async function getObject({ store, namespace, key, request }: ObjectCall): Promise<Response> {
  const object = store.index.object(namespace, key);
  if (!object) throw noSuchKey(key);
  checkConditions(object, request.headers);
  const headers = headersOf(object);
  const range = rangeOf(request.headers.get("range"), object.size);
  const [from, to] = range ?? [0, object.size];
  const responseHeaders = {
    ...headers,
    "content-length": `${to - from}`,
    ...(range ? { "content-range": `bytes ${from}-${to - 1}/${object.size}` } : {}),
  };
  const body = request.method === "HEAD" ? null : await store.read(object, from, to);
  return new Response(body, { status: range ? 206 : 200, headers: responseHeaders });
}

/** Writes an object. */
export async function putObject({ store, namespace, key, request }: ObjectCall): Promise<Response> {
  const headers = keptHeaders(request.headers);
  const checkFirst = () => {
    if (request.headers.get("if-none-match") !== "*" || !store.index.object(namespace, key)) return;
    throw new S3Error(412, "PreconditionFailed", `${key} already exists`);
  };
  checkFirst();
  using received = await receiveContent(store, namespace, request);
  // Another writer may have stored an object while the content was received.
  checkFirst();
  const sum = base64Of(received.crc32);
  const { etag } = store.put(namespace, key, received, { ...headers, "x-amz-checksum-crc32": sum });
  return new Response(null, { headers: { etag: `"${etag}"`, "x-amz-checksum-crc32": sum } });
}

/** Removes an object; a missing object is not an error. */
export function deleteObject({ store, namespace, key }: ObjectCall): Response {
  store.removeUnused(store.index.remove(namespace, [key]));
  return new Response(null, { status: 204 });
}

/** Starts a multipart upload. */
export function beginUpload({ store, namespace, key, request }: ObjectCall): Response {
  return begunAnswer(key, store.index.begin(namespace, key, keptHeaders(request.headers)));
}

/** Receives a part of an upload. */
export async function putPart(call: ObjectCall, id: string, part: string): Promise<Response> {
  const { store, namespace, key, request } = call;
  const number = /^\d{1,5}$/.test(part) ? Number(part) : 0;
  if (number < 1 || number > MAX_PARTS) {
    throw new S3Error(400, "InvalidArgument", `Expected a number of a part from 1 to ${MAX_PARTS}`);
  }
  if (!store.index.upload(namespace, key, id)) throw noSuchUpload();
  const source = request.headers.get("x-amz-copy-source");
  if (source !== null) return copyPart(call, id, number, source);
  using received = await receiveContent(store, namespace, request);
  // The upload may have been aborted while the part was received.
  if (!store.index.upload(namespace, key, id)) throw noSuchUpload();
  const crc32 = base64Of(received.crc32);
  store.removeUnused(store.index.putPart(id, number, { ...received, crc32 }));
  const headers = { etag: `"${received.etag}"`, "x-amz-checksum-crc32": crc32 };
  return new Response(null, { headers });
}

/** Returns a page of the parts of an upload. */
export function listParts({ store, namespace, key }: ObjectCall, id: string, query: PartsQuery): Response {
  if (!store.index.upload(namespace, key, id)) throw noSuchUpload();
  const [max, after] = [query.max ?? `${PAGE}`, query.after ?? "0"];
  if (!/^\d{1,9}$/.test(max) || !/^\d{1,9}$/.test(after) || Number(max) === 0) {
    throw new S3Error(400, "InvalidArgument", "Expected numbers for max-parts and part-number-marker");
  }
  const limit = Math.min(PAGE, Number(max));
  const found = store.index.parts(id, Number(after), limit + 1);
  return partsAnswer(key, id, { parts: found.slice(0, limit), max: limit, isTruncated: found.length > limit });
}

/** The page of parts that a query requests. */
export interface PartsQuery {
  readonly max: string | undefined;
  readonly after: string | undefined;
}

/** Copies a whole object as a part of an upload. Its blocks are shared. */
function copyPart({ store, namespace, request }: ObjectCall, id: string, number: number, source: string): Response {
  const { headers } = request;
  const refused = [...headers].map(([name]) => name).find((name) =>
    name.startsWith("x-amz-copy-source-") && name !== "x-amz-copy-source-if-match"
  );
  if (refused) throw notImplemented(`the header ${refused}`);
  const { key } = targetOf(`http://store/${source.replace(/^\//, "")}`);
  const object = key === undefined ? undefined : store.index.object(namespace, key);
  if (!object) throw noSuchKey(key ?? "");
  checkConditions(object, new Headers({ "if-match": headers.get("x-amz-copy-source-if-match") ?? "*" }));
  const etag = createHash("md5").update(object.etag).digest("hex");
  store.removeUnused(store.index.putPart(id, number, { etag, size: object.size, blocks: object.blocks, crc32: "" }));
  return copiedAnswer(etag);
}

/** Completes an upload with the parts that a document lists. */
export async function completeUpload({ store, namespace, key, request }: ObjectCall, id: string): Promise<Response> {
  const text = await receiveText(request, MAX_DOCUMENT_BYTES);
  const upload = store.index.upload(namespace, key, id);
  if (!upload) throw noSuchUpload();
  const parts = partsOf(text).map(({ number, etag }): StoredPart => {
    const part = store.index.part(id, number);
    if (part?.etag === etag) return part;
    throw new S3Error(400, "InvalidPart", `Part ${number} does not exist or has another etag`);
  });
  const hash = createHash("md5");
  for (const { etag } of parts) hash.update(etag, "hex");
  const etag = `${hash.digest("hex")}-${parts.length}`;
  const blocks = parts.flatMap((part): readonly Block[] => part.blocks);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  store.complete(namespace, key, id, { size, etag, blocks, headers: upload.headers });
  return completedAnswer(key, etag);
}

/** Aborts an upload. */
export function abortUpload({ store, namespace, key }: ObjectCall, id: string): Response {
  if (!store.index.upload(namespace, key, id)) throw noSuchUpload();
  store.removeUnused(store.index.abort(id));
  return new Response(null, { status: 204 });
}

function partsOf(text: string): { number: number; etag: string }[] {
  const root = readXml(text);
  const named = root?.children.filter(({ name }) => name === "Part") ?? [];
  const parts = named.map((part) => ({
    number: Number(textAt(part, "PartNumber")),
    etag: textAt(part, "ETag").replaceAll('"', ""),
  }));
  if (root?.name !== "CompleteMultipartUpload" || parts.length === 0 || parts.length > MAX_PARTS) {
    throw new S3Error(400, "MalformedXML", "Expected the parts of an upload");
  }
  const isOrdered = parts.every(({ number }, index) => index === 0 || number > parts[index - 1]!.number);
  if (!isOrdered) throw new S3Error(400, "InvalidPartOrder", "The parts must be named in their order");
  return parts;
}

/** Parses the keys of a deletion of several objects. */
export function keysToDelete(text: string): string[] {
  const root = readXml(text);
  const keys = root?.children.filter(({ name }) => name === "Object").map((object) => child(object, "Key")?.text ?? "");
  if (root?.name !== "Delete" || !keys?.length || keys.includes("")) {
    throw new S3Error(400, "MalformedXML", "Expected the keys of objects");
  }
  return keys;
}

function keptHeaders(headers: Headers): Record<string, string> {
  const names = [...headers].map(([name]) => name);
  const refused = names.find((name) => /^x-amz-(server-side-|copy-source|object-lock-|tagging|acl|grant-)/.test(name));
  if (refused) throw notImplemented(`the header ${refused}`);
  const kept = [...headers].filter(([name]) => STORED_HEADERS.test(name)).flatMap(
    ([name, value]): [string, string][] => {
      if (name !== "content-encoding") return [[name, value]];
      // `aws-chunked` is an encoding of the request, not of the object.
      const encodings = value.split(",").map((word) => word.trim()).filter((word) => word !== "aws-chunked");
      return encodings.length === 0 ? [] : [[name, encodings.join(",")]];
    },
  );
  const size = kept.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > MAX_METADATA_BYTES) {
    throw new S3Error(400, "MetadataTooLarge", `Stored headers may have at most ${MAX_METADATA_BYTES} bytes`);
  }
  return Object.fromEntries(kept);
}

function checkConditions({ etag }: StoredObject, headers: Headers): void {
  const wanted = headers.get("if-match");
  if (wanted === null || wanted === "*" || wanted.replaceAll('"', "") === etag) return;
  throw new S3Error(412, "PreconditionFailed", "The object does not match the condition");
}

/** Parses a range as the offsets of its first byte and the byte after its last; undefined for the whole object. */
function rangeOf(text: string | null, size: number): readonly [from: number, to: number] | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(text ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (from < to) return [from, to];
  if (last !== "" && first !== "" && Number(last) < from) return undefined;
  throw new S3Error(416, "InvalidRange", `The object has ${size} bytes`);
}
