/**
 * The cache of inputs on a node: a folder shared by the pods of one namespace. Its entries are named by a digest of an
 * object's place, etag and size. A reader must have received that etag from the store, with its own credentials.
 * Entries are written under temporary names and renamed. Their names contain the CRC-32 of the content, which is
 * verified on reads. The least recently used entries are evicted.
 */
import { Folder, type Handle, openFile } from "@tiphys/base/confined";
import type { TransientChunks } from "@tiphys/base/net/chunks";
import type { Bytes } from "@tiphys/base/net/net";
import { fieldsOf } from "@tiphys/base/fields_of";
import { type ContentSum, crc32Sum } from "../content_sum.ts";
import { type ContentInfo, type Place, StoreError } from "@tiphys/model/artifact";
import { sumOfJson } from "./sum_of_json.ts";

/** Smaller files are not cached, because a lookup would save nothing. */
const MIN_BYTES = 1 << 20;

/** Maximum number of entries of a folder. One with more must contain other files. */
const MAX_ENTRIES = 50_000;

/** Bytes of the disk that are left free. */
const MIN_FREE_BYTES = 64 << 20;

/** Time after which an incomplete entry is abandoned, in milliseconds. */
const STALE_MILLIS = 3_600_000;

const READ_BYTES = 65_536;

/** The name of an entry: the digest of its identity, and the CRC-32 of its content. */
const ENTRY = /^([0-9a-f]{64})-([0-9a-f]{8})$/;
const UNFINISHED = /^\.[0-9a-f-]{36}\.tmp$/;

/** The settings of a cache. */
export interface NodeCacheOptions {
  readonly path: string;
  /** Maximum total size in bytes. */
  readonly max: number;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** Content found in the cache. */
export interface CachedContent extends Disposable {
  readonly content: TransientChunks;
  /** CRC-32 in S3's format. */
  readonly crc32: string;
  /** Removes the entry, because it is damaged. */
  removeEntry(): void;
}

/** Content that is being added to the cache. */
export interface CacheFill extends Disposable {
  /** Returns the same content, which is stored while it is read. */
  storeWhileReading(content: TransientChunks): TransientChunks;
  /** Makes it an entry, if all of it was read. */
  finish(): Promise<void>;
}

/** The cache. */
export class NodeCache {
  readonly #options: NodeCacheOptions;

  constructor(options: NodeCacheOptions) {
    this.#options = options;
  }

  /** Returns the content of a file, as just found in its store. */
  async findCached(location: Place, info: ContentInfo, stop: AbortSignal): Promise<CachedContent | undefined> {
    const name = await nameOf(location, info);
    if (name === undefined) return undefined;
    return this.#logErrors(() => {
      using folder = Folder.open(this.#options.path);
      for (const entry of folder.names()) {
        const [, sum, crc] = ENTRY.exec(entry) ?? [];
        if (sum !== name || crc === undefined) continue;
        const held = folder.openEntry(entry);
        if (!held) continue;
        using _ = held;
        const { isFile, size } = held.info();
        if (isFile && size === info.size) return this.#cached(held, { entry, crc, stop });
        folder.remove(entry);
      }
      return undefined;
    });
  }

