/** The S3 driver. */
import { type Bytes, type HttpResponse, type Source, tapStream } from "@tiphys/base/net";
import { contentTypeOf } from "@tiphys/artifacts/content_type";
import { type ContentSum, crc32Sum, sha256Sum } from "@tiphys/artifacts/content_sum";
import {
  type ContentInfo,
  type Driver,
  type DriverEnvironment,
  type Item,
  type Part,
  type Place,
  StoreError,
  type WriteOptions,
} from "@tiphys/model/artifact";
import { decodeListedKey, Pages, readPageText } from "@tiphys/artifacts/pages";
import { kindOfStatus, storeErrorOf } from "@tiphys/artifacts/store_request";
import { parseHeadSize, parseReportedSize } from "@tiphys/artifacts/reported_size";
import type { S3Client, S3Response } from "./client.ts";
import type { Encryption } from "./encryption.ts";
import { errorsOf, kindOfCode } from "./errors.ts";
import { CRC_HEADER, DIGEST_HEADER, etagOf } from "./object_headers.ts";
import type { S3Fields } from "./settings.ts";
import type { AddedContent, ObjectVersion } from "./append.ts";
import type { Upload } from "./multipart.ts";
import { elements, escapedText, isXmlText, textOf } from "./xml.ts";

/** Maximum number of keys per page of a list, and per delete request, in all stores. */
const PAGE_SIZE = 1000;

/** The driver of a bucket. */
export class S3Driver implements Driver {
  readonly can = { save: true, folders: true, list: true, remove: true, digest: true, skipsExisting: true };
  /** Whether the store has refused to report the object at a key. It is then not asked before further uploads. */
  readonly #asking = { isRefused: false };

  constructor(
    readonly client: S3Client,
    readonly fields: S3Fields,
    readonly encryption: Encryption,
    readonly limits: DriverEnvironment["limits"],
    readonly means: Pick<DriverEnvironment, "retry" | "begun"> = {},
  ) {}

