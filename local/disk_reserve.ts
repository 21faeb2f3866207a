/**
 * Reserved disk space: a file that is removed when the disk is full, so that important writes (pods that have ended,
 * deletions) still succeed.
 */

import { statfsSync } from "node:fs";

/** Size of the reserve, in bytes. */
export const RESERVE_BYTES = 16 * 1024 * 1024;

/** Free space that a start requires, in bytes. */
const NEEDED_BYTES = 4 * 1024 * 1024;

/** Free space that creating the reserve requires, as a multiple of its size. */
const PLENTY = 8;

const BLOCK_BYTES = 1024 * 1024;

/** The reserve of the disk of a folder, which is a file in the folder. */
export class DiskReserve {
  readonly #folder: string;
  readonly #path: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = `${folder}/reserve`;
  }

  /**
   * Creates the reserve if there is plenty of free space, or releases it if the disk is full.
   * @throws {Error} if the disk is full even without the reserve.
   */
  async prepare(): Promise<void> {
    if (this.#freeBytes() < NEEDED_BYTES) {
      if (this.release() && this.#freeBytes() >= NEEDED_BYTES) return;
      throw new Error(
        `The disk of ${this.#folder} is full (${Math.floor(this.#freeBytes() / 1024)} KiB are left, ${
          NEEDED_BYTES / 1024
        } are ` +
          "needed): free space on it. To remove unused images, run  tiphys image prune;  to remove all data, run  " +
          "tiphys local reset",
      );
    }
    if (this.#isThere() || this.#freeBytes() < PLENTY * RESERVE_BYTES) return;
    // The bytes are random, because file systems may store zeros as a hole.
    const block = new Uint8Array(BLOCK_BYTES);
    for (let offset = 0; offset < BLOCK_BYTES; offset += 65_536) {
      crypto.getRandomValues(block.subarray(offset, offset + 65_536));
    }
    using file = await Deno.open(`${this.#path}.part`, { write: true, create: true, truncate: true, mode: 0o600 });
    for (let written = 0; written < RESERVE_BYTES;) written += await file.write(block);
    await Deno.rename(`${this.#path}.part`, this.#path);
  }

  /** Releases the reserve; false if it is already released. */
  release(): boolean {
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

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize;
  }
}
