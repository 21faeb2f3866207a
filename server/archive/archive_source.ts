/** The archive as the server reaches it. */
import type { PersistenceSettings } from "../../lib/api/mod.ts";
import type { BeforeDelete, OpenArchive } from "../../lib/archive/mod.ts";
import { systemClock } from "../../lib/clock/mod.ts";
import type { Log } from "../../lib/log.ts";
import { UserError } from "../../lib/user_error.ts";
import { DatabaseSource } from "../database/database_source.ts";
import { CODE, WireError } from "../wire/errors.ts";

/** The settings of an archive, and what it takes to open it. */
export interface ArchiveSourceOptions {
  readonly settings: PersistenceSettings;
  readonly log: Log;
  /** The value of a key of a Secret in the server's namespace. */
  secret(name: string, key: string): Promise<string>;
  readonly instanceId?: string | undefined;
  readonly managedNamespace?: string | undefined;
  readonly now?: (() => number) | undefined;
  /** Does away with what lies elsewhere of a workflow whose row is deleted. */
  readonly beforeDelete?: BeforeDelete | undefined;
}

/** An archive that somebody set up. */
export class ArchiveSource extends DatabaseSource<OpenArchive> {
  /** Whether nodes that workflows have no room for are to lie there; those that do are read in any case. */
  readonly takesNodes: boolean;

  constructor(options: ArchiveSourceOptions) {
    const { settings, log, instanceId, managedNamespace, now } = options;
    super({
      what: "archive of workflows",
      log,
      now,
      async open() {
        const { OpenArchive } = await import("../../lib/archive/mod.ts");
        // The controller makes the tables; a server only looks into them.
        return await OpenArchive.open({ ...settings, skipMigration: true }, {
          clock: systemClock,
          log,
          secret: (name, key) => options.secret(name, key),
          instanceId,
          managedNamespace,
          beforeDelete: options.beforeDelete && toldAsTheirs(options.beforeDelete),
        });
      },
    });
    this.takesNodes = settings.nodeStatusOffLoad === true;
  }
}

/** What fails of a store is no trouble of the database, which others go on asking. */
function toldAsTheirs(act: BeforeDelete): BeforeDelete {
  return async (workflow, archive) => {
    try {
      await act(workflow, archive);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const message = `the logs of the workflow could not be deleted, and it stays: ${error.message}`;
      throw new WireError(CODE.unavailable, message, { cause: error });
    }
  };
}