  async find({ key }: Place, stop: AbortSignal): Promise<ContentInfo> {
    const file = key.endsWith("/") || key === "" ? undefined : await this.#head(key, stop);
    if (file) return file;
    for await (const _ of this.#keys(folderOf(key), stop, 1)) return { kind: "folder" };
    throw new StoreError(`s3: no key ${key} in the bucket ${this.client.address.bucket}`, "missing");
  }

  async read(
    { key }: Place,
    { from = 0, to, etag, isDigestVerified }: Part,
    stop: AbortSignal,
  ): Promise<ReadableStream<Bytes>> {
    const ranged = from > 0 || to !== undefined;
    if (to !== undefined && to <= from) return ReadableStream.from([]);
    const response = await this.client.sendOrThrow({
      method: "GET",
      key,
      headers: {
        ...await this.encryption.readHeaders(key),
        ...(ranged
          ? { range: `bytes=${from}-${to === undefined ? "" : to - 1}` }
          : { "x-amz-checksum-mode": "ENABLED" }),
        ...(etag === undefined ? {} : { "if-match": etag }),
      },
      stop,
    }, `s3: reading ${key}`);
    if (ranged && response.status !== 206) {
      await response.discard();
      throw new StoreError(`s3: reading ${key} failed: the store does not support ranges`, "final");
    }
    return await checkBody(
      response,
      `s3: reading ${key}`,
      stop,
      ranged ? undefined : checksumOf(response.headers, isDigestVerified),
    );
  }

  async *list({ key }: Place, stop: AbortSignal): AsyncGenerator<Item> {
    const prefix = folderOf(key);
    for await (const item of this.#keys(prefix, stop)) {
      const name = item.key.slice(prefix.length);
      if (name === "") continue;
      const bare = name.endsWith("/") && item.size === 0 ? name.slice(0, -1) : name;
      if (bare.includes("\0") || bare.split("/").some((part) => part === "" || part === "." || part === "..")) {
        throw new StoreError(`s3: the key ${JSON.stringify(item.key)} is not a valid name below ${prefix}`, "final");
      }
      yield { name, size: item.size, ...(item.etag ? { etag: item.etag } : {}) };
    }
  }

  async write(
    { key }: Place,
    content: Source | ReadableStream<Bytes>,
    stop: AbortSignal,
    { skipsExisting = false }: WriteOptions = {},
  ): Promise<ContentInfo> {
    // Loaded only for writes: it loads modules of Node, without which a pod starts faster.
    const { uploadSource, uploadStream } = await import("./upload.ts");
    const upload: Upload = { ...await this.#upload(key, stop), ...skipsExisting ? { asking: this.#asking } : {} };
    const kind = key.endsWith("/") ? "folder" : "file";
    if (content instanceof ReadableStream) {
      // A stream can be read only once, so the bucket must exist before.
      if (this.fields.createBucketIfNotPresent) await this.#ensureBucket(stop);
      return { kind, ...await uploadStream(upload, content) };
    }
    try {
      return { kind, ...await uploadSource(upload, content) };
    } catch (error) {
      const create = error instanceof StoreError && error.kind === "bucket" && this.fields.createBucketIfNotPresent;
      if (!create) throw error;
      await this.#createBucket(stop);
      return { kind, ...await uploadSource(upload, content) };
    }
  }

  async append({ key }: Place, there: ObjectVersion, added: AddedContent, stop: AbortSignal): Promise<ObjectVersion> {
    const partHeaders = await this.encryption.readHeaders(key);
    // A copy would need the customer's key twice.
    if (Object.keys(partHeaders).length > 0) {
      throw new StoreError("s3: an object with a customer's key cannot be appended to", "final");
    }
    const { appendTo } = await import("./append.ts");
    return await appendTo(await this.#upload(key, stop), there, added);
  }

  async remove({ key }: Place, stop: AbortSignal): Promise<{ readonly removed: number }> {
    if (key === "") throw new StoreError("s3: refusing to remove without a key", "final");
    if (!key.endsWith("/") && await this.#head(key, stop)) {
      await this.#removeOne(key, stop);
      return { removed: 1 };
    }
    let removed = 0;
    let page: string[] = [];
    for await (const item of this.#keys(folderOf(key), stop)) {
      page.push(item.key);
      if (page.length < PAGE_SIZE) continue;
      removed += await this.#removePage(page, stop);
      page = [];
    }
    return { removed: removed + await this.#removePage(page, stop) };
  }

  async #upload(key: string, stop: AbortSignal): Promise<Upload> {
    return {
      client: this.client,
      key,
      headers: { "content-type": contentTypeOf(key), ...await this.encryption.writeHeaders(key) },
      partHeaders: await this.encryption.readHeaders(key),
      partBytes: this.limits.partBytes,
      parts: this.limits.parts,
      stop,
      retry: this.means.retry ?? ((_, act) => act()),
      ...this.means.begun ? { begun: this.means.begun } : {},
    };
  }

  /** Returns the object with this key; undefined when it does not exist. */
  async #head(key: string, stop: AbortSignal): Promise<ContentInfo | undefined> {
    const headers = await this.encryption.readHeaders(key);
    const head = await this.client.send({ method: "HEAD", key, headers, stop });
    if ("ok" in head) {
      return contentInfoOf(head.ok.headers, parseHeadSize(head.ok.headers, `s3: reading metadata of ${key}`));
    }
    if (head.failed.status === 404) return undefined;
    // Error responses to HEAD have no message, so GET is used.
    const get = await this.client.send({ method: "GET", key, headers: { ...headers, range: "bytes=0-0" }, stop });
    return await this.#headByGet(get, key);
  }

  async #headByGet(get: S3Response, key: string): Promise<ContentInfo | undefined> {
    if ("ok" in get) {
      const { headers, status } = get.ok;
      const operation = `s3: reading metadata of ${key}`;
      const total = /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1];
      await get.ok.discard();
      // The length of a part is not that of the whole.
      return contentInfoOf(
        headers,
        status === 206 ? parseReportedSize(total, operation) : parseHeadSize(headers, operation),
      );
    }
    const { status, error: { code } } = get.failed;
    if (status === 416) return { kind: "file", size: 0 };
    if ((kindOfCode(status, code) ?? kindOfStatus(status)) === "missing") return undefined;
    throw this.client.failure(get.failed, `s3: reading metadata of ${key}`);
  }

