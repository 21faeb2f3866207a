/**
 * Sums of content that comes in parts. Node's own are the fastest, and take 20 ms of CPU time and 11 MB to be loaded: a
 * pod whose inputs are small goes without them.
 */
import type { Bytes } from "../net/net.ts";
import { crc32 } from "./crc32.ts";
import { StoreError } from "./driver.ts";

/** A sum that grows. */
export interface ContentSum {
  /** Adds a part, which the caller may overwrite afterwards. @throws {StoreError} when it is longer than was announced. */
  add(part: Uint8Array): void;
  /** The sum of all parts; called once. */
  value(): Promise<string>;
}

/** Content up to this size, in bytes, is summed up without Node's modules. */
const SMALL_BYTES = 1 << 20;

/** The SHA-256 of content, hexadecimal; `size` (bytes) is what was announced of it, where something was. */
export async function sha256Sum(size: number | undefined): Promise<ContentSum> {
  if (isSmall(size)) return new SmallSha256(size);
  const hash = (await import("node:crypto")).createHash("sha256");
  return { add: (part) => void hash.update(part), value: () => Promise.resolve(hash.digest("hex")) };
}

/** The CRC-32 of content as S3 writes it: four bytes, the highest first, in base64. */
export async function crc32Sum(size: number | undefined): Promise<ContentSum> {
  const crc = isSmall(size) ? crc32 : (await import("node:zlib")).crc32;
  let sum = 0;
  return { add: (part) => void (sum = crc(part, sum)), value: () => Promise.resolve(crc32Text(sum)) };
}

/** A CRC-32 as S3 writes it. */
export function crc32Text(sum: number): string {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, sum);
  return bytes.toBase64();
}

function isSmall(size: number | undefined): size is number {
  return size !== undefined && size >= 0 && size <= SMALL_BYTES;
}

/** Keeps the content, of which Web Crypto makes the sum at once. */
class SmallSha256 implements ContentSum {
  readonly #content: Bytes;
  #filled = 0;

  constructor(size: number) {
    this.#content = new Uint8Array(size);
  }

  add(part: Uint8Array): void {
    const { length } = this.#content;
    if (part.length > length - this.#filled) {
      throw new StoreError(`more than the ${length} bytes came that were announced`, "transient");
    }
    this.#content.set(part, this.#filled);
    this.#filled += part.length;
  }

  async value(): Promise<string> {
    const sum = await crypto.subtle.digest("SHA-256", this.#content.subarray(0, this.#filled));
    return new Uint8Array(sum).toHex();
  }
}
