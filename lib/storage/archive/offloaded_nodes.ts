/** Offloaded nodes of large workflows, in rows that `status.offloadNodeStatusVersion` refers to. */
import type { Expression, SqlBool } from "kysely";
import { type Database, storedTime } from "../database/mod.ts";
import { isExactly } from "./exact_text.ts";
import { fromStoredJson, toStoredText } from "./stored_json.ts";

/** One version of a workflow's nodes. */
export interface OffloadedVersion {
  readonly uid: string;
  readonly version: string;
  readonly namespace: string;
}

/** A row of the table, whose name is configurable. */
interface Row extends OffloadedVersion {
  readonly clustername: string;
  /** A JSON object by node ID. */
  readonly nodes: string;
  readonly updatedat: string;
}

/** Maximum number of rows per list. */
const BATCH = 500;

/** The table of nodes of a cluster. All errors of its database are `DatabaseError`. */
export class OffloadedNodes {
  readonly #database: Database;
  readonly #clusterName: string;
  readonly #tableName: string;

  constructor(database: Database, { clusterName, tableName }: { clusterName: string; tableName: string }) {
    this.#database = database;
    this.#clusterName = clusterName;
    this.#tableName = tableName;
  }

  /** Returns the condition of this cluster's rows. */
  #ownRowsCondition(): Expression<SqlBool> {
    return isExactly(this.#database.engine, "clustername", [this.#clusterName]);
  }

  /** Stores the JSON of nodes; replaces a row of the same version, which has the same nodes or is unused. */
  async save({ uid, version, namespace }: OffloadedVersion, json: string, now: Date): Promise<void> {
    const row: Row = {
      clustername: this.#clusterName,
      uid,
      version,
      namespace,
      nodes: toStoredText(this.#database.engine, json),
      updatedat: storedTime(now.getTime()),
    };
    await this.#database.transaction<Record<string, Row>, void>(async (tx) => {
      await tx.deleteFrom(this.#tableName).where(this.#ownRowsCondition()).where("uid", "=", uid)
        .where("version", "=", version).execute();
      await tx.insertInto(this.#tableName).values(row).execute();
    });
  }

  /** Returns the nodes of a version by ID; undefined if it does not exist. */
  async load({ uid, version }: Pick<OffloadedVersion, "uid" | "version">): Promise<unknown> {
    const row = await this.#database.query<Record<string, Row>, { readonly nodes: string } | undefined>((db) =>
      db.selectFrom(this.#tableName).select("nodes").where(this.#ownRowsCondition())
        .where("uid", "=", uid).where("version", "=", version).executeTakeFirst()
    );
    return row && fromStoredJson(this.#database.engine, row.nodes);
  }

  /** Returns versions stored before `time`, starting after `after`, ordered by UID and version; at most one batch. */
  async listOlderThan(
    time: Date,
    after?: Pick<OffloadedVersion, "uid" | "version">,
  ): Promise<readonly OffloadedVersion[]> {
    const rows = await this.#database.query<Record<string, Row>, OffloadedVersion[]>((db) => {
      const old = db.selectFrom(this.#tableName).select(["uid", "version", "namespace"])
        .where(this.#ownRowsCondition()).where("updatedat", "<", storedTime(time.getTime()))
        .orderBy("uid").orderBy("version").limit(BATCH);
      if (!after) return old.execute();
      return old.where((eb) =>
        eb.or([eb("uid", ">", after.uid), eb.and([eb("uid", "=", after.uid), eb("version", ">", after.version)])])
      ).execute();
    });
    return rows.map(({ uid, version, namespace }) => ({ uid, version, namespace }));
  }

  /** Deletes versions unless they were stored again since `time`. */
  async delete(versions: readonly OffloadedVersion[], time: Date): Promise<void> {
    for (const { uid, version } of versions) {
      await this.#database.query<Record<string, Row>, unknown>((db) =>
        db.deleteFrom(this.#tableName).where(this.#ownRowsCondition()).where("uid", "=", uid)
          .where("version", "=", version).where("updatedat", "<", storedTime(time.getTime())).execute()
      );
    }
  }
}
