/** The index that SQLite uses to find the rows of an archive. */
import { assert, assertEquals } from "@std/assert";
import { CompiledQuery } from "kysely";
import { connect, SERVER_KINDS } from "../database/testing/servers.ts";
import { silentLog } from "@tiphys/base/log";
import { ownRowsCondition } from "./own_rows.ts";
import { prepareArchive } from "./schema.ts";
import type { ArchiveTables } from "./tables.ts";

const [sqlite] = SERVER_KINDS.filter(({ name }) => name === "SQLite");

Deno.test({
  ...sqlite!.test("archive: finds rows with known UIDs through the primary key"),
  async fn() {
    await using server = await sqlite!.start();
    await using database = connect(server);
    await prepareArchive(database, { tableName: "argo_workflows", clusterName: "default", log: silentLog });
    const asked = [[undefined, "phase", 3], ["n", "phase", 3], [undefined, "startedat", 500], [
      "n",
      "uid",
      500,
    ]] as const;
    for (const [managedNamespace, column, count] of asked) {
      const uids = Array.from({ length: count }, (_, index) => `uid-${index}`);
      const plan = await database.query<ArchiveTables, string>(async (db) => {
        const { sql, parameters } = db.selectFrom("argo_archived_workflows").select(column)
          .where((eb) =>
            eb.and(ownRowsCondition(eb, "sqlite", { clusterName: "c", managedNamespace }, { byUid: true }))
          )
          .where("uid", "in", uids).compile();
        const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
        const { rows } = await db.executeQuery<{ readonly detail: string }>(explained);
        assertEquals(rows.length, 1);
        return rows[0]?.detail ?? "";
      });
      assert(plan.includes("(clustername=? AND uid=?)"), plan);
    }
  },
});
