/**
 * The locks of a database, used by one controller. A round is one transaction that holds rows of `sync_lock`: until it
 * ends, no other controller decides about those locks. If a controller dies, the transaction leaves no rows behind.
 */
import type { Kysely } from "kysely";
import type { Clock } from "@tiphys/base/clock";
import { type Database, DatabaseError, storedTime } from "../database/mod.ts";
import { rowNameOf } from "@tiphys/engine/lock_table";
import type { Log } from "@tiphys/base/log";
import { decideRound, type LockClaimant, type LockRows, type Outcome, type QueuedClaim } from "./round.ts";
import type { LockTables, StateRow, TableNames } from "./tables.ts";

/** A row of a lock that a claim holds or waits for. */
export interface LockRow {
  /** `sem/NS/KEY` or `mtx/NS/NAME`. */
  readonly name: string;
  /** The key of the holder. */
  readonly key: string;
}

/** The database, its tables, and the controller. */
export interface LockDatabaseOptions {
  readonly database: Database;
  readonly names: TableNames;
  readonly clock: Clock;
  readonly log: Log;
  /** The unique name of the controller. */
  readonly controller: string;
  readonly heartbeatMillis: number;
  /** Time without a heartbeat after which a controller's waiting rows are ignored. */
  readonly inactiveMillis: number;
}

/** Maximum number of rows per statement. */
const BATCH = 200;

/** Maximum number of rows of a queue that are read. A claim behind them cannot be next. */
const MAX_QUEUED = 1000;

/** The locks of a database. Database errors are `DatabaseError`s. */
export class LockDatabase {
  readonly #options: LockDatabaseOptions;
  /** Our rows that are known to exist, by name and key. */
  readonly #rows = new Set<string>();
  /** The most recently read limits, by lock name. */
  readonly #limits = new Map<string, number>();
  /** Time of the last heartbeat, in milliseconds since the epoch. */
  #beatAt = 0;

  constructor(options: LockDatabaseOptions) {
    this.#options = options;
  }

  /** Starts: drops rows of an earlier process that wait, and returns the rows that this controller holds. */
  async begin(): Promise<LockRow[]> {
    await this.#writeHeartbeat();
    await this.deleteWaiting();
    return await this.listOwnHolds();
  }

  /** Returns the rows that this controller holds. */
  async listOwnHolds(): Promise<LockRow[]> {
    const { database, names, controller } = this.#options;
    const rows = await database.query<LockTables, Pick<StateRow, "name" | "workflowkey">[]>((db) =>
      db.selectFrom(names.state).select(["name", "workflowkey"]).where("controller", "=", controller)
        .where("held", "=", true).execute()
    );
    return rows.map(({ name, workflowkey }) => ({ name, key: workflowkey }));
  }

  /** Writes a heartbeat if the last one is old enough. */
  async writeHeartbeatIfDue(): Promise<void> {
    const { clock, log, heartbeatMillis, inactiveMillis } = this.#options;
    const silence = clock.now() - this.#beatAt;
    if (silence < heartbeatMillis) return;
    if (this.#beatAt > 0 && silence >= inactiveMillis) {
      log.warn(
        "The controller's heartbeat in the lock database is late: other controllers may have been served first",
        {
          seconds: Math.round(silence / 1000),
        },
      );
    }
    await this.#writeHeartbeat();
  }

  /** Deletes all rows of this controller that wait. */
  async deleteWaiting(): Promise<void> {
    const { database, names, controller } = this.#options;
    await database.query<LockTables, unknown>((db) =>
      db.deleteFrom(names.state).where("controller", "=", controller).where("held", "=", false).execute()
    );
    this.#rows.clear();
  }

  /** Deletes rows of holders and waiting claims. Missing rows are ignored. */
  async release(holds: readonly LockRow[]): Promise<void> {
    const { database, names, controller } = this.#options;
    for (const [name, keys] of keysByName(holds)) {
      for (let from = 0; from < keys.length; from += BATCH) {
        await database.query<LockTables, unknown>((db) =>
          db.deleteFrom(names.state).where("controller", "=", controller).where("name", "=", name)
            .where("workflowkey", "in", keys.slice(from, from + BATCH)).execute()
        );
      }
    }
    for (const hold of holds) this.#rows.delete(rowId(hold));
  }

