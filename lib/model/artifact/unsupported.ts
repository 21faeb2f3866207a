/** Errors for operations that a kind of store does not support. */
import { type Item, StoreError } from "./driver.ts";

/** The list of a store that cannot list its objects. */
// deno-lint-ignore require-yield -- it fails instead
export async function* notListable(store: string): AsyncGenerator<Item> {
  await Promise.reject(new StoreError(`${store} artifacts cannot be listed`, "final"));
}

/** Returns Argo's message for a store that does not support deletion. */
export function notDeletable(): StoreError {
  return new StoreError(
    "delete not supported for this artifact storage, please check the following issue for details: " +
      "https://github.com/argoproj/argo-workflows/issues/3102",
    "final",
  );
}
