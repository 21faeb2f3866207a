/**
 * Trees that their stores move by themselves (git), fetched into a folder of this server for one answer, and read there:
 * few at once, each within a time and a size.
 */
import type { Driver, Place, TreeDriver } from "../../lib/artifact/driver.ts";
import { find } from "../../lib/artifact/git/programs.ts";
import { pause, systemClock } from "../../lib/clock/mod.ts";
import { CODE, WireError } from "../wire/errors.ts";
import { makeTreeFolder, removeOrphanedTrees } from "./tree_folders.ts";

/** Trees that are fetched at once, and the requests that may wait for that. */
const AT_ONCE = 2;
const MOST_WAITING = 16;
/** Trees that lie there at once: each does for as long as somebody reads of it, however slowly. */
const MOST_THERE = 8;

/** The limits of one tree: bytes and entries on the disk of this server, milliseconds until it is there. */
const MOST_BYTES = 512 * 2 ** 20;
const MOST_ENTRIES = 200_000;
const MOST_MILLIS = 120_000;

/** The pause between two looks at how much has come. */
const LOOK_MILLIS = 250;

/** A tree in a folder, to be read; disposing of it removes the folder. */
export interface FetchedTree extends AsyncDisposable {
  readonly driver: Driver;
}

/** The bounds of trees that tests set. */
export interface TreeBounds {
  /** The folder in which they lie for a while; that of the system for such when absent. */
  readonly folder?: string;
  readonly bytes?: number;
  readonly millis?: number;
}

/** Fetches trees. */
export class Trees {
  readonly #bounds: TreeBounds;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #there = 0;

  /** `env`: the environment of this program, by which the programs and plugins beside it are found. */
  constructor(readonly env: (name: string) => string | undefined = () => undefined, bounds: TreeBounds = {}) {
    this.#bounds = bounds;
  }

  /**
   * Fetches the tree of a place.
   * @throws {WireError} where this server cannot fetch it, or has no room for it now; an error of its driver.
   */
  async fetch(driver: TreeDriver, place: Place, stop: AbortSignal): Promise<FetchedTree> {
    if (place.store === "git" && !await this.#hasGit()) {
      throw new WireError(CODE.unimplemented, "this server has no program git: only pods read artifacts of git");
    }
    await this.#enter(stop);
    try {
      if (this.#there >= MOST_THERE) {
        throw new WireError(CODE.resourceExhausted, "too many artifacts of git are being read at once");
      }
      this.#there++;
      await using opened = new AsyncDisposableStack();
      opened.defer(() => void this.#there--);
      const { path: folder } = opened.use(await makeTreeFolder(this.#bounds.folder));
      await within(`${folder}/tree`, this.#bounds, stop, (signal) => driver.load(place, `${folder}/tree`, signal));
      // Loaded only where a tree was fetched, as stores are.
      const { TreeReader } = await import("./tree_reader.ts");
      const tree = opened.move();
      return { driver: new TreeReader(`${folder}/tree`), [Symbol.asyncDispose]: () => tree.disposeAsync() };
    } finally {
      this.#leave();
    }
  }

  /**
   * Removes what servers that were killed have left; `now` in milliseconds. A server that has no git, as that of the image,
   * leaves nothing and looks nowhere.
   */
  async removeOrphans(now: number): Promise<void> {
    if (await this.#hasGit()) await removeOrphanedTrees(this.#folder, now);
  }

  get #folder(): string {
    return this.#bounds.folder ?? (this.env("TMPDIR") || "/tmp");
  }

  /** Whether there is a git, which this program may start, and a place that it may write to. */
  async #hasGit(): Promise<boolean> {
    const git = find("git", this.env("PATH") ?? "");
    if (git === undefined) return false;
    const needed = [{ name: "run", command: git }, { name: "write", path: this.#folder }] as const;
    const answers = await Promise.all(needed.map((one) => Deno.permissions.query(one)));
    return answers.every(({ state }) => state === "granted");
  }

  async #enter(stop: AbortSignal): Promise<void> {
    if (this.#busy < AT_ONCE) return void this.#busy++;
    if (this.#waiting.length >= MOST_WAITING) {
      throw new WireError(CODE.resourceExhausted, "too many artifacts of git are asked for at once");
    }
    const turn = Promise.withResolvers<void>();
    const leave = () => {
      const at = this.#waiting.indexOf(turn.resolve);
      if (at >= 0) this.#waiting.splice(at, 1);
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

  /** The next one in the queue has the turn of the one that leaves. */
  #leave(): void {
    const next = this.#waiting.shift();
    next ? next() : this.#busy--;
  }
}

/** Does what fills a folder, and ends it when that takes too much or too long. */
async function within(
  folder: string,
  { bytes: mostBytes = MOST_BYTES, millis = MOST_MILLIS }: TreeBounds,
  stop: AbortSignal,
  fill: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const done = new AbortController();
  const signal = AbortSignal.any([stop, over.signal]);
  const tooMuch = (why: string) =>
    over.abort(new WireError(CODE.resourceExhausted, `the artifact ${why}, which is more than this server fetches`));
  const takeBack = systemClock.after(millis, () => tooMuch(`takes longer than ${millis / 1000} s`));
  const check = async () => {
    const { bytes, entries } = await measured(folder);
    if (bytes > mostBytes) tooMuch(`has more than ${Math.floor(mostBytes / 2 ** 20)} MiB`);
    if (entries > MOST_ENTRIES) tooMuch(`has more than ${MOST_ENTRIES} files`);
  };
  const watch = async () => {
    try {
      while (!done.signal.aborted && !signal.aborted) {
        await check();
        await pause(systemClock, LOOK_MILLIS, done.signal).catch(() => {});
      }
    } catch (error) {
      // What cannot be looked at is not fetched either; nobody waits for this until then.
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

/** The size of what lies below a folder while others write there: what goes meanwhile is left out. */
async function measured(folder: string): Promise<{ readonly bytes: number; readonly entries: number }> {
  let [bytes, entries] = [0, 0];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && entries <= MOST_ENTRIES; at = folders.pop()) {
    try {
      for await (const { name, isDirectory } of Deno.readDir(at)) {
        entries++;
        if (isDirectory) folders.push(`${at}/${name}`);
        else bytes += await Deno.lstat(`${at}/${name}`).then(({ size }) => size, () => 0);
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return { bytes, entries };
}
