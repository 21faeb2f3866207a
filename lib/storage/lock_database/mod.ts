/**
 * Locks in a database that several controllers share, with Argo's tables. Built on `database`; loaded only if one is
 * configured.
 */
export type { LockDatabase, LockRow } from "./lock_database.ts";
export { type LockEnvironment, OpenLimits, OpenLockDatabase } from "./open_lock_database.ts";
export type { LockClaimant, Outcome } from "./round.ts";
