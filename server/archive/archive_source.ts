/** The server's connection to the archive. */
import type { PersistenceSettings } from "@tiphys/model/api";
import type { BeforeDelete, OpenArchive } from "@tiphys/storage/archive";
import { systemClock } from "@tiphys/base/clock";
import type { Log } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import { DatabaseSource } from "../database/database_source.ts";
import { CODE, WireError } from "../wire/errors.ts";

/** The settings of the archive, and the dependencies to open it. */
export interface ArchiveSourceOptions {
  readonly settings: PersistenceSettings;
  readonly log: Log;
  /** Reads a key of a Secret in the server's namespace. */
  secret(name: string, key: string): Promise<string>;
  readonly instanceId?: string | undefined;
  readonly managedNamespace?: string | undefined;
  readonly now?: (() => number) | undefined;
  /** Deletes data outside of the database (logs) before a workflow's row is deleted. */
  readonly beforeDelete?: BeforeDelete | undefined;
}

/** A configured archive, opened on demand. */
export class ArchiveSource extends DatabaseSource<OpenArchive> {
  /** Whether the nodes of large workflows are offloaded to the database. Offloaded nodes are read in any case. */
  readonly takesNodes: boolean;

  constructor(options: ArchiveSourceOptions) {
    const { settings, log, instanceId, managedNamespace, now } = options;
    super({
      what: "archive of workflows",
      log,
      now,
      async open() {
        const { OpenArchive } = await import("@tiphys/storage/archive");
        // The controller creates the tables; the server only reads them.
        return await OpenArchive.open({ ...settings, skipMigration: true }, {
          clock: systemClock,
          log,
          secret: (name, key) => options.secret(name, key),
          instanceId,
          managedNamespace,
          beforeDelete: options.beforeDelete && withStoreErrors(options.beforeDelete),
        });
      },
    });
    this.takesNodes = settings.nodeStatusOffLoad === true;
  }
}

/**
 * Converts errors of an artifact store into an error of this request, so that they do not count as a database outage.
 */
function withStoreErrors(act: BeforeDelete): BeforeDelete {
  return async (workflow, archive) => {
    try {
      await act(workflow, archive);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const message = `failed to delete the logs of the workflow, which is kept: ${error.message}`;
      throw new WireError(CODE.unavailable, message, { cause: error });
    }
  };
}
