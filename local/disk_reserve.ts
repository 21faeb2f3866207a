/**
 * Room on the disk that nobody has until it is needed: a file that is given up when the disk is full, so that what must be
 * written down (that pods have ended, that something is deleted) still can be.
 */

import { statfsSync } from "node:fs";

/** Bytes of the reserve. */
export const RESERVE_BYTES = 16 * 1024 * 1024;

/** Bytes without which nothing is begun. */
const NEEDED_BYTES = 4 * 1024 * 1024;

/** The free space that is needed to make the reserve, in sizes of the reserve. */
const PLENTY = 8;

const BLOCK_BYTES = 1024 * 1024;

/** The reserve of a folder, which lies in it. */
export class DiskReserve {
  readonly #folder: string;
  readonly #path: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = `${folder}/reserve`;
  }

  /**
   * Makes the reserve where there is plenty of room, and gives it up where there is none.
   * @throws {Error} where that does not do.
   */
  async prepare(): Promise<void> {
    if (this.#free() < NEEDED_BYTES) {
      if (this.giveUp() && this.#free() >= NEEDED_BYTES) return;
      throw new Error(
        `The disk of ${this.#folder} is full (${Math.floor(this.#free() / 1024)} KiB are left, ${
          NEEDED_BYTES / 1024
        } are ` +
          "needed): make room there. Of what tiphys keeps, images that are not needed go with  tiphys image prune, and " +
          "everything else with  tiphys local reset",
      );
    }
    if (this.#isThere() || this.#free() < PLENTY * RESERVE_BYTES) return;
    // The bytes are random, as zeros might be kept as a hole.
    const block = new Uint8Array(BLOCK_BYTES);
    for (let at = 0; at < BLOCK_BYTES; at += 65_536) crypto.getRandomValues(block.subarray(at, at + 65_536));
    using file = await Deno.open(`${this.#path}.part`, { write: true, create: true, truncate: true, mode: 0o600 });
    for (let written = 0; written < RESERVE_BYTES;) written += await file.write(block);
    await Deno.rename(`${this.#path}.part`, this.#path);
  }

  /** Gives the reserve up for others; false when there is none any more. */
  giveUp(): boolean {
    try {
      Deno.removeSync(this.#path);
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  }

  #isThere(): boolean {
    try {
      return Deno.statSync(this.#path).isFile;
    } catch {
      return false;
    }
  }

  #free(): number {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize;
  }
}
