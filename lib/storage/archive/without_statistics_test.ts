/**
 * Pages by labels in a PostgreSQL that has no statistics of its tables: after a restore, an upgrade or a mass import.
 */
import { assert, assertEquals } from "@std/assert";
import { sql } from "kysely";
import { connect, SERVER_KINDS } from "../database/testing/servers.ts";
import { silentLog } from "@tiphys/base/log";
import { parseRequirements } from "@tiphys/base/selector/label_selector";
import { pageKeys } from "./page_keys.ts";
import { prepareArchive } from "./schema.ts";
import type { ArchiveTables } from "./tables.ts";

const ROWS = 2000;
const LIMIT = 20;

const [postgresql] = SERVER_KINDS.filter(({ name }) => name === "PostgreSQL");

Deno.test({
  ...postgresql!.test(
    "archive: a page by labels reads the labels of a workflow once for each requirement, without statistics",
  ),
  async fn(test) {
    await using server = await postgresql!.start();
    await using database = connect(server);
    await prepareArchive(database, { tableName: "argo_workflows", clusterName: "default", log: silentLog });
    await database.transaction<ArchiveTables, void>(async (tx) => {
      for (const table of ["argo_archived_workflows", "argo_archived_workflows_labels"]) {
        await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(tx);
      }
      await sql`insert into argo_archived_workflows
        (clustername, uid, instanceid, name, namespace, phase, startedat, finishedat, creationtimestamp, workflow)
        select 'default', 'u-' || n, '', 'w-' || n, 'ns', 'Succeeded', timestamp '2026-01-01' + n * interval '1 second',
        '2026-01-01', '2026-01-01', '{}' from generate_series(1, ${sql.lit(ROWS)}) n`.execute(tx);
      await sql`insert into argo_archived_workflows_labels (clustername, uid, name, value)
        select 'default', 'u-' || n, l, case l when 'team' then 't-' || n % 2 when 'number' then '' || n else 'v' end
        from generate_series(1, ${sql.lit(ROWS)}) n, unnest(array['phase', 'team', 'number']) l`.execute(tx);
    });
    const pages: Readonly<Record<string, (n: number) => boolean>> = {
      "phase=v": () => true,
      "phase": () => true,
      "phase!=v": () => false,
      "!nobody": () => true,
      "!phase": () => false,
      "team in (t-1,t-7)": (n) => n % 2 === 1,
      "team notin (t-1)": (n) => n % 2 === 0,
      "phase=v,team=t-0,number<1500": (n) => n % 2 === 0 && n < 1500,
    };
    const kinds = Object.entries(pages).flatMap(([text, meets]) =>
      [undefined, 0].map((maxCollected) => ({ text, meets, maxCollected }))
    );
    for (const { text, meets, maxCollected } of kinds) {
      await test.step(`${text}, ${maxCollected === 0 ? "labels of many" : "labels of few"} workflows`, async () => {
        const filters = { labels: parseRequirements(text) };
        const { uids, read } = await database.transaction<ArchiveTables, { uids: string[]; read: number }>(
          async (tx) => {
            const rowsRead = async () => {
              const { rows: [count] } = await sql<
                { read: string }
              >`select coalesce(idx_tup_fetch, 0) + seq_tup_read as read
              from pg_stat_xact_user_tables where relname = 'argo_archived_workflows_labels'`.execute(tx);
              return Number(count?.read);
            };
            const before = await rowsRead();
            const options = { engine: "postgresql", clusterName: "default", own: () => [], maxCollected } as const;
            const keys = await pageKeys(tx, options, { filters, limit: LIMIT, skip: 0 });
            return { uids: keys.map(({ uid }) => uid), read: await rowsRead() - before };
          },
        );
        const wanted = Array.from({ length: ROWS }, (_, index) => ROWS - index).filter(meets).slice(0, LIMIT);
        assertEquals(uids, wanted.map((n) => `u-${n}`));
        // Three labels of each workflow, and those that are read to find out how many workflows have a label.
        assert(read <= filters.labels.length * (4 * ROWS + 501), `${read} rows of labels were read`);
      });
    }
  },
});
