/** Reading a file of a store to its end, on from where a reading broke off. */
import type { Driver, Found, Place } from "../driver.ts";
import { StoreError } from "../driver.ts";
import { chunksOf, type Passing } from "../../net/chunks.ts";
import { nameOfPlace } from "./how.ts";
import { type Retrying, Tries } from "./retry.ts";

/** The bytes after which a new part begins, with tries of its own. */
const PART_BYTES = 16 << 20;

/**
 * The bytes of a file, which pass through one buffer, all of one state of it: what has another etag meanwhile is no continuation. Where the store tells
 * no etag, a reading that broke off in the middle fails, for the caller to begin anew. A digest that was found is the
 * caller's to look at. `start`: the first bytes, so many, are there already.
 * @throws {StoreError} when more or fewer bytes come than the store has said.
 */
export async function* steadyRead(
  driver: Driver,
  place: Place,
  { etag, size, sha256 }: Found,
  how: Retrying,
  start = 0,
): Passing {
  let at = start;
  let tries = new Tries(how);
  if (at > 0 && at === size) return;
  while (true) {
    const from = at;
    try {
      const part = {
        ...(from > 0 ? { from } : {}),
        ...(etag === undefined ? {} : { etag }),
        ...(sha256 === undefined ? {} : { isSummed: true }),
      };
      const stream = await driver.read(place, part, how.stop);
      for await (const bytes of chunksOf(stream, size === undefined ? Infinity : size - from)) {
        how.stop.throwIfAborted();
        at += bytes.length;
        if (size !== undefined && at > size) throw wrongSize(place, at, size);
        yield bytes;
      }
      if (size !== undefined && at < size) throw wrongSize(place, at, size);
      return;
    } catch (error) {
      const cannotGoOn = at > 0 && etag === undefined || error instanceof StoreError && error.kind === "changed";
      if (cannotGoOn || at === size) throw error;
      if (at - from >= PART_BYTES) tries = new Tries(how);
      await tries.failed(error);
    }
  }
}

function wrongSize(place: Place, came: number, size: number): StoreError {
  const text = came > size ? `more than the ${size} bytes` : `${came} of the ${size} bytes`;
  return new StoreError(`${text} of ${nameOfPlace(place)} came`, came > size ? "changed" : "transient");
}
