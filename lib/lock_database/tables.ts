/** The tables of locks as queries see them, and the names that settings give them. */
import type { SynchronizationSettings } from "../api/mod.ts";
import { checkTableName } from "../database/mod.ts";

/** A row of a holder of a lock, or of one that waits for it. */
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

/** All tables, by their usual names. */
export interface LockTables {
  /** The number of holders that a semaphore may have; its name is `NS/KEY`. A row without a number is a pause. */
  sync_limit: { name: string; sizelimit: number | null };
  sync_state: StateRow;
  /** The time at which a controller was heard of last. */
  sync_controller: { controller: string; time: string };
  /** The controller that decides about a lock right now. */
  sync_lock: { name: string; controller: string; time: string };
}

/** The names that the tables have; queries are typed by the usual ones. */
export interface TableNames {
  readonly limit: "sync_limit";
  readonly state: "sync_state";
  readonly controller: "sync_controller";
  readonly lock: "sync_lock";
}

/**
 * The names of the settings, or the usual ones.
 * @throws {UserError} for what is no name of a table.
 */
export function tableNames(settings: SynchronizationSettings): TableNames {
  const named = <Usual extends string>(field: keyof SynchronizationSettings, usual: Usual): Usual =>
    checkTableName(`synchronization: ${field}`, String(settings[field] || usual)) as Usual;
  return {
    limit: named("limitTableName", "sync_limit"),
    state: named("stateTableName", "sync_state"),
    controller: named("controllerTableName", "sync_controller"),
    lock: named("lockTableName", "sync_lock"),
  };
}
