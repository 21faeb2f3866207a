/** The store of artifacts: objects by key in each namespace, over blocks that are there once. */
import { crc32 } from "node:zlib";
import type { Bytes } from "@tiphys/base/net";
import { pieces } from "@tiphys/base/byte_streams";
import { ownFile, ownFolder } from "../own_folder.ts";
import { Blocks, DamagedBlock, NoRoom, sumOf } from "./blocks.ts";
import { BLOCK_BYTES, DEFAULT_LIMIT_BYTES } from "./limits.ts";
import { type Block, ObjectIndex, type StoredObject } from "./object_index.ts";

export { DamagedBlock, NoRoom };

/** Content that was taken in, and is kept until it is let go of. */
export interface Received extends Disposable {
  readonly size: number;
  readonly etag: string;
  readonly crc32: number;
  readonly blocks: readonly Block[];
}

/** The options of a store. */
export interface ArtifactStoreOptions {
  /** The folder of the store, for its owner only; made where it is not there. */
  readonly folder: string;
  /** Bytes that all artifacts may have. */
  readonly limitBytes?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A store in a folder that no other process has. */
export class ArtifactStore implements AsyncDisposable {
  readonly index: ObjectIndex;
  readonly #blocks: Blocks;
  readonly #limit: number;
  readonly #now: () => number;
  /** Blocks that somebody writes or reads, and how many do: they stay, whether or not an object has them. */
  readonly #held = new Map<string, number>();
  readonly #swept: Promise<void>;
  /** Bytes of content that is taken in, or was and is not let go of yet: the index may not count them. */
  #receiving = 0;
  #closed = false;

  private constructor(index: ObjectIndex, blocks: Blocks, { limitBytes, now }: ArtifactStoreOptions) {
    this.index = index;
    this.#blocks = blocks;
    this.#limit = limitBytes ?? DEFAULT_LIMIT_BYTES;
    this.#now = now ?? Date.now;
    // Uploads of an earlier process go: their clients ended with it.
    this.forget(index.abortAll());
    this.#swept = this.#sweep();
  }

  /** @throws {Error} when another process has it. */
  static async open(options: ArtifactStoreOptions): Promise<ArtifactStore> {
    const { folder } = options;
    await ownFolder(folder);
    await ownFile(`${folder}/index.sqlite`);
    const index = new ObjectIndex(`${folder}/index.sqlite`);
    try {
      return new ArtifactStore(index, await Blocks.open(folder), options);
    } catch (error) {
      index[Symbol.dispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#swept;
    this.index[Symbol.dispose]();
  }

  /** A secret of this store for a purpose. */
  secret(purpose: string): string {
    return this.index.setting(`secret:${purpose}`, () => crypto.getRandomValues(new Uint8Array(32)).toHex());
  }

  /**
   * Takes content in, block by block.
   * @throws {NoRoom} when the disk, or what artifacts may have of it, is full: nothing of the content is left then.
   */
  async receive(content: ReadableStream<Bytes>): Promise<Received> {
    const blocks: Block[] = [];
    let size = 0;
    const letGo = () => {
      this.#receiving -= size;
      size = 0;
      this.#letGo(blocks.splice(0).map(([sum]) => sum));
    };
    try {
      let sum = 0;
      for await (const piece of pieces(content, BLOCK_BYTES)) {
        if (this.index.bytes + this.#receiving + piece.length > this.#limit) {
          throw new NoRoom(`all artifacts may have ${Math.floor(this.#limit / 1024 ** 2)} MiB (--artifact-limit)`);
        }
        sum = crc32(piece, sum);
        size += piece.length;
        this.#receiving += piece.length;
        const name = await sumOf(piece);
        // Held before it is written: who lets go of the same block meanwhile would remove this file.
        this.#hold([name]);
        blocks.push([name, piece.length]);
        await this.#blocks.write(name, piece);
      }
      const etag = await etagOf(blocks);
      return { size, etag, crc32: sum, blocks: [...blocks], [Symbol.dispose]: letGo };
    } catch (error) {
      letGo();
      throw error;
    }
  }

  /** Puts content that was received where a key is. */
  put(
    namespace: string,
    key: string,
    { size, etag, blocks }: Received,
    headers: StoredObject["headers"],
  ): StoredObject {
    const object = { size, etag, blocks, headers, modified: this.#now() };
    this.forget(this.index.put(namespace, key, object));
    return object;
  }

  /** Puts an object together of parts, which an upload has. */
  complete(
    namespace: string,
    key: string,
    id: string,
    object: Pick<StoredObject, "size" | "etag" | "blocks" | "headers">,
  ): void {
    this.forget(this.index.complete(namespace, key, id, { ...object, modified: this.#now() }));
  }

  /**
   * The content from `from` to `to`, which is not among it; no byte comes that was not held against its sum. The first
   * block is looked at before the answer. The content is there until its stream has ended, whatever becomes of the object.
   * @throws {DamagedBlock} when it is not what was written.
   */
  async read({ blocks }: StoredObject, from: number, to: number): Promise<ReadableStream<Bytes>> {
    const parts = slices(blocks, from, to);
    const sums = parts.map(([sum]) => sum);
    this.#hold(sums);
    const letGo = () => this.#letGo(sums.splice(0));
    const read = async ([sum, begin, end]: Slice) => {
      try {
        return (await this.#blocks.read(sum)).subarray(begin, end);
      } catch (error) {
        letGo();
        throw error;
      }
    };
    const first = parts.shift();
    let next = first && await read(first);
    return new ReadableStream<Bytes>({
      async pull(stream) {
        const slice = parts[0];
        const part = next ?? (slice && await read(slice));
        if (next) next = undefined;
        else parts.shift();
        if (part) return stream.enqueue(part);
        letGo();
        stream.close();
      },
      cancel: letGo,
    }, { highWaterMark: 0 });
  }

  /** Removes the files of blocks that nobody needs. */
  forget(sums: readonly string[]): void {
    for (const sum of sums) {
      if (!this.#held.has(sum) && !this.index.isUsed(sum)) this.#blocks.remove(sum);
    }
  }

  #hold(sums: readonly string[]): void {
    for (const sum of sums) this.#held.set(sum, (this.#held.get(sum) ?? 0) + 1);
  }

  #letGo(sums: readonly string[]): void {
    for (const sum of sums) {
      const holders = (this.#held.get(sum) ?? 0) - 1;
      holders > 0 ? this.#held.set(sum, holders) : this.#held.delete(sum);
    }
    // The index of a store that was closed cannot be asked; the sweep of the next process removes what is left.
    if (!this.#closed) this.forget(sums);
  }

  /** Removes what a process that was killed left. */
  async #sweep(): Promise<void> {
    for await (const sum of this.#blocks.list()) {
      if (this.#closed) return;
      this.forget([sum]);
    }
  }
}

/** Changes with the content: a hash of the sums of its blocks, as long as etags are. */
async function etagOf(blocks: readonly Block[]): Promise<string> {
  const text = new TextEncoder().encode(blocks.map(([sum]) => sum).join());
  return new Uint8Array(await crypto.subtle.digest("SHA-256", text)).toHex().slice(0, 32);
}

/** A part of a block. */
type Slice = [sum: string, begin: number, end: number];

function slices(blocks: readonly Block[], from: number, to: number): Slice[] {
  let at = 0;
  return blocks.flatMap(([sum, size]) => {
    const start = at;
    at += size;
    if (at <= from || start >= to) return [];
    return [[sum, Math.max(0, from - start), Math.min(size, to - start)] as Slice];
  });
}
