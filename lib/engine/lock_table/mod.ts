/**
 * Locks that workflows share: their keys, the table of holders and waiting claims, and the holds recorded in statuses.
 */
export type { Claim, LockAnswer, LockAsk, LockRef } from "./claim.ts";
export type { StalledHolder } from "./deadlocks.ts";
export { LockAnswers } from "./lock_answers.ts";
export { holderKey, type LockName, type LockType, parseHolderKey, parseLockKey } from "./lock_key.ts";
export { idOf, isInDatabase, type LockItem, lockItems, type LockSource, rowNameOf } from "./lock_item.ts";
export { type HandOver, type LockSample, LockTable } from "./lock_table.ts";
export { type RecordedHold, recordedHolds } from "./recorded_holds.ts";
export { readSuccessors, shortenedSuccessors, type Successor, type Successors, successorsText } from "./successors.ts";
export { parseLimit } from "./limit.ts";