  /** Requests locks for claimants, in the order in which they are to be served. */
  async requestLocks(claimants: readonly LockClaimant[]): Promise<readonly Outcome[]> {
    if (claimants.length === 0) return [];
    await this.writeHeartbeatIfDue();
    const { database } = this.#options;
    const places = claimants.flatMap(({ key, locks }) => locks.map((item) => ({ name: rowNameOf(item), key })));
    try {
      const outcomes = await database.transaction<LockTables, readonly Outcome[]>(
        (tx) => this.#decide(tx, claimants),
        { isolation: "serializable" },
      );
      outcomes.forEach(({ kind }, index) => {
        if (kind === "failed" || kind === "busy") return;
        for (const item of claimants[index]!.locks) {
          this.#rows.add(rowId({ name: rowNameOf(item), key: claimants[index]!.key }));
        }
      });
      return outcomes;
    } catch (error) {
      // It is unknown which of these rows exist, so they are looked up again.
      for (const place of places) this.#rows.delete(rowId(place));
      if (error instanceof DatabaseError && error.sort === "duplicate") return claimants.map(() => ({ kind: "busy" }));
      throw error;
    }
  }

  async #decide(tx: Kysely<LockTables>, claimants: readonly LockClaimant[]): Promise<readonly Outcome[]> {
    const { names, controller } = this.#options;
    const items = new Map(claimants.flatMap(({ locks }) => locks.map((item) => [rowNameOf(item), item])));
    // Sorted, so that two controllers cannot deadlock.
    const wanted = [...items.keys()].sort();
    const active = await this.#activeControllers(tx);
    const busy = await this.#lock(tx, wanted, active);
    await this.#queue(tx, claimants, busy);
    const limits = await this.#limitsOf(tx, wanted.filter((name) => items.get(name)!.type === "semaphore"));
    const rows = new Map<string, LockRows>();
    for (const name of wanted) {
      const isBusy = busy.has(name);
      const limit = items.get(name)!.type === "mutex" ? 1 : limits.get(name);
      const state = isBusy ? { holders: [], queue: [] } : await this.#stateOf(tx, name, active);
      rows.set(name, { limit, isBusy, ...state });
    }
    const outcomes = decideRound(claimants, rows, controller);
    for (const [index, outcome] of outcomes.entries()) {
      const { key, locks } = claimants[index]!;
      for (const name of outcome.kind === "granted" ? locks.map(rowNameOf) : []) {
        if (rows.get(name)!.holders.some((holder) => holder.key === key && holder.controller === controller)) continue;
        const { numUpdatedRows } = await tx.updateTable(names.state).set({ held: true }).where("name", "=", name)
          .where("workflowkey", "=", key).where("controller", "=", controller).executeTakeFirst();
        // The row was deleted by someone else. Without it, the lock would have no holder.
        if (numUpdatedRows > 0n) continue;
        await tx.insertInto(names.state).values({ ...this.#rowOf(claimants[index]!, name), held: true }).execute();
      }
    }
    await tx.deleteFrom(names.lock).where("controller", "=", controller).where("name", "in", wanted).execute();
    return outcomes;
  }

  /** Returns the controllers with a recent heartbeat, including this one. */
  async #activeControllers(tx: Kysely<LockTables>): Promise<ReadonlySet<string>> {
    const { names, clock, controller, inactiveMillis } = this.#options;
    const since = storedTime(clock.now() - inactiveMillis);
    const rows = await tx.selectFrom(names.controller).select("controller").where("time", ">", since).execute();
    return new Set([controller, ...rows.map((row) => row.controller)]);
  }