  #cached(
    handle: Handle,
    { entry, crc, stop }: { readonly entry: string; readonly crc: string; readonly stop: AbortSignal },
  ): CachedContent {
    const now = new Date(this.#options.now());
    const file = openFile(handle, "a cached file");
    // The reader may not be the file's owner.
    logErrors(() => Deno.utimeSync(handle.path, now, now), () => {});
    return {
      content: contentOf(file, stop),
      crc32: Uint8Array.fromHex(crc).toBase64(),
      removeEntry: () =>
        this.#logErrors(() => {
          using folder = Folder.open(this.#options.path);
          folder.remove(entry);
        }),
      [Symbol.dispose]: () => file.close(),
    };
  }

  /** Starts an entry. Undefined if there is no space for it, or it is not cacheable. */
  async fill(location: Place, info: ContentInfo): Promise<CacheFill | undefined> {
    const name = await nameOf(location, info);
    const { size } = info;
    if (name === undefined || size === undefined || size > this.#options.max) return undefined;
    const sum = await crc32Sum(size);
    return this.#logErrors(() => {
      const dispose = new DisposableStack();
      try {
        const folder = dispose.use(Folder.open(this.#options.path));
        const unfinished = `.${crypto.randomUUID()}.tmp`;
        const file = dispose.use(folder.createAndOpen(unfinished, 0o644));
        dispose.defer(() => folder.remove(unfinished));
        // Its space is reserved, so that other pods count it.
        file.truncateSync(size);
        if (!this.#evictUntilFits(folder, size)) throw new Error(`the node cache has no space for ${size} bytes`);
        return createFill({ folder, file, unfinished, name, size, sum, dispose: dispose.move() }, this.#options.log);
      } finally {
        dispose.dispose();
      }
    });
  }

  /** Evicts the least recently used entries until there is space. */
  #evictUntilFits(folder: Folder, size: number): boolean {
    const { max, now } = this.#options;
    const free = folder.freeBytes();
    if (free !== undefined && free < size + MIN_FREE_BYTES) return false;
    const names = folder.names();
    if (names.length > MAX_ENTRIES) return false;
    let bytes = 0;
    const entries: { name: string; size: number; used: number }[] = [];
    for (const name of names) {
      const info = folder.stat(name);
      if (!info?.isFile) continue;
      const used = info.mtime?.getTime() ?? 0;
      if (UNFINISHED.test(name) && now() - used > STALE_MILLIS) {
        folder.remove(name);
        continue;
      }
      bytes += info.size;
      if (ENTRY.test(name)) entries.push({ name, size: info.size, used });
    }
    entries.sort((a, b) => a.used - b.used);
    for (const entry of entries) {
      if (bytes <= max) break;
      folder.remove(entry.name);
      bytes -= entry.size;
    }
    return bytes <= max;
  }

  /** Runs an operation. Errors of the cache are logged and never fail a load. */
  #logErrors<T>(act: () => T): T | undefined {
    return logErrors(act, this.#options.log);
  }
}

function logErrors<T>(act: () => T, log: (line: string) => void): T | undefined {
  try {
    return act();
  } catch (error) {
    log(`the cache of this node is not used: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/**
 * Returns the name of an entry without its checksum; undefined for content that is not cacheable, because its store
 * reports no etag, or it is encrypted with a customer's key.
 */
async function nameOf({ store, key, settings }: Place, { etag, size }: ContentInfo): Promise<string | undefined> {
  if (store !== "s3" || etag === undefined || size === undefined || size < MIN_BYTES) return undefined;
  if (fieldsOf(settings.encryptionOptions).serverSideCustomerKeySecret !== undefined) return undefined;
  const { endpoint, bucket, insecure = false } = settings;
  return await sumOfJson([endpoint, bucket, insecure, key, etag, size]);
}

async function* contentOf(file: Deno.FsFile, stop: AbortSignal): TransientChunks {
  const buffer = new Uint8Array(READ_BYTES);
  for (let read = await readInto(file, buffer); read !== null; read = await readInto(file, buffer)) {
    stop.throwIfAborted();
    yield buffer.subarray(0, read);
  }
}

async function readInto(file: Deno.FsFile, buffer: Uint8Array<ArrayBuffer>): Promise<number | null> {
  try {
    return await file.read(buffer);
  } catch (error) {
    throw new StoreError("a file in the cache of this node cannot be read", "transient", undefined, { cause: error });
  }
}

interface PartialEntry {
  readonly folder: Folder;
  readonly file: Deno.FsFile;
  readonly unfinished: string;
  readonly name: string;
  readonly size: number;
  readonly sum: ContentSum;
  readonly dispose: DisposableStack;
}

function createFill(
  { folder, file, unfinished, name, size, sum, dispose }: PartialEntry,
  log: (line: string) => void,
): CacheFill {
  let bytes = 0;
  let isLost = false;
  const keep = (part: Bytes) => {
    if (isLost) return;
    isLost = true;
    logErrors(() => {
      if (bytes + part.length > size) return;
      for (let done = 0; done < part.length;) done += file.writeSync(part.subarray(done));
      sum.add(part);
      bytes += part.length;
      isLost = false;
    }, log);
  };
  return {
    async *storeWhileReading(content) {
      for await (const part of content) {
        keep(part);
        yield part;
      }
    },
    async finish() {
      if (isLost || bytes !== size) return;
      const crc = Uint8Array.fromBase64(await sum.value()).toHex();
      logErrors(() => Deno.renameSync(folder.pathOf(unfinished), folder.pathOf(`${name}-${crc}`)), log);
    },
    [Symbol.dispose]: () => dispose.dispose(),
  };
}
