/**
 * Transfers of artifacts between stores and files, the same for every store: one retry policy for each object, complete
 * results or none, and archives that are packed and unpacked on the way.
 *
 * - `load.ts`, `checked.ts`, `steady_read.ts`: from a store; `save.ts`: to one; `list.ts`, `folder_names.ts`: listings;
 *   `half_loaded.ts`, `node_cache.ts`: content loaded before by this container, or by others of its node (loaded only
 *   when pods resume or have a cache); `remove.ts`: deletion
 * - `retry.ts`: the retry policy; `for_each_concurrently.ts`: concurrency
 */
export { listItemsBelow as itemsBelow } from "./folder_names.ts";
export { displayName as nameOfPlace, isTreeDriver as movesTrees, type Transfer, type TransferResult } from "./how.ts";
export { list, NotListableError } from "./list.ts";
export { load, type Packing, type Target } from "./load.ts";
export type { NodeCache } from "./node_cache.ts";
export { checkKey, remove } from "./remove.ts";
export {
  isRetryable,
  RetriesExhaustedError,
  type RetryContext,
  type RetryPolicy,
  retryPolicyOf,
  retryTransient as retrying,
} from "./retry.ts";
export { save, type SaveFormat } from "./save.ts";
export { forEachConcurrently } from "./for_each_concurrently.ts";
