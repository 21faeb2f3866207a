/** Lists the keys below a place. */
import { type Driver, type Place, StoreError, type TreeDriver } from "@tiphys/model/artifact";
import { listItemsBelow } from "./folder_names.ts";
import { isTreeDriver, prefixOf } from "./how.ts";
import { type RetryContext, retryTransient } from "./retry.ts";

/** Error for a store that cannot list its objects. */
export class NotListableError extends Error {
  override readonly name = "NotListableError";
}

/**
 * Returns all complete keys below a place, sorted; for a file, its own key.
 * @throws {NotListableError} for a store that cannot list.
 * @throws {StoreError} `missing` when nothing exists there.
 */
export async function list(driver: Driver | TreeDriver, location: Place, retry: RetryContext): Promise<string[]> {
  if (isTreeDriver(driver) || !driver.can.list) {
    throw new NotListableError(`a store of kind ${location.store}, which cannot be listed`);
  }
  const keys: string[] = [];
  let isEmpty = true;
  for await (const { name } of listItemsBelow(driver, location, retry)) {
    isEmpty = false;
    if (!name.endsWith("/")) keys.push(`${prefixOf(location)}${name}`);
  }
  if (!isEmpty || location.key === "") return keys.sort();
  try {
    const { kind } = await retryTransient(retry, () => driver.find(location, retry.stop));
    return kind === "file" ? [location.key] : [];
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== "missing") throw error;
    throw new StoreError(`no key found of name ${location.key}`, "missing", undefined, { cause: error });
  }
}
