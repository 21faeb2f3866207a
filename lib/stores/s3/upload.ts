/** Writes an object completely or not at all: in one request if it is small, else in concurrent parts. */
import { createHash, type Hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { type Bytes, freeBuffer, partsOf, sliceOf, type Source, tapStream } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import { crc32Text } from "@tiphys/artifacts/content_sum";
import { isSamePart, UploadRecord } from "./begun_upload.ts";
import { abortUpload, beginUpload, completeUpload, partElement, putPart, type Upload } from "./multipart.ts";
import { CRC_HEADER, DIGEST_HEADER, etagOf } from "./object_headers.ts";

/** Part sizes in bytes: the default, and that for content of unknown length. */
const PART_BYTES = 16 * 1024 * 1024;
const STREAM_PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 10_000;

/** Number of parts of a stream after which the part size doubles, because the length is unknown. */
const PARTS_OF_ONE_SIZE = 2_000;

/**
 * Maximum size of content that is read before it is sent, to compute its digest. Larger content would be read from disk
 * twice.
 */
const MAX_DIGESTED_BYTES = 1 << 30;

/** The header of a customer's key. No response contains it, and a wrong key is rejected. */
const CUSTOMER_KEY = "x-amz-server-side-encryption-customer-key";

const STORAGE_CLASS = "x-amz-storage-class";

/** The object that the upload created. */
export interface UploadResult {
  readonly size: number;
  readonly etag?: string;
  /** SHA-256 of the content in hexadecimal. */
  readonly sha256: string;
  readonly hasExisted?: true;
}

/** The checksums of content that was read before it is sent: SHA-256, CRC-32, and the checksum of each part. */
interface KnownSums {
  readonly sha256: string;
  readonly crc32: string;
  readonly sums: readonly CheckSum[];
}

/** The checksum of a body, as a header. */
type CheckSum = Readonly<Record<"x-amz-checksum-crc32", string>>;

/** Writes content of a known length. */
export async function uploadSource(upload: Upload, source: Source): Promise<UploadResult> {
  const size = Math.max(upload.partBytes ?? PART_BYTES, Math.ceil(source.size / MAX_PARTS));
  if (source.size <= size) return await putWhole(upload, source);
  const known = upload.asking && source.size <= MAX_DIGESTED_BYTES ? await sumsOf(upload, source, size) : undefined;
  const there = known && await findEqualObject(upload, source.size, known.sha256);
  if (there) return there;
  let next = 0;
  const take = () => {
    if (next >= source.size) return Promise.resolve(undefined);
    const from = next;
    next = Math.min(source.size, from + size);
    return Promise.resolve(sliceOf(source, from, next));
  };
  return await putInParts(upload, take, { size: source.size, partBytes: size, before: known });
}

async function sumsOf({ stop }: Upload, source: Source, partBytes: number): Promise<KnownSums> {
  const hash = createHash("sha256");
  const sums: CheckSum[] = [];
  let whole = 0;
  const see = (part: Bytes) => whole = crc32(part, whole);
  for (let from = 0; from < source.size; from += partBytes) {
    stop.throwIfAborted();
    sums.push(await checkSum(sliceOf(source, from, Math.min(source.size, from + partBytes)), hash, see));
  }
  return { sha256: hash.digest("hex"), crc32: crc32Text(whole), sums };
}

/**
 * Returns the object at the key if it equals the one to be written: same size, same digest in its metadata, requested
 * encryption, readable at once, and not about to expire. A writer need not have the permission to check this.
 */
async function findEqualObject(
  { client, key, headers, partHeaders, stop, asking }: Upload,
  size: number,
  sha256: string,
): Promise<UploadResult | undefined> {
  if (!asking || asking.isRefused) return undefined;
  const there = await client.send({ method: "HEAD", key, headers: partHeaders, stop }).catch(() => undefined);
  stop.throwIfAborted();
  if (!there) return undefined;
  if ("failed" in there) {
    asking.isRefused = there.failed.status === 401 || there.failed.status === 403;
    return undefined;
  }
  const { ok } = there;
  await ok.discard();
  const says = (name: string, value: string | null) => ok.headers.get(name) === value;
  const isSame = says("content-length", `${size}`) && says(DIGEST_HEADER, sha256) &&
    Object.entries(headers).every(([name, value]) => name === CUSTOMER_KEY || says(name, value)) &&
    says("x-amz-expiration", null) && (says(STORAGE_CLASS, null) || says(STORAGE_CLASS, "STANDARD"));
  return isSame ? { size, sha256, hasExisted: true, ...etagOf(ok.headers) } : undefined;
}

/** Writes content of unknown length. Only the parts in flight are in memory. */
export async function uploadStream(upload: Upload, stream: ReadableStream<Bytes>): Promise<UploadResult> {
  const reader = stream.getReader();
  const cut = () => void reader.cancel(upload.stop.reason).catch(() => {});
  upload.stop.addEventListener("abort", cut, { once: true });
  try {
    let count = 0;
    let unread: Bytes | undefined;
    const more = async (): Promise<Bytes | undefined> => {
      const doublings = Math.floor(count++ / PARTS_OF_ONE_SIZE);
      const part = new Uint8Array((upload.partBytes ?? STREAM_PART_BYTES) * 2 ** doublings);
      let filled = 0;
      while (filled < part.length) {
        upload.stop.throwIfAborted();
        const bytes = unread ?? (await reader.read()).value;
        if (bytes === undefined) break;
        const taken = bytes.subarray(0, part.length - filled);
        part.set(taken, filled);
        filled += taken.length;
        unread = taken.length < bytes.length ? bytes.subarray(taken.length) : undefined;
      }
      upload.stop.throwIfAborted();
      return filled === 0 ? undefined : part.subarray(0, filled);
    };
    const first = await more() ?? new Uint8Array();
    const second = first.length < (upload.partBytes ?? STREAM_PART_BYTES) ? undefined : await more();
    if (second === undefined) return await putWhole(upload, first);
    const begun = [first, second];
    return await putInParts(
      { ...upload, parts: Math.min(upload.parts, 2) },
      async () => begun.shift() ?? await more(),
      { partBytes: first.length },
    );
  } finally {
    upload.stop.removeEventListener("abort", cut);
    await reader.cancel().catch(() => {});
  }
}

async function putWhole(upload: Upload, body: Bytes | Source): Promise<UploadResult> {
  const { client, key, headers, stop } = upload;
  const size = body instanceof Uint8Array ? body.length : body.size;
  const hash = createHash("sha256");
  const sum = await checkSum(body, hash);
  const sha256 = hash.digest("hex");
  const there = await findEqualObject(upload, size, sha256);
  if (there) return there;
  const response = await client.sendOrThrow(
    { method: "PUT", key, headers: { ...headers, ...sum, [DIGEST_HEADER]: sha256 }, body, stop },
    `s3: writing ${key}`,
  );
  const etag = etagOf(response.headers);
  await response.discard();
  return { size, sha256, ...etag };
}

/** Facts about content that are known before it is sent in parts. */
interface AnnouncedContent {
  readonly size?: number;
  readonly partBytes: number;
  readonly before?: KnownSums;
}

async function putInParts(
  upload: Upload,
  next: () => Promise<Bytes | Source | undefined>,
  { size: known, partBytes, before }: AnnouncedContent,
): Promise<UploadResult> {
  const { client, key, stop } = upload;
  const begun = new UploadRecord(upload, { size: known, partBytes, sha256: before?.sha256 });
  const earlier = await begun.findResumable((id) => abortUpload(client, key, id, true));
  const sums: Record<string, string> = before ? { [DIGEST_HEADER]: before.sha256, [CRC_HEADER]: before.crc32 } : {};
  const id = earlier?.id ??
    await beginUpload(upload, { "x-amz-checksum-algorithm": "CRC32", ...sums }, `s3: writing ${key}`);
  if (!earlier) begun.store(id);
  // The first failed part ends the others.
  const failed = new AbortController();
  const cut = AbortSignal.any([stop, failed.signal]);
  const parts: string[] = [];
  const etags: string[] = [];
  let size = 0;
  // If the metadata of the object was sent before its content was read, this digest is only returned to the caller.
  const hash = createHash("sha256");
  let turn: Promise<unknown> = Promise.resolve();
  let number = 0;
  let mayComeLate = false;
  const runWorker = async () => {
    for (;;) {
      // Parts are read and summed sequentially, because the parts of a stream arrive in order, and the digest covers
      // all of them.
      const mine = turn.then(async () => {
        cut.throwIfAborted();
        const body = await next();
        if (!body) return undefined;
        const sum = before?.sums[number] ?? await checkSum(body, hash);
        return { body: before ? failIfChanged(body, sum, key) : body, number: ++number, sum };
      });
      turn = mine.catch(() => {});
      const part = await mine;
      if (!part) return;
      const bytes = part.body instanceof Uint8Array ? part.body.length : part.body.size;
      size += bytes;
      const { sum } = part;
      const there = earlier?.parts.get(part.number);
      const etag = there && await isSamePart(there, part.body, sum["x-amz-checksum-crc32"])
        ? there.etag
        : await putPart(upload, id, part.number, part.body, sum, cut, () => mayComeLate = true);
      // The part of a stream is not shared, so its memory is released now instead of by the garbage collector.
      if (part.body instanceof Uint8Array) freeBuffer(part.body.buffer);
      etags[part.number - 1] = etag;
      const crc = `<ChecksumCRC32>${sum["x-amz-checksum-crc32"]}</ChecksumCRC32>`;
      parts[part.number - 1] = partElement(part.number, etag, crc);
    }
  };
  try {
    const workers = Array.from({ length: Math.max(1, upload.parts) }, () =>
      runWorker().catch((error) => {
        failed.abort(error);
        throw error;
      }));
    const ends = await Promise.allSettled(workers);
    stop.throwIfAborted();
    if (failed.signal.aborted) throw failed.signal.reason;
    if (ends.length === 0 || (known !== undefined && size !== known)) {
      throw new StoreError(`s3: writing ${key} failed: received ${size} of ${known} bytes`, "final");
    }
    const made = await upload.retry(stop, () => completeUpload(upload, id, parts, etags, size));
    begun.forget();
    return { size, sha256: before?.sha256 ?? hash.digest("hex"), ...made };
  } catch (error) {
    await abortUpload(client, key, id, mayComeLate);
    begun.forget();
    throw error;
  }
}

/** Computes the checksum that the store verifies. The same read updates the digest. */
async function checkSum(body: Bytes | Source, hash: Hash, see?: (part: Bytes) => void): Promise<CheckSum> {
  let sum = 0;
  for await (const part of partsOf(body)) {
    sum = crc32(part, sum);
    hash.update(part);
    see?.(part);
  }
  return { "x-amz-checksum-crc32": crc32Text(sum) };
}

/**
 * Returns a part that fails when its content changes after its checksum was computed, because the digest is sent
 * already.
 */
function failIfChanged(body: Bytes | Source, sum: CheckSum, key: string): Bytes | Source {
  if (body instanceof Uint8Array) return body;
  const { size } = body;
  return {
    size,
    open(from, to) {
      let own = 0;
      return tapStream(body.open(from, to), {
        see: (part) => own = crc32(part, own),
        atEnd() {
          if (from > 0 || to < size || crc32Text(own) === sum["x-amz-checksum-crc32"]) return Promise.resolve();
          return Promise.reject(new Error(`${key} was changed while it was saved`));
        },
      });
    },
  };
}
