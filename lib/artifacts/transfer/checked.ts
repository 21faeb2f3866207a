/** Content that is counted and verified with its store's checksum, independent of how far it is read. */
import type { TransientChunks } from "@tiphys/base/net/chunks";
import type { Bytes } from "@tiphys/base/net/net";
import { type ContentSum, crc32Sum, sha256Sum } from "../content_sum.ts";
import { type ContentInfo, StoreError } from "@tiphys/model/artifact";

/** The content of an object. */
export class CheckedContent {
  readonly #source: TransientChunks;
  readonly #info: ContentInfo;
  readonly #what: string;
  readonly #sum: ContentSum | undefined;
  #bytes = 0;
  #isLeft = false;

  private constructor(source: TransientChunks, info: ContentInfo, subject: string, sum: ContentSum | undefined) {
    this.#source = source;
    this.#info = info;
    this.#what = subject;
    this.#sum = sum;
  }

  /** @param subject the object, as named in errors. */
  static async open(source: TransientChunks, info: ContentInfo, subject: string): Promise<CheckedContent> {
    const { sha256, crc32, size } = info;
    const sum = crc32 !== undefined ? await crc32Sum(size) : sha256 !== undefined ? await sha256Sum(size) : undefined;
    return new CheckedContent(source, info, subject, sum);
  }

  /** Yields the content. The reader may stop before its end. */
  async *content(): TransientChunks {
    let isOver = false;
    try {
      for (let part = await this.#next(); part; part = await this.#next()) yield part;
      isOver = true;
    } catch (error) {
      isOver = true;
      throw error;
    } finally {
      if (!isOver) this.#isLeft = true;
    }
  }

  /**
   * Reads the rest.
   * @throws {StoreError} `transient` when the checksum differs.
   */
  async finish(): Promise<{ bytes: number; sha256?: string }> {
    if (this.#isLeft) { while (await this.#next()); }
    const { sha256, crc32 } = this.#info;
    const sum = await this.#sum?.value();
    if (sum !== (crc32 ?? sha256)) {
      throw new StoreError(
        `the content of ${this.#what} is damaged: its ${crc32 === undefined ? "sha256" : "crc32"} is ${sum}, and ` +
          `${crc32 ?? sha256} was expected`,
        "transient",
      );
    }
    return { bytes: this.#bytes, ...(sha256 === undefined ? {} : { sha256 }) };
  }

  async #next(): Promise<Bytes | undefined> {
    const { value, done } = await this.#source.next();
    if (done) return undefined;
    this.#bytes += value.length;
    this.#sum?.add(value);
    return value;
  }
}
