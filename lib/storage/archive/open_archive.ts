/** Opens the archive that the settings name. */
import type { PersistenceSettings } from "@tiphys/model/api";
import type { Clock } from "@tiphys/base/clock";
import { openDatabase } from "../database/mod.ts";
import type { Log } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import { OffloadedNodes } from "./offloaded_nodes.ts";
import { prepareArchive } from "./schema.ts";
import { type BeforeDelete, WorkflowArchive } from "./workflow_archive.ts";

/** The clock, log, secrets and names that an archive needs from outside. */
export interface ArchiveWorld {
  readonly clock: Clock;
  readonly log: Log;
  /** The value of a key of a Secret in the controller's namespace. */
  secret(name: string, key: string): Promise<string>;
  readonly instanceId?: string | undefined;
  readonly managedNamespace?: string | undefined;
  readonly beforeDelete?: BeforeDelete | undefined;
}

/** The table of offloaded nodes of a file of ours, which nobody need name. */
const USUAL_TABLE = "argo_workflows";

/** An archive that has its database to itself. */
export class OpenArchive extends WorkflowArchive implements AsyncDisposable {
  readonly #close: () => PromiseLike<void>;
  /** The nodes that workflows have no room for. */
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
   * Connects, and makes the tables where there are none.
   * @throws {UserError} when the settings or the tables are not as they have to be.
   * @throws {DatabaseError}
   */
  static async open(settings: PersistenceSettings, world: ArchiveWorld): Promise<OpenArchive> {
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
  const tableName = postgresql ? postgresql.tableName : mysql ? mysql.tableName : sqlite?.tableName || USUAL_TABLE;
  if (!tableName) throw new UserError("persistence: TableName is empty");
  return tableName;
}
