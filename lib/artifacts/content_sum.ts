/**
 * Checksums of content that arrives in parts. Node's implementations are the fastest, but loading them takes 20 ms of
 * CPU time and 11 MB, which a pod with small inputs avoids.
 */
import type { Bytes } from "@tiphys/base/net/net";
import { crc32 } from "./crc32.ts";
import { StoreError } from "@tiphys/model/artifact";

/** A checksum that is updated part by part. */
export interface ContentSum {
  /**
   * Adds a part, which the caller may overwrite afterwards.
   * @throws {StoreError} when there is more content than announced.
   */
  add(part: Uint8Array): void;
  /** Returns the checksum of all parts. Must be called once. */
  value(): Promise<string>;
}

/** Content up to this size, in bytes, is summed without Node's modules. */
const SMALL_BYTES = 1 << 20;

/** Returns a SHA-256 in hexadecimal. `size` is the announced size in bytes, if known. */
export async function sha256Sum(size: number | undefined): Promise<ContentSum> {
  if (isSmall(size)) return new SmallSha256(size);
  const hash = (await import("node:crypto")).createHash("sha256");
  return { add: (part) => void hash.update(part), value: () => Promise.resolve(hash.digest("hex")) };
}

/** Returns a CRC-32 in S3's format: four bytes, big endian, in base64. */
export async function crc32Sum(size: number | undefined): Promise<ContentSum> {
  const crc = isSmall(size) ? crc32 : (await import("node:zlib")).crc32;
  let sum = 0;
  return { add: (part) => void (sum = crc(part, sum)), value: () => Promise.resolve(crc32Text(sum)) };
}

/** Formats a CRC-32 like S3. */
export function crc32Text(sum: number): string {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, sum);
  return bytes.toBase64();
}

function isSmall(size: number | undefined): size is number {
  return size !== undefined && size >= 0 && size <= SMALL_BYTES;
}

/** Stores the content, because Web Crypto needs all of it at once. */
class SmallSha256 implements ContentSum {
  readonly #content: Bytes;
  #filled = 0;

  constructor(size: number) {
    this.#content = new Uint8Array(size);
  }

  add(part: Uint8Array): void {
    const { length } = this.#content;
    if (part.length > length - this.#filled) {
      throw new StoreError(`received more than the announced ${length} bytes`, "transient");
    }
    this.#content.set(part, this.#filled);
    this.#filled += part.length;
  }

  async value(): Promise<string> {
    const sum = await crypto.subtle.digest("SHA-256", this.#content.subarray(0, this.#filled));
    return new Uint8Array(sum).toHex();
  }
}
