/** The server's access to semaphore limits in a database. */
import type { SynchronizationSettings } from "@tiphys/model/api";
import { systemClock } from "@tiphys/base/clock";
import type { Log } from "@tiphys/base/log";
import type { LimitStorage } from "@tiphys/storage/sync_limits";
import { DatabaseSource } from "../database/database_source.ts";

/** The settings of the database of locks, and the dependencies to open it. */
export interface LimitSourceOptions {
  readonly settings: SynchronizationSettings;
  readonly log: Log;
  /** Returns the value of a key of a Secret in the server's namespace. */
  secret(name: string, key: string): Promise<string>;
}

/** The limits in the configured database. The controller creates its tables. */
export class LimitSource extends DatabaseSource<LimitStorage & AsyncDisposable> implements LimitStorage {
  readonly create: LimitStorage["create"] = (limit) => this.query((limits) => limits.create(limit));
  readonly get: LimitStorage["get"] = (name) => this.query((limits) => limits.get(name));
  readonly update: LimitStorage["update"] = (limit) => this.query((limits) => limits.update(limit));
  readonly delete: LimitStorage["delete"] = (name) => this.query((limits) => limits.delete(name));

  constructor(options: LimitSourceOptions) {
    const { settings, log } = options;
    super({
      what: "database of locks",
      log,
      async open() {
        const { OpenLimits } = await import("@tiphys/storage/lock_database");
        const secret = (name: string, key: string) => options.secret(name, key);
        return await OpenLimits.open({ ...settings, skipMigration: true }, { clock: systemClock, log, secret });
      },
    });
  }
}
