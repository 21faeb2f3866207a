/** Removes the object at a place or, if it does not exist, everything below it. */
import { type Driver, type Place, StoreError, type TreeDriver } from "@tiphys/model/artifact";
import { notDeletable } from "@tiphys/model/artifact/unsupported";
import { isTreeDriver } from "./how.ts";
import { type RetryContext, retryTransient } from "./retry.ts";

/** @throws {StoreError} `final` for a place without a key, because a whole store must never be deleted. */
export function checkKey({ store, key }: Place): void {
  const hasKey = key.replaceAll("/", "") !== "";
  if (hasKey) return;
  throw new StoreError(`the artifact has no key in its ${store} store: nothing is deleted`, "final");
}

/**
 * Removes the content of a place. Resolves to the number of objects. Missing content is not an error.
 * @throws {StoreError} `final` for a store that cannot remove, and for a place without a key.
 */
export async function remove(driver: Driver | TreeDriver, location: Place, retry: RetryContext): Promise<number> {
  checkKey(location);
  if (isTreeDriver(driver) || !driver.can.remove) throw notDeletable();
  const { removed } = await retryTransient(retry, () => driver.remove(location, retry.stop));
  return removed;
}
