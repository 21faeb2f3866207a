/**
 * Artifacts on their way between stores and files, the same for every store: each object is tried again by one policy,
 * what is loaded is whole or not there, and archives are packed and unpacked on the way.
 *
 * - `load.ts`, `checked.ts`, `steady_read.ts`: from a store; `save.ts`: to one; `list.ts`, `folder_names.ts`: what lies there;
 *   `half_loaded.ts`, `node_cache.ts`: what was loaded before, by this container or by others of its node
 *   (code that pods load only when they go on, or have a cache);
 *   `remove.ts`: what is deleted
 * - `retry.ts`: what is tried again, how often and how late; `side_by_side.ts`: how many at once
 */
export { itemsBelow } from "./folder_names.ts";
export { type Moved, movesTrees, nameOfPlace, type Transfer } from "./how.ts";
export { list, NotListableError } from "./list.ts";
export { load, type Packing, type Target } from "./load.ts";
export type { NodeCache } from "./node_cache.ts";
export { checkKey, remove } from "./remove.ts";
export { GaveUpError, mayPass, type Retrying, retrying, type RetryPolicy, retryPolicyOf } from "./retry.ts";
export { type Packed, save } from "./save.ts";
export { sideBySide } from "./side_by_side.ts";
