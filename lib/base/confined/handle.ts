/**
 * Handles to entries of a file system: a descriptor (`O_PATH`) that reads nothing and never blocks, not even for a pipe
 * without a writer, and that is opened without following a link. Renaming, removing or replacing the entry changes what
 * its path means, not what the handle refers to.
 *
 * Linux provides a path for each descriptor, `/proc/self/fd/N`, so that all functions of `Deno` work on a handle. On
 * macOS and Windows, a handle is the path itself, checked before use. There, the containers of an embedded cluster
 * share one file system anyway, or run in a container engine.
 */

const IS_LINUX = Deno.build.os === "linux";

/** Flags of `open(2)`; two of them depend on the architecture. */
const O_WRONLY = 0o1;
const O_CREAT = 0o100;
const O_EXCL = 0o200;
const O_CLOEXEC = 0o2000000;
const O_PATH = 0o10000000;
const [O_DIRECTORY, O_NOFOLLOW] = Deno.build.arch === "aarch64" ? [0o40000, 0o100000] : [0o200000, 0o400000];

const AT_FDCWD = -100;

/** Maximum number of attempts to open an entry that changes during the attempt. */
const MAX_ATTEMPTS = 100;

/**
 * The C library, which Deno has already loaded. It is opened on first use: a program that may not load libraries, as in
 * the server's image, also imports this module.
 */
const openLibc = () =>
  Deno.dlopen("libc.so.6", {
    openat: { parameters: ["i32", "buffer", "i32", "u32"], result: "i32" },
    close: { parameters: ["i32"], result: "i32" },
    statfs: { parameters: ["buffer", "buffer"], result: "i32" },
  }).symbols;
let opened: ReturnType<typeof openLibc> | undefined;
const libc = () => opened ??= openLibc();

export interface OpenOptions {
  /** Opens only a folder. */
  readonly folder?: boolean;
  /** Follows a link in the last segment: for trusted paths. */
  readonly follow?: boolean;
}

/** A handle to an entry of a file system. */
export class Handle implements Disposable {
  /** A path to the entry, valid after a rename, for `Deno.open`, `stat`, `chmod` and `readDir`. */
  readonly path: string;
  readonly #descriptor: number | undefined;

  protected constructor(path: string, descriptor?: number) {
    this.#descriptor = descriptor;
    this.path = descriptor === undefined ? path : `/proc/self/fd/${descriptor}`;
  }

  /**
   * Opens a handle to the entry at a path.
   * @throws {Deno.errors.NotFound} when it does not exist, another error of `Deno.errors` when it cannot be accessed.
   */
  static open(path: string, { folder = false, follow = false }: OpenOptions = {}): Handle {
    if (!IS_LINUX) return new Handle(checkedPath(path, folder, follow));
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const descriptor = openat(path, O_PATH | (folder ? O_DIRECTORY : 0) | (follow ? 0 : O_NOFOLLOW));
      if (descriptor >= 0) return new Handle(path, descriptor);
      // Deno throws the error with its reason; if it throws none, the entry has changed in the meantime.
      checkedPath(path, folder, follow);
    }
    throw new Deno.errors.Busy(`${path} cannot be opened or keeps changing`);
  }

  /**
   * Creates a file and opens a handle to it.
   * @throws {Deno.errors.AlreadyExists} when the entry exists, even as a broken link.
   */
  static create(path: string, mode: number): Handle {
    if (!IS_LINUX) {
      Deno.openSync(path, { write: true, createNew: true, mode }).close();
      return new Handle(path);
    }
    const descriptor = openat(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    if (descriptor >= 0) return new Handle(path, descriptor);
    // Deno throws the error with its reason; if it succeeds, another process changes this entry.
    Deno.openSync(path, { write: true, createNew: true, mode }).close();
    Deno.removeSync(path);
    throw new Error(`${path} is being changed by another process`);
  }

  /** Returns information about the entry; a link is not followed. */
  info(): Deno.FileInfo {
    return this.#descriptor === undefined ? Deno.lstatSync(this.path) : Deno.statSync(this.path);
  }

  /** Returns the free bytes of the file system; undefined when the platform does not support it. */
  freeBytes(): number | undefined {
    // `struct statfs` on 64-bit platforms consists of 8-byte words: 1 is the block size, 4 the available blocks.
    const words = new BigUint64Array(32);
    if (!IS_LINUX || libc().statfs(cString(this.path), words) !== 0) return undefined;
    const [, blockSize = 0n, , , freeBlocks = 0n] = words;
    return Number(blockSize * freeBlocks);
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) libc().close(this.#descriptor);
  }

  /** Transfers the descriptor to another handle, which closes it. */
  protected static descriptorOf(handle: Handle): number | undefined {
    return handle.#descriptor;
  }
}

function openat(path: string, flags: number, mode = 0): number {
  return libc().openat(AT_FDCWD, cString(path), flags | O_CLOEXEC, mode);
}

function cString(text: string): Uint8Array<ArrayBuffer> {
  if (text.includes("\0")) throw new TypeError(`Expected a path without a zero byte, got ${JSON.stringify(text)}`);
  return new TextEncoder().encode(`${text}\0`);
}

function checkedPath(path: string, folder: boolean, follow: boolean): string {
  const info = follow ? Deno.statSync(path) : Deno.lstatSync(path);
  if (folder && !info.isDirectory) throw new Deno.errors.NotADirectory(`Not a directory: ${path}`);
  return path;
}
