/** Limits of archives, checked before unpacked bytes are written. */
import type { Folder } from "./folder.ts";
import { ENV, MAX_ARCHIVE_ENTRIES, MAX_UNPACKED_RATIO, UNPACKED_RATIO_FROM_BYTES } from "../constants.ts";

/** The error for an archive that exceeds a limit. */
export class UnpackLimitError extends Error {
  override readonly name = "UnpackLimitError";
}

/** The limits of one archive. */
export interface TreeLimits {
  /** Number of files, folders and links; an entry that occurs twice counts twice. */
  readonly entries: number;
  /** Total bytes of all files; infinite when the free space is unknown. */
  readonly bytes: number;
  /** Maximum ratio of unpacked to packed bytes, checked once `ratioFrom` bytes are unpacked. */
  readonly ratio: number;
  readonly ratioFrom: number;
}

/**
 * Returns the limits for unpacking into a folder: those of the environment, else defaults and 90% of the free space.
 */
export function treeLimits(folder: Folder, env: (name: string) => string | undefined = () => undefined): TreeLimits {
  const free = folder.freeBytes();
  return {
    entries: parsePositive(env(ENV.maxArchiveEntries)) ?? MAX_ARCHIVE_ENTRIES,
    bytes: parsePositive(env(ENV.maxUnpackedBytes)) ?? (free === undefined ? Infinity : Math.floor(free * 0.9)),
    ratio: parsePositive(env(ENV.maxUnpackedRatio)) ?? MAX_UNPACKED_RATIO,
    ratioFrom: UNPACKED_RATIO_FROM_BYTES,
  };
}

/** Maximum bytes of all holes of an archive: they need no space, but every reader of the files reads them as zeros. */
export const MAX_HOLE_BYTES = 2 ** 40;

/** Counts unpacked entries and bytes and enforces the limits. */
export class UnpackCounter {
  #entries = 0;
  #bytes = 0;
  #holeBytes = 0;

  constructor(readonly limits: TreeLimits) {}

  /** @throws {UnpackLimitError} when the number of entries exceeds its limit. */
  countEntry(): void {
    if (++this.#entries <= this.limits.entries) return;
    throw new UnpackLimitError(
      `the archive has more than ${this.limits.entries} entries, the limit of ${ENV.maxArchiveEntries}`,
    );
  }

  /**
   * Counts a hole of a file before it is made.
   * @throws {UnpackLimitError} when all holes have more than {@link MAX_HOLE_BYTES}.
   */
  countHole(bytes: number): void {
    this.#holeBytes += bytes;
    if (this.#holeBytes <= MAX_HOLE_BYTES) return;
    throw new UnpackLimitError(`the holes of the archive's files have more than ${MAX_HOLE_BYTES} bytes, the limit`);
  }

  /**
   * Counts bytes before they are written. `packed` is the number of archive bytes read so far, if known.
   * @throws {UnpackLimitError} when a limit is exceeded.
   */
  countBytes(bytes: number, packed?: number): void {
    this.#bytes += bytes;
    const { bytes: max, ratio, ratioFrom } = this.limits;
    if (this.#bytes > max) {
      throw new UnpackLimitError(
        `the archive holds more than ${max} bytes, the limit of ${ENV.maxUnpackedBytes} or nine tenths of the free space`,
      );
    }
    if (packed === undefined || this.#bytes < ratioFrom || this.#bytes <= packed * ratio) return;
    throw new UnpackLimitError(
      `the archive unpacks ${packed} bytes to ${this.#bytes}, more than ${ratio} times as many, the limit of ${ENV.maxUnpackedRatio}`,
    );
  }
}

function parsePositive(text: string | undefined): number | undefined {
  const value = Number(text || NaN);
  return value > 0 ? value : undefined;
}