  /** Yields the objects whose keys begin with a prefix, in order, page by page. */
  async *#keys(prefix: string, stop: AbortSignal, max = PAGE_SIZE) {
    const operation = `s3: listing ${prefix}`;
    const pages = new Pages(operation);
    let token: string | undefined;
    do {
      const response = await this.client.sendOrThrow({
        method: "GET",
        query: [
          ["list-type", "2"],
          ["prefix", prefix],
          ["max-keys", `${max}`],
          ["encoding-type", "url"],
          ...(token === undefined ? [] : [["continuation-token", token] as const]),
        ],
        stop,
      }, operation);
      const xml = await readPageText(response, operation);
      const isEncoded = textOf(xml, "EncodingType") === "url";
      let count = 0;
      for (const object of elements(xml, "Contents")) {
        count++;
        const text = textOf(object, "Key") ?? "";
        const key = isEncoded ? decodeListedKey(text.replaceAll("+", "%20"), operation) : text;
        if (!key.startsWith(prefix)) continue;
        yield { key, size: parseReportedSize(textOf(object, "Size"), operation) ?? 0, etag: textOf(object, "ETag") };
      }
      const next = textOf(xml, "NextContinuationToken");
      if (textOf(xml, "IsTruncated") === "true" && next === undefined) {
        throw new StoreError(`${operation} failed: the store returned no continuation token`, "final");
      }
      token = pages.nextToken(textOf(xml, "IsTruncated") === "true" ? next : undefined, count);
    } while (token !== undefined);
  }

  async #removeOne(key: string, stop: AbortSignal): Promise<void> {
    const answer = await this.client.send({ method: "DELETE", key, stop });
    if ("ok" in answer) return await answer.ok.discard();
    if (answer.failed.error.code !== "NoSuchKey") throw this.client.failure(answer.failed, `s3: removing ${key}`);
  }

  async #removePage(keys: readonly string[], stop: AbortSignal): Promise<number> {
    const plain = keys.filter((key) => isXmlText(key));
    const single = keys.filter((key) => !isXmlText(key));
    if (plain.length > 0 && !await this.#removeAtOnce(plain, stop)) single.push(...plain);
    const left = [...single];
    const work = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await this.#removeOne(key, stop);
    };
    await Promise.all(Array.from({ length: Math.min(left.length, this.limits.objects) }, work));
    return keys.length;
  }

  /** Removes many objects with one request. False if the store does not support the request. */
  async #removeAtOnce(keys: readonly string[], stop: AbortSignal): Promise<boolean> {
    const { createHash } = await import("node:crypto");
    const objects = keys.map((key) => `<Object><Key>${escapedText(key)}</Key></Object>`).join("");
    const body = new TextEncoder().encode(`<Delete><Quiet>true</Quiet>${objects}</Delete>`);
    const headers = {
      "content-md5": createHash("md5").update(body).digest("base64"),
      "content-type": "application/xml",
    };
    const answer = await this.client.send({ method: "POST", query: [["delete", ""]], headers, body, stop });
    const operation = `s3: removing ${keys.length} objects`;
    if ("failed" in answer) {
      const { status, error: { code } } = answer.failed;
      if (status === 501 || status === 405 || code === "NotImplemented" || code === "MethodNotAllowed") return false;
      throw this.client.failure(answer.failed, operation);
    }
    const text = await readPageText(answer.ok, operation);
    const [first, ...more] = [...errorsOf(text)].filter(({ code }) => code !== "NoSuchKey");
    if (!first) return true;
    const kind = kindOfCode(200, first.code) ?? "final";
    const others = more.length > 0 ? `, and ${more.length} more` : "";
    throw new StoreError(`s3: removing ${first.key}${others} failed: ${first.code}: ${first.message}`, kind);
  }

  async #ensureBucket(stop: AbortSignal): Promise<void> {
    const head = await this.client.send({ method: "HEAD", stop });
    if ("ok" in head) await head.ok.discard();
    else if (head.failed.status === 404) await this.#createBucket(stop);
  }

  /** Creates the bucket. It is not an error if it exists already. */
  async #createBucket(stop: AbortSignal): Promise<void> {
    const { address: { bucket }, region } = this.client;
    const operation = `s3: making the bucket ${bucket}`;
    const place = region === "us-east-1" ? undefined : new TextEncoder().encode(
      `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`,
    );
    const lock = this.fields.createBucketIfNotPresent?.objectLocking;
    const made = await this.client.send({
      method: "PUT",
      stop,
      ...(place ? { body: place } : {}),
      ...(lock ? { headers: { "x-amz-bucket-object-lock-enabled": "true" } } : {}),
    });
    if ("failed" in made) {
      if (/^BucketAlready(OwnedByYou|Exists)$/.test(made.failed.error.code ?? "")) return;
      throw this.client.failure(made.failed, operation);
    }
    await made.ok.discard();
    if (this.encryption.ofBucket === undefined) return;
    const { createHash } = await import("node:crypto");
    const body = new TextEncoder().encode(this.encryption.ofBucket);
    const headers = { "content-md5": createHash("md5").update(body).digest("base64") };
    const done = await this.client.sendOrThrow(
      { method: "PUT", query: [["encryption", ""]], headers, body, stop },
      operation,
    );
    await done.discard();
  }
}

