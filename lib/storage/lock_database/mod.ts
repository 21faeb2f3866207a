/**
 * Locks in a database that several controllers share, with Argo's tables. Built on `database`; loaded only if one is
 * configured.
 */
export type { Hold, LockDatabase } from "./lock_database.ts";
export { type LockWorld, OpenLimits, OpenLockDatabase } from "./open_lock_database.ts";
export type { LockClaimant, Outcome } from "./round.ts";
