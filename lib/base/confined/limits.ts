/** Limits of archives: what is unpacked is counted before it is written. */
import type { Folder } from "./folder.ts";
import { ENV, MOST_ARCHIVE_ENTRIES, MOST_UNPACKED_RATIO, UNPACKED_RATIO_FROM_BYTES } from "../constants.ts";

/** An archive holds more than it may. */
export class UnpackedTooMuchError extends Error {
  override readonly name = "UnpackedTooMuchError";
}

/** Limits of one archive. */
export interface TreeLimits {
  /** Files, folders and links, each as often as it is named. */
  readonly entries: number;
  /** Bytes of all files together; infinite where nobody knows what is free. */
  readonly bytes: number;
  /** The highest ratio of unpacked to packed bytes, which counts once `ratioFrom` bytes are unpacked. */
  readonly ratio: number;
  readonly ratioFrom: number;
}

/** The limits for what is unpacked into a folder: the environment's, else nine tenths of what is free there. */
export function treeLimits(folder: Folder, env: (name: string) => string | undefined = () => undefined): TreeLimits {
  const free = folder.freeBytes();
  return {
    entries: positive(env(ENV.maxArchiveEntries)) ?? MOST_ARCHIVE_ENTRIES,
    bytes: positive(env(ENV.maxUnpackedBytes)) ?? (free === undefined ? Infinity : Math.floor(free * 0.9)),
    ratio: positive(env(ENV.maxUnpackedRatio)) ?? MOST_UNPACKED_RATIO,
    ratioFrom: UNPACKED_RATIO_FROM_BYTES,
  };
}

/** Counts what was unpacked so far, and holds it against the limits. */
export class Counted {
  #entries = 0;
  #bytes = 0;

  constructor(readonly limits: TreeLimits) {}

  /** @throws {UnpackedTooMuchError} when there is one entry too many. */
  entry(): void {
    if (++this.#entries <= this.limits.entries) return;
    throw new UnpackedTooMuchError(
      `the archive has more than ${this.limits.entries} entries, the limit of ${ENV.maxArchiveEntries}`,
    );
  }

  /**
   * Counts bytes that are about to be written; `packed` is how many were read of the archive, where that is known.
   * @throws {UnpackedTooMuchError} when they are too many.
   */
  add(bytes: number, packed?: number): void {
    this.#bytes += bytes;
    const { bytes: most, ratio, ratioFrom } = this.limits;
    if (this.#bytes > most) {
      throw new UnpackedTooMuchError(
        `the archive holds more than ${most} bytes, the limit of ${ENV.maxUnpackedBytes} or nine tenths of the free space`,
      );
    }
    if (packed === undefined || this.#bytes < ratioFrom || this.#bytes <= packed * ratio) return;
    throw new UnpackedTooMuchError(
      `the archive made ${this.#bytes} bytes of ${packed}, more than ${ratio} times as many, the limit of ${ENV.maxUnpackedRatio}`,
    );
  }
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text || NaN);
  return value > 0 ? value : undefined;
}
