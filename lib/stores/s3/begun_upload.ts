/** A multipart upload that an earlier process started: resumed if its parts match the content, else aborted. */
import { createHash } from "node:crypto";
import type { Bytes, Source } from "@tiphys/base/net";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { StoreError } from "@tiphys/model/artifact";
import { Pages, readPageText } from "@tiphys/artifacts/pages";
import { md5Of, type Upload } from "./multipart.ts";
import { elements, textOf } from "./xml.ts";

/** Page size of a list of parts. */
const PAGE_SIZE = 1000;

/** The fields of an upload that resuming needs. */
type UploadContext = Pick<Upload, "client" | "key" | "partHeaders" | "stop" | "retry" | "begun">;

/** Identifies an upload, as far as known before the content is sent. */
export interface UploadShape {
  /** Size in bytes. Undefined for a stream, which can be sent only once. */
  readonly size: number | undefined;
  readonly partBytes: number;
  /** The digest to be stored with the object. */
  readonly sha256: string | undefined;
}

/** A part in the store. */
export interface ReportedPart {
  readonly etag: string;
  readonly size: number;
  /** CRC-32 in S3's format, if the store has it. */
  readonly crc32?: string;
}

/** An upload that can be resumed. */
export interface EarlierUpload {
  readonly id: string;
  readonly parts: ReadonlyMap<number, ReportedPart>;
}

/** The stored uploads to one key. */
export class UploadRecord {
  readonly #upload: UploadContext;
  readonly #shape: UploadShape;
  readonly #name: string;

  constructor(upload: UploadContext, shape: UploadShape) {
    this.#upload = upload;
    this.#shape = shape;
    const { client: { address: { url, base } }, key, begun } = upload;
    this.#name = begun ? createHash("sha256").update(JSON.stringify([url.href, base, key])).digest("hex") : "";
  }

  /** Returns the started upload with its parts. One that cannot be resumed is passed to `takeBack` and removed. */
  async findResumable(takeBack: (id: string) => Promise<void>): Promise<EarlierUpload | undefined> {
    const { begun, stop, retry } = this.#upload;
    const said = begun?.get(this.#name);
    if (said === undefined) return undefined;
    const { id, ...shape } = fieldsOfJson(said);
    if (typeof id !== "string" || id === "") return void this.forget();
    const { size, partBytes, sha256 } = this.#shape;
    const isSame = size !== undefined && shape.size === size && shape.partBytes === partBytes &&
      shape.sha256 === sha256;
    try {
      if (isSame) return { id, parts: await retry(stop, () => partsOfUpload(this.#upload, id)) };
    } catch (error) {
      stop.throwIfAborted();
      if (error instanceof StoreError && error.kind === "missing") return void this.forget();
    }
    await takeBack(id);
    this.forget();
    return undefined;
  }

  store(id: string): void {
    this.#upload.begun?.put(this.#name, JSON.stringify({ id, ...this.#shape }));
  }

  forget(): void {
    this.#upload.begun?.forget(this.#name);
  }
}

/** Whether the stored part equals this part of the content, by checksum or else by MD5. */
export async function isSamePart(
  there: ReportedPart | undefined,
  body: Bytes | Source,
  crc32: string,
): Promise<boolean> {
  const size = body instanceof Uint8Array ? body.length : body.size;
  if (!there || there.size !== size) return false;
  if (there.crc32 !== undefined) return there.crc32 === crc32;
  return there.etag.replaceAll('"', "") === (await md5Of(body)).digest("hex");
}

async function partsOfUpload(
  { client, key, partHeaders, stop }: UploadContext,
  id: string,
): Promise<ReadonlyMap<number, ReportedPart>> {
  const operation = `s3: listing the parts of ${key}`;
  const parts = new Map<number, ReportedPart>();
  const pages = new Pages(operation);
  let after: string | undefined;
  do {
    const response = await client.sendOrThrow({
      method: "GET",
      key,
      query: [
        ["max-parts", `${PAGE_SIZE}`],
        ...(after === undefined ? [] : [["part-number-marker", after] as const]),
        ["uploadId", id],
      ],
      headers: partHeaders,
      stop,
    }, operation);
    const xml = await readPageText(response, operation);
    let count = 0;
    for (const part of elements(xml, "Part")) {
      count++;
      const number = Number(textOf(part, "PartNumber"));
      const crc32 = textOf(part, "ChecksumCRC32");
      parts.set(number, {
        etag: textOf(part, "ETag") ?? "",
        size: Number(textOf(part, "Size")),
        ...(crc32 ? { crc32 } : {}),
      });
    }
    after = pages.nextToken(
      textOf(xml, "IsTruncated") === "true" ? textOf(xml, "NextPartNumberMarker") : undefined,
      count,
    );
  } while (after !== undefined);
  return parts;
}
