/**
 * Locks whose holders are rows of a database. Requests to the database run one after the other: first releases, then
 * one round for all waiting claims.
 */
import type { SynchronizationSettings } from "@tiphys/model/api";
import type { KubeClient } from "@tiphys/kube";
import { secretValue } from "@tiphys/kube/stored_settings";
import type { LockClaimant, LockEnvironment, LockRow, Outcome } from "@tiphys/storage/lock_database";
import { type Claim, isInDatabase, type LockTable, rowNameOf } from "@tiphys/engine/lock_table";
import type { Log } from "@tiphys/base/log";
import type { Clock } from "../../loop/clock.ts";

/** A database of locks, as the controller uses it; `lib/storage/lock_database` documents its methods. */
export interface SharedLocks extends AsyncDisposable {
  begin(): Promise<readonly LockRow[]>;
  listOwnHolds(): Promise<readonly LockRow[]>;
  requestLocks(askers: readonly LockClaimant[]): Promise<readonly Outcome[]>;
  release(holds: readonly LockRow[]): Promise<void>;
  deleteWaiting(): Promise<void>;
}

/** Options of a database of locks that controllers share. */
export interface LockDatabaseOptions {
  /** Opens the database of the settings; its driver is loaded here. */
  readonly open: (settings: SynchronizationSettings, world: LockEnvironment) => Promise<SharedLocks>;
  /** The key `synchronization`; called each time until the database is open. */
  readonly settings: () => SynchronizationSettings | undefined;
  /** The controller's own namespace, where its secrets are. */
  readonly ownNamespace: string;
  /** Whether the database is opened at the start, and not when a workflow first needs it. */
  readonly opensAtStart: boolean;
}

/** The lock table, and the options that connect it to the database. */
export interface DatabaseLocksOptions extends LockDatabaseOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly table: LockTable;
  /** Changes the table, and notifies all workflows whose answers changed. */
  readonly applyChange: (change: () => void) => void;
}

/** The default time between two rounds in seconds, which is Argo's. */
const POLL_SECONDS = 10;

/** The delay before the next attempt if another controller decides about the lock, in milliseconds. */
const BUSY_MILLIS = 100;

/** The locks of the database. */
export class DatabaseLocks {
  readonly #options: DatabaseLocksOptions;
  #opened: SharedLocks | undefined;
  #releases: LockRow[] = [];
  /** Claims that statuses recorded when the controller started: the database must have them. */
  #unverified: readonly Claim[] = [];
  /** Whether own rows that nothing needs have to be deleted. */
  #isSweepDue = false;
  #work: Promise<void> | undefined;
  /** Whether a request was made while another was in progress. */
  #isAskedAgain = false;
  #next: { readonly at: number; readonly stop: () => void } | undefined;
  #isClosed = false;
  /** The error that was logged last. */
  #lastLogged: string | undefined;

  constructor(options: DatabaseLocksOptions) {
    this.#options = options;
  }

  /** Whether the settings name a database. */
  get isSetUp(): boolean {
    const settings = this.#options.settings();
    return Boolean(settings?.postgresql ?? settings?.mysql ?? settings?.sqlite);
  }

