/** The request handler of the embedded store. */
import { type ArtifactStore, DamagedBlock, NoRoom } from "./artifact_store.ts";
import { receiveText } from "./content.ts";
import { MAX_DOCUMENT_BYTES, PAGE } from "./limits.ts";
import type { ListedObject } from "./object_index.ts";
import { deletedAnswer, errorAnswer, listAnswer, locationAnswer, uploadsAnswer } from "./s3_answers.ts";
import { callerOf } from "./s3_caller.ts";
import { notImplemented, S3Error } from "./s3_error.ts";
import {
  abortUpload,
  beginUpload,
  completeUpload,
  deleteObject,
  getObject,
  keysToDelete,
  listParts,
  putObject,
  putPart,
} from "./s3_objects.ts";
import { type S3Target, targetOf, valueIn } from "./s3_request.ts";

/** Options of the handler. */
export interface HandlerOptions {
  readonly store: ArtifactStore;
  /** Returns the time in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Receives internal errors. */
  readonly onError?: (subject: string, error: unknown) => void;
}

/** Returns the handler, which never throws. */
export function s3Handler({ store, now = Date.now, onError }: HandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const target = targetOf(request.url);
      const namespace = callerOf(store, request, target, now());
      return target.key === undefined
        ? await answerBucket(store, namespace, request, target)
        : await answerObject(store, namespace, target.key, request, target);
    } catch (error) {
      return errorAnswer(refusalOf(error, onError), request.method);
    }
  };
}

function refusalOf(error: unknown, onError: HandlerOptions["onError"]): S3Error {
  if (error instanceof S3Error) return error;
  // Statuses below 500, because retries do not help with a full store or a damaged block.
  if (error instanceof NoRoom) return new S3Error(413, "QuotaExceeded", error.message);
  if (error instanceof DamagedBlock) return new S3Error(422, "DamagedObject", error.message);
  onError?.("answer a request for an artifact", error);
  return new S3Error(500, "InternalError", "The embedded store failed");
}

/** Query parameters that have no effect. */
const IDLE = new Set(["x-id"]);

async function answerBucket(
  store: ArtifactStore,
  namespace: string,
  request: Request,
  target: S3Target,
): Promise<Response> {
  const word = (name: string) => valueIn(target, name);
  switch (request.method) {
    case "HEAD":
      return new Response(null);
    case "PUT":
      if (target.query.length > 0) throw notImplemented("settings of the bucket");
      throw new S3Error(409, "BucketAlreadyOwnedByYou", "The bucket always exists");
    case "POST":
      if (word("delete") === undefined) break;
      return deleteMany(store, namespace, await receiveText(request, MAX_DOCUMENT_BYTES));
    case "GET":
      if (word("location") !== undefined) return locationAnswer();
      if (word("uploads") !== undefined) return uploadsAnswer(store.index.uploads(namespace));
      if (word("list-type") === "2") return listObjects(store, namespace, target);
  }
  throw notImplemented(
    `${request.method} of a bucket with ${target.query.map(([name]) => name).join(", ") || "nothing"}`,
  );
}

async function answerObject(
  store: ArtifactStore,
  namespace: string,
  key: string,
  request: Request,
  target: S3Target,
): Promise<Response> {
  const call = { store, namespace, key, request };
  const words = target.query.map(([name]) => name).filter((name) => !IDLE.has(name)).sort();
  const id = valueIn(target, "uploadId") ?? "";
  switch (`${request.method} ${words.join()}`) {
    case "GET ":
    case "HEAD ":
      return await getObject(call);
    case "PUT ":
      return await putObject(call);
    case "DELETE ":
      return deleteObject(call);
    case "POST uploads":
      return beginUpload(call);
    case "GET uploadId":
    case "GET max-parts,uploadId":
    case "GET part-number-marker,uploadId":
    case "GET max-parts,part-number-marker,uploadId":
      return listParts(call, id, { max: valueIn(target, "max-parts"), after: valueIn(target, "part-number-marker") });
    case "PUT partNumber,uploadId":
      return await putPart(call, id, valueIn(target, "partNumber") ?? "");
    case "POST uploadId":
      return await completeUpload(call, id);
    case "DELETE uploadId":
      return abortUpload(call, id);
  }
  throw notImplemented(`${request.method} of an object with ${words.join(", ") || "nothing"}`);
}

function listObjects(store: ArtifactStore, namespace: string, target: S3Target): Response {
  const delimiter = valueIn(target, "delimiter") ?? "";
  const prefix = valueIn(target, "prefix") ?? "";
  const token = valueIn(target, "continuation-token");
  const after = token === undefined ? valueIn(target, "start-after") ?? "" : keyOfToken(token);
  const requested = valueIn(target, "max-keys");
  if (requested !== undefined && !/^\d{1,9}$/.test(requested)) {
    throw new S3Error(400, "InvalidArgument", "Expected a number for max-keys");
  }
  const max = Math.min(PAGE, requested === undefined ? PAGE : Number(requested));
  const page = (from: string, count: number) => store.index.page(namespace, prefix, from, count);
  const found = max === 0 ? [] : rowsOf(page, { prefix, delimiter, after, max: max + 1 });
  const rows = found.slice(0, max);
  const last = rows.at(-1);
  const next = found.length <= max || !last ? undefined : tokenOf(typeof last === "string" ? endOf(last) : last.key);
  return listAnswer({ prefix, delimiter, rows, max, next, isEncoded: valueIn(target, "encoding-type") === "url" });
}

/** Number of keys to read at once if some of them may have a common prefix. */
const ROWS_READ = 100;

/** Returns the rows of a list: objects, and one common prefix for all keys with the same text up to the delimiter. */
function rowsOf(
  page: (after: string, max: number) => readonly ListedObject[],
  { prefix, delimiter, after, max }: Readonly<Record<"prefix" | "delimiter" | "after", string>> & { max: number },
): readonly (ListedObject | string)[] {
  if (delimiter === "") return page(after, max);
  const rows: (ListedObject | string)[] = [];
  let from = after;
  while (rows.length < max) {
    const read = page(from, ROWS_READ);
    for (const object of read) {
      const end = object.key.indexOf(delimiter, prefix.length);
      const row = end < 0 ? object : object.key.slice(0, end + delimiter.length);
      rows.push(row);
      from = typeof row === "string" ? endOf(row) : object.key;
      if (typeof row === "string" || rows.length === max) break;
    }
    if (read.length < ROWS_READ && (read.at(-1)?.key ?? "") <= from) break;
  }
  return rows;
}

/** Returns a text that sorts after all keys with a prefix. */
function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

function deleteMany(store: ArtifactStore, namespace: string, text: string): Response {
  const keys = keysToDelete(text);
  if (keys.length > PAGE) throw new S3Error(400, "MalformedXML", `Expected ${PAGE} keys at most`);
  store.removeUnused(store.index.remove(namespace, keys));
  return deletedAnswer(/<Quiet>true<\/Quiet>/.test(text) ? [] : keys);
}

function tokenOf(key: string): string {
  return new TextEncoder().encode(key).toBase64({ alphabet: "base64url" });
}

function keyOfToken(token: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(token, { alphabet: "base64url" }));
  } catch {
    throw new S3Error(400, "InvalidArgument", "The continuation-token is invalid");
  }
}
