/** Nodes that workflows have no room for: rows that `status.offloadNodeStatusVersion` names. */
import type { Expression, SqlBool } from "kysely";
import { type Database, storedTime } from "../database/mod.ts";
import { isExactly } from "./exact_text.ts";
import { fromStoredJson, toStoredText } from "./stored_json.ts";

/** Nodes of one workflow as they were at some time. */
export interface OffloadedVersion {
  readonly uid: string;
  readonly version: string;
  readonly namespace: string;
}

/** One row; its table has the name that the settings give it. */
interface Row extends OffloadedVersion {
  readonly clustername: string;
  /** JSON by the ID of the node. */
  readonly nodes: string;
  readonly updatedat: string;
}

/** The most rows that one list has. */
const BATCH = 500;

/** The table of nodes of a cluster. Every trouble with its database is a `DatabaseError`. */
export class OffloadedNodes {
  readonly #database: Database;
  readonly #clusterName: string;
  readonly #tableName: string;

  constructor(database: Database, { clusterName, tableName }: { clusterName: string; tableName: string }) {
    this.#database = database;
    this.#clusterName = clusterName;
    this.#tableName = tableName;
  }

  /** The condition of rows of this cluster. */
  #own(): Expression<SqlBool> {
    return isExactly(this.#database.engine, "clustername", [this.#clusterName]);
  }

  /** Stores the JSON of nodes; in place of what was there under the same version, which is the same or nobody's. */
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
      await tx.deleteFrom(this.#tableName).where(this.#own()).where("uid", "=", uid)
        .where("version", "=", version).execute();
      await tx.insertInto(this.#tableName).values(row).execute();
    });
  }

  /** The nodes of a version by their IDs; undefined where it is not there. */
  async load({ uid, version }: Pick<OffloadedVersion, "uid" | "version">): Promise<unknown> {
    const row = await this.#database.query<Record<string, Row>, { readonly nodes: string } | undefined>((db) =>
      db.selectFrom(this.#tableName).select("nodes").where(this.#own())
        .where("uid", "=", uid).where("version", "=", version).executeTakeFirst()
    );
    return row && fromStoredJson(this.#database.engine, row.nodes);
  }

  /** Versions that were stored before a time, from one on: so many at most, in the order of their UIDs and versions. */
  async olderThan(time: Date, after?: Pick<OffloadedVersion, "uid" | "version">): Promise<readonly OffloadedVersion[]> {
    const rows = await this.#database.query<Record<string, Row>, OffloadedVersion[]>((db) => {
      const old = db.selectFrom(this.#tableName).select(["uid", "version", "namespace"])
        .where(this.#own()).where("updatedat", "<", storedTime(time.getTime()))
        .orderBy("uid").orderBy("version").limit(BATCH);
      if (!after) return old.execute();
      return old.where((eb) =>
        eb.or([eb("uid", ">", after.uid), eb.and([eb("uid", "=", after.uid), eb("version", ">", after.version)])])
      ).execute();
    });
    return rows.map(({ uid, version, namespace }) => ({ uid, version, namespace }));
  }

  /** Deletes versions, but those that were stored anew since a time. */
  async delete(versions: readonly OffloadedVersion[], time: Date): Promise<void> {
    for (const { uid, version } of versions) {
      await this.#database.query<Record<string, Row>, unknown>((db) =>
        db.deleteFrom(this.#tableName).where(this.#own()).where("uid", "=", uid)
          .where("version", "=", version).where("updatedat", "<", storedTime(time.getTime())).execute()
      );
    }
  }
}
