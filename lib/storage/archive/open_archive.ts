/** Opens the archive of the settings. */
import type { PersistenceSettings } from "@tiphys/model/api";
import type { Clock } from "@tiphys/base/clock";
import { openDatabase } from "../database/mod.ts";
import type { Log } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import { OffloadedNodes } from "./offloaded_nodes.ts";
import { prepareArchive } from "./schema.ts";
import { type BeforeDelete, WorkflowArchive } from "./workflow_archive.ts";

/** The dependencies of an archive. */
export interface ArchiveEnvironment {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the value of a key of a Secret in the controller's namespace. */
  secret(name: string, key: string): Promise<string>;
  readonly instanceId?: string | undefined;
  readonly managedNamespace?: string | undefined;
  readonly beforeDelete?: BeforeDelete | undefined;
}

/** The table of offloaded nodes in SQLite files, which the settings need not name. */
const DEFAULT_TABLE = "argo_workflows";

/** An archive with its own database connection. */
export class OpenArchive extends WorkflowArchive implements AsyncDisposable {
  readonly #close: () => PromiseLike<void>;
  /** The offloaded nodes of large workflows. */
  readonly nodes: OffloadedNodes;

  private constructor(
    close: () => PromiseLike<void>,
    nodes: OffloadedNodes,
    ...rest: ConstructorParameters<typeof WorkflowArchive>
  ) {
    super(...rest);
    this.nodes = nodes;
    this.#close = close;
  }

  /**
   * Connects, and creates missing tables.
   * @throws {UserError} when the settings or the tables are invalid.
   * @throws {DatabaseError}
   */
  static async open(settings: PersistenceSettings, world: ArchiveEnvironment): Promise<OpenArchive> {
    const { skipMigration } = settings;
    const clusterName = settings.clusterName || "default";
    const { log, instanceId, managedNamespace } = world;
    const tableName = tableOf(settings);
    const database = openDatabase(settings, world);
    try {
      await prepareArchive(database, { tableName, clusterName, skipMigration, log });
    } catch (error) {
      await database[Symbol.asyncDispose]();
      throw error;
    }
    const scope = { clusterName, instanceId, managedNamespace };
    const nodes = new OffloadedNodes(database, { clusterName, tableName });
    return new OpenArchive(() => database[Symbol.asyncDispose](), nodes, database, scope, world.beforeDelete);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}

function tableOf({ postgresql, mysql, sqlite }: PersistenceSettings): string {
  const tableName = postgresql ? postgresql.tableName : mysql ? mysql.tableName : sqlite?.tableName || DEFAULT_TABLE;
  if (!tableName) throw new UserError("persistence: TableName is empty");
  return tableName;
}