  /** Acquires exclusive access to locks until the end of the transaction. Returns the locks that it could not get. */
  async #lock(
    tx: Kysely<LockTables>,
    semaphores: readonly string[],
    active: ReadonlySet<string>,
  ): Promise<ReadonlySet<string>> {
    const { names, clock, controller } = this.#options;
    const time = storedTime(clock.now());
    const busy = new Set<string>();
    const found = await tx.selectFrom(names.lock).select(["name", "controller"]).where("name", "in", semaphores)
      .execute();
    for (const row of found) {
      if (row.controller !== controller && active.has(row.controller)) busy.add(row.name);
      // Its controller died, or the row is from before our start.
      else {
        await tx.deleteFrom(names.lock).where("name", "=", row.name).where("controller", "=", row.controller).execute();
      }
    }
    for (const name of semaphores) {
      if (!busy.has(name)) await tx.insertInto(names.lock).values({ name, controller, time }).execute();
    }
    return busy;
  }

  /** Adds new claimants to the queues of their locks. */
  async #queue(tx: Kysely<LockTables>, claimants: readonly LockClaimant[], busy: ReadonlySet<string>): Promise<void> {
    const { database: { engine }, names } = this.#options;
    const fresh = claimants.flatMap((claimant) =>
      claimant.locks.map(rowNameOf)
        .filter((name) => !busy.has(name) && !this.#rows.has(rowId({ name, key: claimant.key })))
        .map((name) => this.#rowOf(claimant, name))
    );
    for (let from = 0; from < fresh.length; from += BATCH) {
      const rows = tx.insertInto(names.state).values(fresh.slice(from, from + BATCH));
      await (engine === "mysql" ? rows.ignore() : rows.onConflict((conflict) => conflict.doNothing())).execute();
    }
  }

  #rowOf({ key, priority, created }: LockClaimant, name: string): StateRow {
    const { controller } = this.#options;
    const time = storedTime(Date.parse(created) || 0);
    return { name, workflowkey: key, controller, held: false, priority, time };
  }

  /** Returns the limits of semaphores by lock name: the current ones, or the last known ones. */
  async #limitsOf(tx: Kysely<LockTables>, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (names.length === 0) return this.#limits;
    const plain = names.map((name) => name.slice("sem/".length));
    const rows = await tx.selectFrom(this.#options.names.limit).selectAll().where("name", "in", plain).execute();
    for (const { name, sizelimit } of rows) this.#limits.set(`sem/${name}`, Number(sizelimit ?? 0));
    return this.#limits;
  }

  async #stateOf(
    tx: Kysely<LockTables>,
    name: string,
    active: ReadonlySet<string>,
  ): Promise<Pick<LockRows, "holders" | "queue">> {
    const { names } = this.#options;
    const held = await tx.selectFrom(names.state).select(["workflowkey", "controller"]).where("name", "=", name)
      .where("held", "=", true).orderBy("workflowkey").execute();
    const waiting = await tx.selectFrom(names.state).select(["workflowkey", "controller", "priority", "time"])
      .where("name", "=", name).where("held", "=", false).where("controller", "in", [...active])
      .orderBy("priority", "desc").orderBy("time").orderBy("workflowkey").limit(MAX_QUEUED).execute();
    const queue = waiting.map(({ workflowkey, controller, priority, time }): QueuedClaim => (
      { key: workflowkey, controller, priority: Number(priority), time: String(time) }
    ));
    return { holders: held.map(({ workflowkey, controller }) => ({ key: workflowkey, controller })), queue };
  }

  async #writeHeartbeat(): Promise<void> {
    const { database, names, clock, controller } = this.#options;
    const now = clock.now();
    const time = storedTime(now);
    await database.transaction<LockTables, void>(async (tx) => {
      await tx.deleteFrom(names.controller).where("controller", "=", controller).execute();
      await tx.insertInto(names.controller).values({ controller, time }).execute();
    });
    this.#beatAt = now;
    // Other controllers may have deleted rows of ours. Forgetting them here recreates them.
    this.#rows.clear();
  }
}

function rowId({ name, key }: LockRow): string {
  return `${name} ${key}`;
}

function keysByName(holds: readonly LockRow[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { name, key } of holds) found.set(name, [...found.get(name) ?? [], key]);
  return found;
}
