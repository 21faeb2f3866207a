/** The keys below a place. */
import { type Driver, type Place, StoreError, type TreeDriver } from "../driver.ts";
import { itemsBelow } from "./folder_names.ts";
import { movesTrees, prefixOf } from "./how.ts";
import { type Retrying, retrying } from "./retry.ts";

/** A store that cannot tell what lies in it. */
export class NotListableError extends Error {
  override readonly name = "NotListableError";
}

/**
 * All keys below a place, whole and sorted; of a file its own.
 * @throws {NotListableError} for a store that cannot tell, {@link StoreError} `missing` when there is nothing.
 */
export async function list(driver: Driver | TreeDriver, place: Place, how: Retrying): Promise<string[]> {
  if (movesTrees(driver) || !driver.can.list) {
    throw new NotListableError(`a store of kind ${place.store}, which cannot be listed`);
  }
  const keys: string[] = [];
  let isEmpty = true;
  for await (const { name } of itemsBelow(driver, place, how)) {
    isEmpty = false;
    if (!name.endsWith("/")) keys.push(`${prefixOf(place)}${name}`);
  }
  if (!isEmpty || place.key === "") return keys.sort();
  try {
    const { kind } = await retrying(how, () => driver.find(place, how.stop));
    return kind === "file" ? [place.key] : [];
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== "missing") throw error;
    throw new StoreError(`no key found of name ${place.key}`, "missing", undefined, { cause: error });
  }
}
