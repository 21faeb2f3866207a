/** Content that is counted and held against what its store says of it, whoever reads it and how far. */
import type { Passing } from "../../net/chunks.ts";
import type { Bytes } from "../../net/net.ts";
import { type ContentSum, crc32Sum, sha256Sum } from "../content_sum.ts";
import { type Found, StoreError } from "../driver.ts";

/** The content of an object. */
export class Checked {
  readonly #source: Passing;
  readonly #found: Found;
  readonly #what: string;
  readonly #sum: ContentSum | undefined;
  #bytes = 0;
  #isLeft = false;

  private constructor(source: Passing, found: Found, what: string, sum: ContentSum | undefined) {
    this.#source = source;
    this.#found = found;
    this.#what = what;
    this.#sum = sum;
  }

  /** `what`: the object, as an error names it. */
  static async open(source: Passing, found: Found, what: string): Promise<Checked> {
    const { sha256, crc32, size } = found;
    const sum = crc32 !== undefined ? await crc32Sum(size) : sha256 !== undefined ? await sha256Sum(size) : undefined;
    return new Checked(source, found, what, sum);
  }

  /** The content; who reads it need not come to its end. */
  async *content(): Passing {
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
   * Reads what is left.
   * @throws {StoreError} `transient` when it is not what the store keeps the sum of.
   */
  async finish(): Promise<{ bytes: number; sha256?: string }> {
    if (this.#isLeft) { while (await this.#next()); }
    const { sha256, crc32 } = this.#found;
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
