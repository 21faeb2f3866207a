/** The removal of what lies at a place: the object of its key or, without one, all below it, and never more. */
import { type Driver, type Place, StoreError, type TreeDriver } from "../driver.ts";
import { notDeletable } from "../unsupported.ts";
import { movesTrees } from "./how.ts";
import { type Retrying, retrying } from "./retry.ts";

/** @throws {StoreError} `final` for a place without a key: a whole store is never deleted. */
export function checkKey({ store, key }: Place): void {
  const hasKey = key.replaceAll("/", "") !== "";
  if (hasKey) return;
  throw new StoreError(`the artifact has no key in its ${store} store: nothing is deleted`, "final");
}

/**
 * Removes what lies at a place; resolves to the number of objects. What is gone already is no failure.
 * @throws {StoreError} `final` for a store that removes nothing, and for a place without a key.
 */
export async function remove(driver: Driver | TreeDriver, place: Place, how: Retrying): Promise<number> {
  checkKey(place);
  if (movesTrees(driver) || !driver.can.remove) throw notDeletable();
  const { removed } = await retrying(how, () => driver.remove(place, how.stop));
  return removed;
}
