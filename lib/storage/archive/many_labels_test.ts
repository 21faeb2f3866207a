/** The names and values of labels in a file where a million rows hold them; `large_archive_bench.ts` measures servers. */
import { assert, assertEquals } from "@std/assert";
import { sql } from "kysely";
import { LABEL } from "@tiphys/base/constants";
import type { Database } from "../database/mod.ts";
import { connect, SERVER_KINDS } from "../database/testing/servers.ts";

import { silentLog } from "@tiphys/base/log";
import { prepareArchive } from "./schema.ts";
import type { ArchiveTables } from "./tables.ts";
import { WorkflowArchive } from "./workflow_archive.ts";

const NAMES = Array.from({ length: 10 }, (_, at) => `name-${at}`);
const VALUES = Array.from({ length: 50 }, (_, at) => `v-${at}`).sort();

/** How often a list is told while all rows are read once, at least; the fastest of a few counts, as the machine does other things, too. */
const TIMES_FASTER = 5;
const TRIES = 7;

/** Makes a hundred thousand workflows with ten labels each; the database itself counts them out. */
async function fill(database: Database): Promise<void> {
  const digit = sql`(select 0 as d ${
    sql.join(NAMES.slice(1).map((_, at) => sql`union all select ${sql.lit(at + 1)}`), sql` `)
  })`;
  const numbers = sql`(select a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d as n
    from ${digit} a cross join ${digit} b cross join ${digit} c cross join ${digit} e cross join ${digit} f)`;
  await database.transaction<ArchiveTables, void>(async (tx) => {
    await sql`insert into argo_archived_workflows
      (clustername, uid, instanceid, name, namespace, phase, startedat, finishedat, creationtimestamp, workflow)
      select 'default', concat('u-', n), '', concat('w-', n), concat('ns-', n % 10), 'Succeeded',
      '2026-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00', '{}' from ${numbers} t`.execute(tx);
    await sql`insert into argo_archived_workflows_labels (clustername, uid, name, value)
      select 'default', concat('u-', n), concat('name-', d), concat('v-', n % 50)
      from ${numbers} t cross join ${digit} l`.execute(tx);
  });
}

/** The least time of a few, milliseconds. */
async function leastTime(ask: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let tried = 0; tried < TRIES; tried++) {
    const began = performance.now();
    await ask();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

const [sqlite] = SERVER_KINDS.filter(({ name }) => name === "SQLite");

Deno.test({
  ...sqlite!.test("names and values of labels are told at once where a million rows hold them (DB-20)"),
  async fn() {
    await using server = await sqlite!.start();
    await using database = connect(server);
    await prepareArchive(database, { tableName: "argo_workflows", clusterName: "default", log: silentLog });
    const archive = new WorkflowArchive(database, { clusterName: "default" });
    await fill(database);
    const few = new WorkflowArchive(database, { clusterName: "default", managedNamespace: "few" });
    await few.archive({ metadata: { name: "few", namespace: "few", uid: "few", labels: { "name-7": "few" } } });
    const names = ["name-7", LABEL.archivingStatus];
    const lists: [string[], () => Promise<string[]>][] = [
      [[...NAMES, LABEL.archivingStatus], () => archive.labelKeys()],
      [["few", ...VALUES], () => archive.labelValues("name-7")],
      [names, () => archive.labelKeys("few")],
      [["few"], () => archive.labelValues("name-7", "few")],
      [names, () => few.labelKeys()],
      [[], () => few.labelKeys("ns-3")],
    ];
    const all = await leastTime(() =>
      database.transaction<ArchiveTables, unknown>((tx) =>
        sql`select count(distinct value) from argo_archived_workflows_labels where name is not null`.execute(tx)
      )
    );
    for (const [told, ask] of lists) {
      assertEquals(await ask(), told);
      const took = await leastTime(ask);
      assert(took * TIMES_FASTER < all, `took ${took.toFixed(1)} ms, and all rows are read in ${all.toFixed(1)} ms`);
    }
  },
});
