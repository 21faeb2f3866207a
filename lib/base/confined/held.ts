/**
 * Something of the file system that is held: by a descriptor that reads nothing and waits for nothing (a pipe without a
 * writer does not stop us), and never by following a link. Whoever renames, removes or replaces it meanwhile changes
 * what a path means, not what is held.
 *
 * Linux gives every descriptor a path, `/proc/self/fd/N`, so that all of `Deno` works on what is held. Where there is no
 * such path (macOS, Windows) a handle is the path itself, looked at before it is used: there the containers of the
 * embedded cluster share one file system anyway, or leave it to an engine.
 */

const IS_LINUX = Deno.build.os === "linux";

/** Flags of `open(2)`; two of them differ between processors. */
const O_WRONLY = 0o1;
const O_CREAT = 0o100;
const O_EXCL = 0o200;
const O_CLOEXEC = 0o2000000;
const O_PATH = 0o10000000;
const [O_DIRECTORY, O_NOFOLLOW] = Deno.build.arch === "aarch64" ? [0o40000, 0o100000] : [0o200000, 0o400000];

const AT_FDCWD = -100;

/** The most times that something is looked at which changes meanwhile. */
const MOST_TRIES = 100;

/**
 * The C library that Deno itself runs on, which is loaded already. It is asked for when something is held: a program
 * that streams artifacts and may load no library, as the server's image, loads this module too.
 */
const openLibc = () =>
  Deno.dlopen("libc.so.6", {
    openat: { parameters: ["i32", "buffer", "i32", "u32"], result: "i32" },
    close: { parameters: ["i32"], result: "i32" },
    statfs: { parameters: ["buffer", "buffer"], result: "i32" },
  }).symbols;
let opened: ReturnType<typeof openLibc> | undefined;
const libc = () => opened ??= openLibc();

/** The options of opening something. */
export interface OpenOptions {
  /** Only a folder will do. */
  readonly folder?: boolean;
  /** A link at its end is followed: for paths that nobody else can change. */
  readonly follow?: boolean;
}

/** Something that is held until it is disposed of. */
export class Held implements Disposable {
  /** A path of what is held, whatever it is called by now; `Deno.open`, `stat`, `chmod` and `readDir` take it. */
  readonly path: string;
  readonly #descriptor: number | undefined;

  protected constructor(path: string, descriptor?: number) {
    this.#descriptor = descriptor;
    this.path = descriptor === undefined ? path : `/proc/self/fd/${descriptor}`;
  }

  /**
   * Holds what a path names.
   * @throws {Deno.errors.NotFound} when there is nothing, another error of `Deno.errors` when it cannot be reached.
   */
  static open(path: string, { folder = false, follow = false }: OpenOptions = {}): Held {
    if (!IS_LINUX) return new Held(lookedAt(path, folder, follow));
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const descriptor = openat(path, O_PATH | (folder ? O_DIRECTORY : 0) | (follow ? 0 : O_NOFOLLOW));
      if (descriptor >= 0) return new Held(path, descriptor);
      // Deno tells why; when it finds nothing wrong, the entry has changed meanwhile.
      lookedAt(path, folder, follow);
    }
    throw new Deno.errors.Busy(`${path} cannot be opened, or changes all the time`);
  }

  /**
   * Makes a file and holds it.
   * @throws {Deno.errors.AlreadyExists} when something is there, were it a link that leads nowhere.
   */
  static create(path: string, mode: number): Held {
    if (!IS_LINUX) {
      Deno.openSync(path, { write: true, createNew: true, mode }).close();
      return new Held(path);
    }
    const descriptor = openat(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    if (descriptor >= 0) return new Held(path, descriptor);
    // Deno tells why; when it can what we could not, somebody was busy there.
    Deno.openSync(path, { write: true, createNew: true, mode }).close();
    Deno.removeSync(path);
    throw new Error(`${path} is changed by somebody else`);
  }

  /** The information about what is held; a link is not followed. */
  info(): Deno.FileInfo {
    return this.#descriptor === undefined ? Deno.lstatSync(this.path) : Deno.statSync(this.path);
  }

  /** Bytes that are free where it lies; undefined where the system does not tell. */
  freeBytes(): number | undefined {
    // struct statfs of all processors of 64 bits: words of 8 bytes; 1 is the size of a block, 4 what is free for us.
    const words = new BigUint64Array(32);
    if (!IS_LINUX || libc().statfs(zeroEnded(this.path), words) !== 0) return undefined;
    const [, blockSize = 0n, , , freeBlocks = 0n] = words;
    return Number(blockSize * freeBlocks);
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) libc().close(this.#descriptor);
  }

  /** The descriptor goes on to another handle, which closes it. */
  protected static descriptorOf(held: Held): number | undefined {
    return held.#descriptor;
  }
}

function openat(path: string, flags: number, mode = 0): number {
  return libc().openat(AT_FDCWD, zeroEnded(path), flags | O_CLOEXEC, mode);
}

function zeroEnded(text: string): Uint8Array<ArrayBuffer> {
  if (text.includes("\0")) throw new TypeError(`Expected a path without a zero byte, got ${JSON.stringify(text)}`);
  return new TextEncoder().encode(`${text}\0`);
}

function lookedAt(path: string, folder: boolean, follow: boolean): string {
  const info = follow ? Deno.statSync(path) : Deno.lstatSync(path);
  if (folder && !info.isDirectory) throw new Deno.errors.NotADirectory(`Not a directory: ${path}`);
  return path;
}
