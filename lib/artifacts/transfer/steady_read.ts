/** Reads a file of a store to its end, resuming after interruptions. */
import { type ContentInfo, type Driver, type Place, StoreError } from "@tiphys/model/artifact";
import { chunksOf, type TransientChunks } from "@tiphys/base/net/chunks";
import { displayName } from "./how.ts";
import { Attempts, type RetryContext } from "./retry.ts";

/** Number of bytes after which the retry policy starts again. */
const PART_BYTES = 16 << 20;

/**
 * Yields the bytes of a file through one buffer, all of one version: content with another etag is not a continuation.
 * If the store has no etag, an interrupted read fails, and the caller must start again. The caller verifies the digest.
 * `start` is the number of bytes that exist already.
 * @throws {StoreError} when the number of bytes differs from the store's.
 */
export async function* readOneVersion(
  driver: Driver,
  location: Place,
  { etag, size, sha256 }: ContentInfo,
  retry: RetryContext,
  start = 0,
): TransientChunks {
  let offset = start;
  let tries = new Attempts(retry);
  if (offset > 0 && offset === size) return;
  while (true) {
    const from = offset;
    try {
      const part = {
        ...(from > 0 ? { from } : {}),
        ...(etag === undefined ? {} : { etag }),
        ...(sha256 === undefined ? {} : { isSummed: true }),
      };
      const stream = await driver.read(location, part, retry.stop);
      for await (const bytes of chunksOf(stream, size === undefined ? Infinity : size - from)) {
        retry.stop.throwIfAborted();
        offset += bytes.length;
        if (size !== undefined && offset > size) throw wrongSizeError(location, offset, size);
        yield bytes;
      }
      if (size !== undefined && offset < size) throw wrongSizeError(location, offset, size);
      return;
    } catch (error) {
      const cannotGoOn = offset > 0 && etag === undefined || error instanceof StoreError && error.kind === "changed";
      if (cannotGoOn || offset === size) throw error;
      if (offset - from >= PART_BYTES) tries = new Attempts(retry);
      await tries.waitForRetry(error);
    }
  }
}

function wrongSizeError(location: Place, came: number, size: number): StoreError {
  const text = came > size ? `more than the ${size} bytes` : `${came} of the ${size} bytes`;
  return new StoreError(`${text} of ${displayName(location)} were received`, came > size ? "changed" : "transient");
}
