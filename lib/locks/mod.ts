/** Locks that workflows share: their keys, the table of holders and waiters, and the holds that a status records. */
export type { LockAnswer, LockAsk, LockRef } from "./claim.ts";
export { holderKey, type LockName, type LockType, parseHolderKey, parseLockKey } from "./lock_key.ts";
export { type LockItem, lockItems, type LockSource } from "./lock_item.ts";
export { type LockSample, LockTable } from "./lock_table.ts";
export { type RecordedHold, recordedHolds } from "./recorded_holds.ts";
export { parseLimit } from "./limit.ts";
