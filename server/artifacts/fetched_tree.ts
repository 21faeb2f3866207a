/**
 * Artifacts of drivers that fetch whole trees (git): each is fetched into a temporary folder of this server for one
 * response. Concurrency, time and size are limited.
 */
import type { Driver, Place, TreeDriver } from "@tiphys/model/artifact";
import { findProgram } from "@tiphys/stores/git/programs";
import { pause, systemClock } from "@tiphys/base/clock";
import { CODE, WireError } from "../wire/errors.ts";
import { makeTreeFolder, removeOrphanedTrees } from "./tree_folders.ts";

/** The number of concurrent fetches, and the maximum number of requests that wait for one. */
const AT_ONCE = 2;
const MAX_WAITING = 16;
/** The maximum number of fetched trees. A tree is kept as long as a client reads it, however slowly. */
const MAX_TREES = 8;

/** The limits of one tree: bytes, entries, and milliseconds to fetch it. */
const MAX_BYTES = 512 * 2 ** 20;
const MAX_ENTRIES = 200_000;
const MAX_MILLIS = 120_000;

/** Milliseconds between two checks of the fetched size. */
const LOOK_MILLIS = 250;

/** A fetched tree. Disposing of it removes its folder. */
export interface FetchedTree extends AsyncDisposable {
  readonly driver: Driver;
}

/** Limits that tests override. */
export interface TreeBounds {
  /** The folder for temporary files. Default: the system's. */
  readonly folder?: string;
  readonly bytes?: number;
  readonly millis?: number;
}

/** Fetches trees. */
export class TreeFetcher {
  readonly #bounds: TreeBounds;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #there = 0;

  /** `env`: the environment of this process, in which programs and plugins are found. */
  constructor(readonly env: (name: string) => string | undefined = () => undefined, bounds: TreeBounds = {}) {
    this.#bounds = bounds;
  }

  /**
   * Fetches the tree of a location.
   * @throws {WireError} when this server cannot fetch it, or is at its limit; errors of the driver.
   */
  async fetch(driver: TreeDriver, location: Place, stop: AbortSignal): Promise<FetchedTree> {
    if (location.store === "git" && !await this.#hasGit()) {
      throw new WireError(CODE.unimplemented, "git is not installed on this server: only pods can read git artifacts");
    }
    await this.#acquireSlot(stop);
    try {
      if (this.#there >= MAX_TREES) {
        throw new WireError(CODE.resourceExhausted, "too many git artifacts are being read");
      }
      this.#there++;
      await using opened = new AsyncDisposableStack();
      opened.defer(() => void this.#there--);
      const { path: folder } = opened.use(await makeTreeFolder(this.#bounds.folder));
      await fillWithinLimits(
        `${folder}/tree`,
        this.#bounds,
        stop,
        (signal) => driver.load(location, `${folder}/tree`, signal),
      );
      // Imported on demand, like stores.
      const { TreeReader } = await import("./tree_reader.ts");
      const tree = opened.move();
      return { driver: new TreeReader(`${folder}/tree`), [Symbol.asyncDispose]: () => tree.disposeAsync() };
    } finally {
      this.#releaseSlot();
    }
  }

  /**
   * Removes trees of servers that were killed. `now` is in milliseconds. A server without git, such as that of the
   * image, never has any.
   */
  async removeOrphans(now: number): Promise<void> {
    if (await this.#hasGit()) await removeOrphanedTrees(this.#folder, now);
  }

  get #folder(): string {
    return this.#bounds.folder ?? (this.env("TMPDIR") || "/tmp");
  }

  /** Whether git is installed, may be started, and the temporary folder is writable. */
  async #hasGit(): Promise<boolean> {
    const git = findProgram("git", this.env("PATH") ?? "");
    if (git === undefined) return false;
    const needed = [{ name: "run", command: git }, { name: "write", path: this.#folder }] as const;
    const answers = await Promise.all(needed.map((descriptor) => Deno.permissions.query(descriptor)));
    return answers.every(({ state }) => state === "granted");
  }

  async #acquireSlot(stop: AbortSignal): Promise<void> {
    if (this.#busy < AT_ONCE) return void this.#busy++;
    if (this.#waiting.length >= MAX_WAITING) {
      throw new WireError(CODE.resourceExhausted, "too many requests for git artifacts");
    }
    const turn = Promise.withResolvers<void>();
    const leave = () => {
      const index = this.#waiting.indexOf(turn.resolve);
      if (index >= 0) this.#waiting.splice(index, 1);
      turn.reject(stop.reason);
    };
    this.#waiting.push(turn.resolve);
    stop.addEventListener("abort", leave, { once: true });
    try {
      stop.throwIfAborted();
      await turn.promise;
    } finally {
      stop.removeEventListener("abort", leave);
    }
  }

  /** Passes the slot to the next request in the queue. */
  #releaseSlot(): void {
    const next = this.#waiting.shift();
    next ? next() : this.#busy--;
  }
}

/** Runs `fill`, and aborts it when the folder exceeds a limit. */
async function fillWithinLimits(
  folder: string,
  { bytes: mostBytes = MAX_BYTES, millis = MAX_MILLIS }: TreeBounds,
  stop: AbortSignal,
  fill: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const done = new AbortController();
  const signal = AbortSignal.any([stop, over.signal]);
  const tooMuch = (reason: string) =>
    over.abort(new WireError(CODE.resourceExhausted, `the artifact ${reason}, which exceeds the limit of this server`));
  const takeBack = systemClock.after(millis, () => tooMuch(`takes longer than ${millis / 1000} s`));
  const check = async () => {
    const { bytes, entries } = await measureFolder(folder);
    if (bytes > mostBytes) tooMuch(`has more than ${Math.floor(mostBytes / 2 ** 20)} MiB`);
    if (entries > MAX_ENTRIES) tooMuch(`has more than ${MAX_ENTRIES} files`);
  };
  const watch = async () => {
    try {
      while (!done.signal.aborted && !signal.aborted) {
        await check();
        await pause(systemClock, LOOK_MILLIS, done.signal).catch(() => {});
      }
    } catch (error) {
      // A folder that cannot be measured is not served. The error is reported through the signal because nobody awaits
      // the watch yet.
      over.abort(error);
    }
  };
  const watching = watch();
  try {
    await fill(signal);
    await check();
    signal.throwIfAborted();
  } finally {
    takeBack();
    done.abort();
    await watching;
  }
}

/** Measures a folder while it is being written. Entries that disappear meanwhile are ignored. */
async function measureFolder(folder: string): Promise<{ readonly bytes: number; readonly entries: number }> {
  let [bytes, entries] = [0, 0];
  const folders = [folder];
  for (let folder = folders.pop(); folder !== undefined && entries <= MAX_ENTRIES; folder = folders.pop()) {
    try {
      for await (const { name, isDirectory } of Deno.readDir(folder)) {
        entries++;
        if (isDirectory) folders.push(`${folder}/${name}`);
        else bytes += await Deno.lstat(`${folder}/${name}`).then(({ size }) => size, () => 0);
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return { bytes, entries };
}