function contentInfoOf(headers: Headers, size: number | undefined): ContentInfo {
  const sha256 = headers.get(DIGEST_HEADER);
  const crc32 = headers.get(CRC_HEADER);
  return {
    kind: "file",
    ...size === undefined ? {} : { size },
    ...etagOf(headers),
    ...(sha256 ? { sha256 } : {}),
    ...(sha256 && crc32 ? { crc32 } : {}),
  };
}

/** Returns the prefix of all keys below a key. Empty for the empty key, which includes the whole bucket. */
function folderOf(key: string): string {
  return key === "" || key.endsWith("/") ? key : `${key}/`;
}

/** A checksum of a whole object, from a response. */
interface Sum {
  readonly name: string;
  readonly value: string;
  /** Creates the checksum of the received content, with its size if known. */
  readonly begin: (size: number | undefined) => Promise<ContentSum>;
}

/**
 * Returns the checksum of the store. If it has no checksum of the whole object, returns the one stored by the writer,
 * unless the reader verifies that itself.
 */
function checksumOf(headers: Headers, isDigestVerified = false): Sum | undefined {
  const crc = headers.get("x-amz-checksum-crc32");
  // The checksum of a multipart object is a checksum of checksums.
  if (crc !== null && !crc.includes("-")) return { name: "CRC32", value: crc, begin: crc32Sum };
  const left = headers.get(CRC_HEADER);
  if (left !== null && !isDigestVerified) return { name: "CRC32", value: left, begin: crc32Sum };
  const digest = headers.get(DIGEST_HEADER);
  return digest === null || isDigestVerified ? undefined : { name: "SHA-256", value: digest, begin: sha256Sum };
}

/** Returns the body of a response, with failures as store errors, verified at its end. */
async function checkBody(
  response: HttpResponse,
  operation: string,
  stop: AbortSignal,
  sum: Sum | undefined,
): Promise<ReadableStream<Bytes>> {
  const failed = (error: unknown) => storeErrorOf(error, operation, stop);
  if (sum === undefined) return tapStream(response.body, { failed });
  const adding = await sum.begin(parseHeadSize(response.headers, operation));
  return tapStream(response.body, {
    failed,
    see: (part) => adding.add(part),
    async atEnd() {
      const ours = await adding.value();
      if (ours === sum.value) return;
      throw new StoreError(
        `${operation} failed: the checksum (${sum.name}) is ${ours}, expected ${sum.value}`,
        "transient",
      );
    },
  });
}
