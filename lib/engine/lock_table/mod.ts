/**
 * Locks that workflows share: their keys, the table of holders and waiting claims, and the holds recorded in statuses.
 */
export type { Claim, LockAnswer, LockRef, LockRequest } from "./claim.ts";
export type { StalledHolder } from "./deadlocks.ts";
export { LockAnswers } from "./lock_answers.ts";
export { holderKey, type LockName, type LockType, parseHolderKey, parseLockKey } from "./lock_key.ts";
export { isInDatabase, lockIdOf, type LockItem, type LockSource, parseLockItems, rowNameOf } from "./lock_item.ts";
export { type LockSample, LockTable, type LockTransfer } from "./lock_table.ts";
export { parseRecordedHolds, type RecordedHold } from "./recorded_holds.ts";
export {
  formatSuccessors,
  parseSuccessors,
  type Successor,
  type Successors,
  truncateSuccessors,
} from "./successors.ts";
export { parseLimit } from "./limit.ts";
