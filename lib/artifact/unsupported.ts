/** The errors of what a kind of store cannot do at all. */
import { type Item, StoreError } from "./driver.ts";

/** The list of a store that cannot tell what lies in it. */
// deno-lint-ignore require-yield -- it fails instead
export async function* notListable(store: string): AsyncGenerator<Item> {
  await Promise.reject(new StoreError(`${store} artifacts cannot be listed`, "final"));
}

/** Argo's words for a store that deletes nothing. */
export function notDeletable(): StoreError {
  return new StoreError(
    "delete not supported for this artifact storage, please check the following issue for details: " +
      "https://github.com/argoproj/argo-workflows/issues/3102",
    "final",
  );
}
