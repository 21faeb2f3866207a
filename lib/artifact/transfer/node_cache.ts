/**
 * The cache of inputs on a node: a folder that pods of one namespace share, with the contents of objects under the sum of
 * where they lie, their etag and their size. Who takes something has been told that etag by the store, with credentials of
 * its own. Entries are written beside their names and renamed; each says the CRC32 of its content, which is looked at when
 * it is read. What was used last stays longest.
 */
import { Folder, type Held, openFile } from "../../confined/mod.ts";
import type { Passing } from "../../net/chunks.ts";
import type { Bytes } from "../../net/net.ts";
import { fieldsOf } from "../../fields_of.ts";
import { type ContentSum, crc32Sum } from "../content_sum.ts";
import { type Found, type Place, StoreError } from "../driver.ts";
import { sumOfJson } from "./sum_of_json.ts";

/** Smaller files are asked of their store: to look for them here saves nothing. */
const LEAST_BYTES = 1 << 20;

/** The most entries of a folder: one that has more is not ours alone. */
const MOST_ENTRIES = 50_000;

/** Bytes of the disk that are left to others. */
const LEFT_BYTES = 64 << 20;

/** The time after which nobody writes any more to what is not whole, milliseconds. */
const STALE_MILLIS = 3_600_000;

const READ_BYTES = 65_536;

/** An entry: the sum of what it is of, and the CRC32 of its content. */
const ENTRY = /^([0-9a-f]{64})-([0-9a-f]{8})$/;
const UNFINISHED = /^\.[0-9a-f-]{36}\.tmp$/;

/** The settings of a cache. */
export interface NodeCacheOptions {
  readonly path: string;
  /** The most bytes that may lie in it. */
  readonly most: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** A content that was found in the cache. */
export interface Cached extends Disposable {
  readonly content: Passing;
  /** As S3 writes it. */
  readonly crc32: string;
  /** Takes the entry away: it is not what it says. */
  forget(): void;
}

/** A content that is being put into the cache. */
export interface Filling extends Disposable {
  /** The same content, kept as it passes. */
  through(content: Passing): Passing;
  /** Makes it an entry, where all of it has passed. */
  finish(): Promise<void>;
}

/** The cache. */
export class NodeCache {
  readonly #options: NodeCacheOptions;

  constructor(options: NodeCacheOptions) {
    this.#options = options;
  }

  /** The content of a file, as it was found in its store just now. */
  async take(place: Place, found: Found, stop: AbortSignal): Promise<Cached | undefined> {
    const name = await nameOf(place, found);
    if (name === undefined) return undefined;
    return this.#safely(() => {
      using folder = Folder.open(this.#options.path);
      for (const entry of folder.names()) {
        const [, sum, crc] = ENTRY.exec(entry) ?? [];
        if (sum !== name || crc === undefined) continue;
        const held = folder.hold(entry);
        if (!held) continue;
        using _ = held;
        const { isFile, size } = held.info();
        if (isFile && size === found.size) return this.#cached(held, { entry, crc, stop });
        folder.remove(entry);
      }
      return undefined;
    });
  }

