/** Lists and checks the names below a folder of a store before files are created. */
import { type Driver, type Item, type Place, StoreError } from "@tiphys/model/artifact";
import { displayName } from "./how.ts";
import { Attempts, isRetryable, type RetryContext } from "./retry.ts";

/** Maximum number of objects of one folder. */
const MAX_OBJECTS = 10_000_000;

/**
 * Yields everything below a folder, in the store's order. An interrupted listing starts again, and nothing is yielded
 * twice.
 * @throws {StoreError} `final` for more than {@link MAX_OBJECTS}, or a store that repeats names endlessly.
 */
export async function* listItemsBelow(
  driver: Driver,
  location: Place,
  retry: RetryContext,
  max = MAX_OBJECTS,
): AsyncGenerator<Item> {
  const told = new Set<string>();
  let tries = new Attempts(retry);
  while (true) {
    try {
      let listed = 0;
      for await (const item of driver.list(location, retry.stop)) {
        retry.stop.throwIfAborted();
        if (++listed > max) throw new StoreError(`${displayName(location)} lists more than ${max} objects`, "final");
        if (told.has(item.name)) continue;
        told.add(item.name);
        tries = new Attempts(retry);
        yield item;
      }
      return;
    } catch (error) {
      if (!await isRetryable(error, retry.policy)) throw error;
      await tries.waitForRetry(error);
    }
  }
}

/**
 * Checks that names are files and folders below one folder.
 * @throws {StoreError} for a name that leads elsewhere, and for a file that also is a folder.
 */
export function checkNames(location: Place, items: readonly Item[]): void {
  const files = new Set(items.flatMap(({ name }) => name.endsWith("/") ? [] : [name]));
  for (const { name } of items) {
    const parts = name.replace(/\/$/, "").split("/");
    if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("\0"))) {
      throw new StoreError(
        `${displayName(location)} holds the name ${JSON.stringify(name)}, which is outside the folder`,
        "final",
      );
    }
    const last = name.endsWith("/") ? parts.length : parts.length - 1;
    for (let depth = 1; depth <= last; depth++) {
      const above = parts.slice(0, depth).join("/");
      if (!files.has(above)) continue;
      throw new StoreError(
        `${displayName(location)} holds both ${JSON.stringify(above)} and ${
          JSON.stringify(name)
        }, which cannot be in one folder`,
        "final",
      );
    }
  }
}
