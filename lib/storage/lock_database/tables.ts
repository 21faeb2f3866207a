/** The types of the lock tables for queries, and their configured names. */
import type { SynchronizationSettings } from "@tiphys/model/api";
import { checkTableName } from "../database/mod.ts";

/** A row of a claim that holds a lock or waits for it. */
export interface StateRow {
  /** `sem/NS/KEY` or `mtx/NS/NAME`. */
  name: string;
  /** The holder's key: `NS/WORKFLOW`, or `NS/WORKFLOW/NODE`. */
  workflowkey: string;
  controller: string;
  held: boolean;
  priority: number;
  /** The creation time of the workflow, in UTC as `2026-11-23 04:05:06`. */
  time: string;
}

/** All tables, by their default names. */
export interface LockTables {
  /** Maximum number of holders of a semaphore, whose name is `NS/KEY`. A row without a number pauses the semaphore. */
  sync_limit: { name: string; sizelimit: number | null };
  sync_state: StateRow;
  /** The time of a controller's last heartbeat. */
  sync_controller: { controller: string; time: string };
  /** The controller that decides about a lock at the moment. */
  sync_lock: { name: string; controller: string; time: string };
}

/** The configured names of the tables. Queries are typed with the default names. */
export interface TableNames {
  readonly limit: "sync_limit";
  readonly state: "sync_state";
  readonly controller: "sync_controller";
  readonly lock: "sync_lock";
}

/**
 * Returns the configured names, or the default ones.
 * @throws {UserError} for an invalid table name.
 */
export function tableNames(settings: SynchronizationSettings): TableNames {
  const named = <Usual extends string>(field: keyof SynchronizationSettings, defaultValue: Usual): Usual =>
    checkTableName(`synchronization: ${field}`, String(settings[field] || defaultValue)) as Usual;
  return {
    limit: named("limitTableName", "sync_limit"),
    state: named("stateTableName", "sync_state"),
    controller: named("controllerTableName", "sync_controller"),
    lock: named("lockTableName", "sync_lock"),
  };
}