  #cached(
    held: Held,
    { entry, crc, stop }: { readonly entry: string; readonly crc: string; readonly stop: AbortSignal },
  ): Cached {
    const now = new Date(this.#options.now());
    const file = openFile(held, "a cached file");
    // Who may read it need not be its owner.
    safely(() => Deno.utimeSync(held.path, now, now), () => {});
    return {
      content: contentOf(file, stop),
      crc32: Uint8Array.fromHex(crc).toBase64(),
      forget: () =>
        this.#safely(() => {
          using folder = Folder.open(this.#options.path);
          folder.remove(entry);
        }),
      [Symbol.dispose]: () => file.close(),
    };
  }

  /** Begins an entry; undefined where there is no room for it, or it is none for the cache. */
  async fill(place: Place, found: Found): Promise<Filling | undefined> {
    const name = await nameOf(place, found);
    const { size } = found;
    if (name === undefined || size === undefined || size > this.#options.most) return undefined;
    const sum = await crc32Sum(size);
    return this.#safely(() => {
      const dispose = new DisposableStack();
      try {
        const folder = dispose.use(Folder.open(this.#options.path));
        const unfinished = `.${crypto.randomUUID()}.tmp`;
        const file = dispose.use(folder.createOpen(unfinished, 0o644));
        dispose.defer(() => folder.remove(unfinished));
        // Its place is taken from now on: others count it.
        file.truncateSync(size);
        if (!this.#makeRoom(folder, size)) throw new Error("there is no room for it");
        return filling({ folder, file, unfinished, name, size, sum, dispose: dispose.move() }, this.#options.log);
      } finally {
        dispose.dispose();
      }
    });
  }

  /** Takes away what was not used for the longest time, until what lies there is not more than may. */
  #makeRoom(folder: Folder, size: number): boolean {
    const { most, now } = this.#options;
    const free = folder.freeBytes();
    if (free !== undefined && free < size + LEFT_BYTES) return false;
    const names = folder.names();
    if (names.length > MOST_ENTRIES) return false;
    let bytes = 0;
    const entries: { name: string; size: number; used: number }[] = [];
    for (const name of names) {
      const info = folder.look(name);
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
      if (bytes <= most) break;
      folder.remove(entry.name);
      bytes -= entry.size;
    }
    return bytes <= most;
  }

  /** A cache that cannot be read or written is none: nothing fails for it. */
  #safely<T>(act: () => T): T | undefined {
    return safely(act, this.#options.log);
  }
}

function safely<T>(act: () => T, log: (line: string) => void): T | undefined {
  try {
    return act();
  } catch (error) {
    log(`the cache of this node is passed over: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** The name of an entry without its sum; undefined for what is not cached: its store tells no etag, or only clients may read it. */
async function nameOf({ store, key, settings }: Place, { etag, size }: Found): Promise<string | undefined> {
  if (store !== "s3" || etag === undefined || size === undefined || size < LEAST_BYTES) return undefined;
  if (fieldsOf(settings.encryptionOptions).serverSideCustomerKeySecret !== undefined) return undefined;
  const { endpoint, bucket, insecure = false } = settings;
  return await sumOfJson([endpoint, bucket, insecure, key, etag, size]);
}

async function* contentOf(file: Deno.FsFile, stop: AbortSignal): Passing {
  const buffer = new Uint8Array(READ_BYTES);
  for (let read = await readOf(file, buffer); read !== null; read = await readOf(file, buffer)) {
    stop.throwIfAborted();
    yield buffer.subarray(0, read);
  }
}

async function readOf(file: Deno.FsFile, buffer: Uint8Array<ArrayBuffer>): Promise<number | null> {
  try {
    return await file.read(buffer);
  } catch (error) {
    throw new StoreError("a file in the cache of this node cannot be read", "transient", undefined, { cause: error });
  }
}

interface Begun {
  readonly folder: Folder;
  readonly file: Deno.FsFile;
  readonly unfinished: string;
  readonly name: string;
  readonly size: number;
  readonly sum: ContentSum;
  readonly dispose: DisposableStack;
}

function filling({ folder, file, unfinished, name, size, sum, dispose }: Begun, log: (line: string) => void): Filling {
  let bytes = 0;
  let isLost = false;
  const keep = (part: Bytes) => {
    if (isLost) return;
    isLost = true;
    safely(() => {
      if (bytes + part.length > size) return;
      for (let done = 0; done < part.length;) done += file.writeSync(part.subarray(done));
      sum.add(part);
      bytes += part.length;
      isLost = false;
    }, log);
  };
  return {
    async *through(content) {
      for await (const part of content) {
        keep(part);
        yield part;
      }
    },
    async finish() {
      if (isLost || bytes !== size) return;
      const crc = Uint8Array.fromBase64(await sum.value()).toHex();
      safely(() => Deno.renameSync(folder.at(unfinished), folder.at(`${name}-${crc}`)), log);
    },
    [Symbol.dispose]: () => dispose.dispose(),
  };
}
