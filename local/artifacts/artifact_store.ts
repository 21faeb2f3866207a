/** The embedded artifact store: objects by key in each namespace, made of deduplicated blocks. */
import { crc32 } from "node:zlib";
import type { Bytes } from "@tiphys/base/net";
import { pieces } from "@tiphys/base/byte_streams";
import { createPrivateFile, createPrivateFolder } from "../own_folder.ts";
import { Blocks, DamagedBlockError, NoSpaceError, sumOf } from "./blocks.ts";
import { BLOCK_BYTES, DEFAULT_LIMIT_BYTES } from "./limits.ts";
import { type Block, ObjectIndex, type StoredObject } from "./object_index.ts";

export { DamagedBlockError as DamagedBlock, NoSpaceError as NoRoom };

/** Received content, whose blocks are kept until this is disposed. */
export interface ReceivedContent extends Disposable {
  readonly size: number;
  readonly etag: string;
  readonly crc32: number;
  readonly blocks: readonly Block[];
}

/** The options of a store. */
export interface ArtifactStoreOptions {
  /** The folder of the store, which only its owner can access. Created if it does not exist. */
  readonly folder: string;
  /** Maximum total size of artifacts, in bytes. */
  readonly limitBytes?: number;
  /** Returns the time in milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A store in a folder that no other process uses. */
export class ArtifactStore implements AsyncDisposable {
  readonly index: ObjectIndex;
  readonly #blocks: Blocks;
  readonly #limit: number;
  readonly #now: () => number;
  /** The number of readers and writers of blocks. These blocks are kept even if no object has them. */
  readonly #held = new Map<string, number>();
  readonly #swept: Promise<void>;
  /** Size of content that is being received or not yet disposed, in bytes. The index does not count it. */
  #receiving = 0;
  #closed = false;

  private constructor(index: ObjectIndex, blocks: Blocks, { limitBytes, now }: ArtifactStoreOptions) {
    this.index = index;
    this.#blocks = blocks;
    this.#limit = limitBytes ?? DEFAULT_LIMIT_BYTES;
    this.#now = now ?? Date.now;
    // Uploads of an earlier process are aborted: their clients ended with it.
    this.removeUnused(index.abortAll());
    this.#swept = this.#sweep();
  }

  /** @throws {Error} if another process uses the folder. */
  static async open(options: ArtifactStoreOptions): Promise<ArtifactStore> {
    const { folder } = options;
    await createPrivateFolder(folder);
    await createPrivateFile(`${folder}/index.sqlite`);
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

  /** Returns the secret of this store for a purpose. */
  secret(purpose: string): string {
    return this.index.setting(`secret:${purpose}`, () => crypto.getRandomValues(new Uint8Array(32)).toHex());
  }

  /**
   * Receives content in blocks.
   * @throws {NoSpaceError} if the disk is full or the limit of artifacts is exceeded. The content is removed.
   */
  async receive(content: ReadableStream<Bytes>): Promise<ReceivedContent> {
    const blocks: Block[] = [];
    let size = 0;
    const release = () => {
      this.#receiving -= size;
      size = 0;
      this.#unpinBlocks(blocks.splice(0).map(([sum]) => sum));
    };
    try {
      let sum = 0;
      for await (const piece of pieces(content, BLOCK_BYTES)) {
        if (this.index.bytes + this.#receiving + piece.length > this.#limit) {
          throw new NoSpaceError(
            `the limit of all artifacts is ${Math.floor(this.#limit / 1024 ** 2)} MiB (--artifact-limit)`,
          );
        }
        sum = crc32(piece, sum);
        size += piece.length;
        this.#receiving += piece.length;
        const name = await sumOf(piece);
        // Held before the write: a concurrent release of the same block would otherwise remove this file.
        this.#pinBlocks([name]);
        blocks.push([name, piece.length]);
        await this.#blocks.write(name, piece);
      }
      const etag = await etagOf(blocks);
      return { size, etag, crc32: sum, blocks: [...blocks], [Symbol.dispose]: release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Stores received content under a key. */
  put(
    namespace: string,
    key: string,
    { size, etag, blocks }: ReceivedContent,
    headers: StoredObject["headers"],
  ): StoredObject {
    const object = { size, etag, blocks, headers, modified: this.#now() };
    this.removeUnused(this.index.put(namespace, key, object));
    return object;
  }

  /** Completes a multipart upload as an object. */
  complete(
    namespace: string,
    key: string,
    id: string,
    object: Pick<StoredObject, "size" | "etag" | "blocks" | "headers">,
  ): void {
    this.removeUnused(this.index.complete(namespace, key, id, { ...object, modified: this.#now() }));
  }

  /**
   * Returns the content from `from` (inclusive) to `to` (exclusive). Every block is verified before it is returned, the
   * first one before this resolves. The content remains available until the stream ends, even if the object is deleted.
   * @throws {DamagedBlockError} if the content does not match its checksum.
   */
  async read({ blocks }: StoredObject, from: number, to: number): Promise<ReadableStream<Bytes>> {
    const parts = slices(blocks, from, to);
    const sums = parts.map(([sum]) => sum);
    this.#pinBlocks(sums);
    const release = () => this.#unpinBlocks(sums.splice(0));
    const read = async ([sum, begin, end]: Slice) => {
      try {
        return (await this.#blocks.read(sum)).subarray(begin, end);
      } catch (error) {
        release();
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
        release();
        stream.close();
      },
      cancel: release,
    }, { highWaterMark: 0 });
  }

  /** Removes the files of blocks that are not used. */
  removeUnused(sums: readonly string[]): void {
    for (const sum of sums) {
      if (!this.#held.has(sum) && !this.index.isUsed(sum)) this.#blocks.remove(sum);
    }
  }

  #pinBlocks(sums: readonly string[]): void {
    for (const sum of sums) this.#held.set(sum, (this.#held.get(sum) ?? 0) + 1);
  }

  #unpinBlocks(sums: readonly string[]): void {
    for (const sum of sums) {
      const holders = (this.#held.get(sum) ?? 0) - 1;
      holders > 0 ? this.#held.set(sum, holders) : this.#held.delete(sum);
    }
    // The index of a closed store cannot be read. The sweep of the next process removes unused blocks.
    if (!this.#closed) this.removeUnused(sums);
  }

  /** Removes blocks that a killed process left unused. */
  async #sweep(): Promise<void> {
    for await (const sum of this.#blocks.list()) {
      if (this.#closed) return;
      this.removeUnused([sum]);
    }
  }
}

/** Returns the etag of content: a hash of the checksums of its blocks. */
async function etagOf(blocks: readonly Block[]): Promise<string> {
  const text = new TextEncoder().encode(blocks.map(([sum]) => sum).join());
  return new Uint8Array(await crypto.subtle.digest("SHA-256", text)).toHex().slice(0, 32);
}

/** A range of a block. */
type Slice = [sum: string, begin: number, end: number];

function slices(blocks: readonly Block[], from: number, to: number): Slice[] {
  let offset = 0;
  return blocks.flatMap(([sum, size]) => {
    const start = offset;
    offset += size;
    if (offset <= from || start >= to) return [];
    return [[sum, Math.max(0, from - start), Math.min(size, to - start)] as Slice];
  });
}
