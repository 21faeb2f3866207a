/** Stores blobs on disk by digest: atomically, and only if the content matches the digest. */
import { statfsSync } from "node:fs";
import { MIN_FREE_BYTES } from "@tiphys/registry/limits";
import { ImageError } from "@tiphys/registry/image_error";

/** Receives the number of bytes of each received chunk. */
export type OnBytes = (bytes: number) => void;

/** Time without a write after which an incomplete file counts as abandoned. */
const ABANDONED_AFTER_MS = 3_600_000;

/** A folder of blobs. Several processes may use one at the same time. */
export class BlobStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the path of a blob, whether it exists or not.
   * @throws {ImageError} for a digest other than sha256.
   */
  pathOf(digest: string): string {
    const hex = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
    if (hex === undefined) throw new ImageError("ErrImagePull", `unsupported digest ${JSON.stringify(digest)}`);
    return `${this.#folder}/sha256/${hex}`;
  }

  async has(digest: string): Promise<boolean> {
    try {
      return (await Deno.stat(this.pathOf(digest))).isFile;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  }

  /** @throws {ImageError} if the blob does not exist or is larger than the limit. */
  async read(digest: string, limit: number): Promise<Uint8Array> {
    try {
      const { size } = await Deno.stat(this.pathOf(digest));
      if (size > limit) {
        throw new ImageError(
          "ErrImagePull",
          `${digest} has ${size} bytes, more than the maximum of ${limit}`,
        );
      }
      return await Deno.readFile(this.pathOf(digest));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new ImageError("ErrImagePull", `content of the image is missing: ${digest}`);
    }
  }

  /**
   * Stores the content of a stream.
   * @throws {ImageError} if it does not match the digest. The content is removed.
   */
  async write(digest: string, content: ReadableStream<Uint8Array>, onBytes?: OnBytes): Promise<void> {
    const path = this.pathOf(digest);
    await Deno.mkdir(`${this.#folder}/sha256`, { recursive: true });
    const partial = `${path}.${crypto.randomUUID()}.part`;
    try {
      const actual = await writeHashed(partial, content, onBytes);
      if (actual !== digest) {
        throw new ImageError("ErrImagePull", `content of ${digest} does not match its digest: it is ${actual}`);
      }
      await Deno.rename(partial, path);
    } catch (error) {
      await Deno.remove(partial).catch(() => {});
      if (error instanceof ImageError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new ImageError("ErrImagePull", `could not write ${path}: ${why}`, { cause: error });
    }
  }

  /** Stores the content of a stream, and returns its digest. */
  async add(content: ReadableStream<Uint8Array>): Promise<string> {
    await Deno.mkdir(`${this.#folder}/sha256`, { recursive: true });
    const partial = `${this.#folder}/sha256/${crypto.randomUUID()}.part`;
    try {
      const digest = await writeHashed(partial, content);
      await Deno.rename(partial, this.pathOf(digest));
      return digest;
    } catch (error) {
      await Deno.remove(partial).catch(() => {});
      throw error;
    }
  }

  async writeBytes(digest: string, content: Uint8Array): Promise<void> {
    await this.write(digest, new Blob([content as Uint8Array<ArrayBuffer>]).stream());
  }

  /** Removes incomplete files of ended processes, and returns their size in bytes. */
  async removeAbandoned(): Promise<number> {
    let freed = 0;
    for (const name of await this.#names()) {
      if (!name.endsWith(".part")) continue;
      const path = `${this.#folder}/sha256/${name}`;
      const { size, mtime } = await Deno.stat(path);
      if (Date.now() - (mtime?.getTime() ?? 0) < ABANDONED_AFTER_MS) continue;
      await Deno.remove(path);
      freed += size;
    }
    return freed;
  }

  /** Lists the digests of all blobs. */
  async list(): Promise<string[]> {
    return (await this.#names()).filter((name) => /^[0-9a-f]{64}$/.test(name)).map((hex) => `sha256:${hex}`);
  }

  async #names(): Promise<string[]> {
    try {
      return (await Array.fromAsync(Deno.readDir(`${this.#folder}/sha256`))).map(({ name }) => name);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  }

  async remove(digest: string): Promise<void> {
    await Deno.remove(this.pathOf(digest)).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
}

async function writeHashed(path: string, content: ReadableStream<Uint8Array>, onBytes?: OnBytes): Promise<string> {
  // Web Crypto has no incremental hashes, and layers are too large for memory.
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  let sinceCheck = CHECK_EVERY_BYTES;
  for await (const chunk of content) {
    sinceCheck += chunk.length;
    if (sinceCheck >= CHECK_EVERY_BYTES) {
      checkFreeSpace(path);
      sinceCheck = 0;
    }
    hash.update(chunk);
    for (let rest = chunk; rest.length > 0;) rest = rest.subarray(await file.write(rest));
    onBytes?.(chunk.length);
  }
  return `sha256:${hash.digest("hex")}`;
}

/** Interval between checks of the free disk space, in bytes written. */
const CHECK_EVERY_BYTES = 16 * 1024 * 1024;

function checkFreeSpace(path: string): void {
  const { bavail, bsize } = statfsSync(path);
  if (bavail * bsize >= MIN_FREE_BYTES) return;
  throw new Error(
    `the disk has less than the ${MIN_FREE_BYTES} bytes that images leave free: free space, or remove images ` +
      "(tiphys image rm, then tiphys image prune)",
  );
}
