/** Locks in a database that several controllers share, with Argo's tables. Stands on `database`; loaded by who has one. */
export type { Hold, LockDatabase } from "./lock_database.ts";
export { type LockWorld, OpenLimits, OpenLockDatabase } from "./open_lock_database.ts";
export type { Asker, Outcome } from "./round.ts";