  /** Starts once the holds of all statuses are in the table. */
  begin(): void {
    this.#unverified = [...this.#options.table.databaseClaims()];
    const { opensAtStart, log } = this.#options;
    if (!this.isSetUp) {
      if (this.#unverified.length > 0) log.warn("Workflows hold locks of a database, but no database is configured");
      return;
    }
    if (opensAtStart || this.#unverified.length > 0) this.#start(true);
  }

  /** Deletes unneeded rows of this controller, once all claims from before the start are known. */
  sweep(): void {
    if (!this.#opened && !this.#work) return;
    this.#isSweepDue = true;
    this.#start();
  }

  /** Handles a claim that left the table. */
  removeClaim(claim: Claim): void {
    this.#releases.push(...rowsOf(claim));
    this.#options.table.retryDatabaseRequests();
    this.requestLocks();
  }

  /** Requests locks if the changed table needs some. */
  requestLocks(): void {
    if (!this.#options.table.hasDatabaseRequests && this.#releases.length === 0) return;
    if (this.#work) this.#isAskedAgain = true;
    else this.#start();
  }

  /** Stops waiting and closes the database. Held locks stay held. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#next?.stop();
    await this.#work;
    const shared = this.#opened;
    if (!shared) return;
    try {
      await shared.release(this.#releases);
      await shared.deleteWaiting();
    } catch (error) {
      this.#options.log.warn("Could not release the locks of the database at shutdown", { error: String(error) });
    }
    await shared[Symbol.asyncDispose]();
  }

  #start(isForced = false): void {
    if (this.#work || this.#isClosed || !this.isSetUp) return;
    this.#work = this.#run(isForced).then((isDone) => {
      this.#work = undefined;
      if (isDone && this.#isAskedAgain) this.#start();
      else this.#wait();
    });
  }

  /** Runs until there is nothing to do now; returns false after an error. */
  async #run(isForced: boolean): Promise<boolean> {
    for (let isFirst = isForced;; isFirst = false) {
      this.#isAskedAgain = false;
      const claims = this.#options.table.takeDatabaseRequests();
      const isDue = isFirst || claims.length > 0 || this.#releases.length > 0 || this.#isSweepDue;
      if (!isDue || this.#isClosed) return true;
      try {
        const shared = await this.#open();
        await this.#deleteReleased(shared);
        await this.#sweepOnce(shared);
        if (claims.length > 0) await this.#request(shared, claims);
        this.#lastLogged = undefined;
      } catch (error) {
        this.#options.applyChange(() => this.#fail(claims, error));
        return false;
      }
    }
  }

  async #open(): Promise<SharedLocks> {
    if (this.#opened) return this.#opened;
    const { open, settings, client, clock, log, ownNamespace: namespace } = this.#options;
    const secret = (name: string, key: string) =>
      secretValue(client, { namespace, name, key, setting: "synchronization" });
    const shared = await open(settings() ?? {}, { clock, log, secret });
    let holds: readonly LockRow[];
    try {
      holds = await shared.begin();
    } catch (error) {
      await shared[Symbol.asyncDispose]();
      throw error;
    }
    this.#opened = shared;
    const known = new Set(holds.map(rowId));
    this.#options.applyChange(() => {
      for (const claim of this.#unverified) this.#verify(claim, known);
      this.#unverified = [];
    });
    return shared;
  }

  #verify(claim: Claim, rowIds: ReadonlySet<string>): void {
    for (const item of claim.locks.filter(isInDatabase)) {
      const name = rowNameOf(item);
      if (rowIds.has(rowId({ name, key: claim.key }))) continue;
      const message = "Failed to re-establish synchronization lock at controller startup: could not re-establish " +
        `${item.type} "${item.key}" at controller startup: hold on ${name} for ${claim.key} is not present in the database`;
      return this.#options.table.markLost(claim, message);
    }
  }

  async #deleteReleased(shared: SharedLocks): Promise<void> {
    // A copy, because releases that are added during the request stay for the next time.
    const releases = [...this.#releases];
    if (releases.length === 0) return;
    await shared.release(releases);
    this.#releases = this.#releases.slice(releases.length);
  }

  async #sweepOnce(shared: SharedLocks): Promise<void> {
    if (!this.#isSweepDue) return;
    const holds = await shared.listOwnHolds();
    this.#isSweepDue = false;
    const needed = new Set([...this.#options.table.databaseClaims()].flatMap(rowsOf).map(rowId));
    const surplus = holds.filter((hold) => !needed.has(rowId(hold)));
    if (surplus.length === 0) return;
    this.#options.log.warn("Releasing unused locks", { count: surplus.length });
    await shared.release(surplus);
  }

  async #request(shared: SharedLocks, claims: readonly Claim[]): Promise<void> {
    const outcomes = await shared.requestLocks(claims.map(claimantOf));
    this.#options.applyChange(() => {
      for (const [index, outcome] of outcomes.entries()) {
        if (!this.#releaseIfGone(claims[index]!)) this.#applyOutcome(claims[index]!, outcome);
      }
    });
  }

  /**
   * Deletes the rows of a claim that left the table during the request: the round may have written them after their
   * release. Rows that the node's present claim needs stay. Returns whether the claim left.
   */
  #releaseIfGone(claim: Claim): boolean {
    const current = this.#options.table.claimOf(claim.workflow, claim.nodeId);
    if (current === claim) return false;
    const needed = new Set(current && rowsOf(current).map(rowId));
    this.#releases.push(...rowsOf(claim).filter((row) => !needed.has(rowId(row))));
    return true;
  }

  #applyOutcome(claim: Claim, outcome: Outcome): void {
    const { table } = this.#options;
    switch (outcome.kind) {
      case "granted":
        if (!table.databaseGranted(claim)) this.#releases.push(...rowsOf(claim));
        return;
      case "refused":
        return table.databaseRefused(claim, outcome);
      case "failed":
        this.#releases.push(...rowsOf(claim));
        return table.databaseRefused(claim, { failed: outcome.message });
      case "busy":
        this.#scheduleIn(BUSY_MILLIS);
    }
  }

  #fail(claims: readonly Claim[], error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (this.#lastLogged !== reason) {
      this.#options.log.warn("Locks of the database are not available", { error: reason });
    }
    this.#lastLogged = reason;
    const trouble = `synchronization database session is not available: ${reason}`;
    for (const claim of claims) {
      if (!this.#releaseIfGone(claim)) this.#options.table.databaseRefused(claim, { trouble });
    }
  }

  /** Schedules the next round while a claim waits: the holder may belong to another controller. */
  #wait(): void {
    const isWaiting = this.#releases.length > 0 || this.#unverified.length > 0 || this.#isSweepDue ||
      [...this.#options.table.databaseClaims()].some(({ answer }) =>
        answer.kind !== "held" && answer.kind !== "failed"
      );
    if (isWaiting) this.#scheduleIn((this.#options.settings()?.pollSeconds || POLL_SECONDS) * 1000);
  }

  #scheduleIn(millis: number): void {
    const { clock, table } = this.#options;
    const time = clock.now() + millis;
    if (this.#isClosed || (this.#next && this.#next.at <= time)) return;
    this.#next?.stop();
    const stop = clock.after(millis, () => {
      this.#next = undefined;
      table.retryDatabaseRequests();
      this.#start(true);
    });
    this.#next = { at: time, stop };
  }
}

/** The rows of a claim: one for each of its locks in the database. */
function rowsOf({ key, locks }: Claim): LockRow[] {
  return locks.filter(isInDatabase).map((item) => ({ name: rowNameOf(item), key }));
}

function rowId({ name, key }: LockRow): string {
  return `${name} ${key}`;
}

function claimantOf({ key, locks, precedence: { priority, created } }: Claim): LockClaimant {
  return { key, locks: locks.filter(isInDatabase), priority, created };
}
