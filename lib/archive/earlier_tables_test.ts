/**
 * Tables as releases of Argo left them (`testdata/argo_tables.json`: their shapes, after the changes that Argo's documentation
 * lists were made one after the other on PostgreSQL 15 and MariaDB 10.11), opened and brought to their last form.
 */
import { assertEquals, assertRejects } from "@std/assert";
import { sql } from "kysely";
import type { Database } from "../database/mod.ts";
import { connect, SERVER_KINDS } from "../database/testing/servers.ts";
import { silentLog } from "../log.ts";
import { OffloadedNodes } from "./offloaded_nodes.ts";
import { prepareArchive } from "./schema.ts";
import { makeTables, type Shapes, tablesOf } from "./testing/tables_of.ts";
import { WorkflowArchive } from "./workflow_archive.ts";

type Versions = Readonly<Record<string, Shapes>>;

const ARGO: Readonly<Record<string, Versions>> = JSON.parse(
  await Deno.readTextFile(new URL("testdata/argo_tables.json", import.meta.url)),
);

/** The releases that left tables of a version. */
const RELEASES: Readonly<Record<string, string>> = {
  56: "2.12 to 3.2",
  57: "3.3",
  59: "3.4 and 3.5",
  60: "3.6",
  62: "3.7.0",
  66: "4.0.0",
  68: "3.7.14, 4.0.5 and 4.1",
};
const LAST = "68";

const SCHEMA = { tableName: "argo_workflows", log: silentLog };
const TABLES = ["argo_archived_workflows_labels", "argo_archived_workflows", "argo_workflows", "schema_history"];

const WORKFLOW = {
  metadata: { name: "w", namespace: "n", uid: "u", creationTimestamp: "2026-11-01T00:00:00Z", labels: { team: "red" } },
  status: { phase: "Succeeded", nodes: { w: { id: "w" } } },
};

/** The tables of a version with a finished workflow, its label and its offloaded nodes in them. */
async function makeArgos(database: Database, versions: Versions, version: string): Promise<void> {
  for (const table of TABLES) await run(database, `drop table if exists ${table}`);
  await makeTables(database, versions[version]!);
  await run(database, `insert into schema_history values (${version})`);
  const json = `'${JSON.stringify(WORKFLOW)}'`;
  const times = "'2026-11-01 00:00:01', '2026-11-01 00:00:02'";
  await run(
    database,
    `insert into argo_archived_workflows
      (clustername, instanceid, uid, name, namespace, phase, startedat, finishedat, workflow)
      values ('default', '', 'u', 'w', 'n', 'Succeeded', ${times}, ${json})`,
  );
  if (Number(version) >= 66) await run(database, "update argo_archived_workflows set creationtimestamp = startedat");
  await run(
    database,
    `insert into argo_archived_workflows_labels (clustername, uid, name, value) values ('default', 'u', 'team', 'red')`,
  );
  await run(
    database,
    `insert into argo_workflows (clustername, uid, version, namespace, nodes)
      values ('default', 'u', 'fnv:1', 'n', '{"w":{"id":"w"}}')`,
  );
}

async function run(database: Database, statement: string): Promise<void> {
  await database.query((db) => sql.raw(statement).execute(db));
}

/** Everything that an archive is asked, of the rows that are there. */
async function asked(database: Database) {
  const archive = new WorkflowArchive(database, { clusterName: "default" });
  const nodes = new OffloadedNodes(database, { clusterName: "default", tableName: SCHEMA.tableName });
  const { items } = await archive.list();
  return {
    listed: items.map(({ metadata }) => [metadata.name, metadata.creationTimestamp]),
    whole: (await archive.getByName("n", "w"))?.status,
    labels: [await archive.labelKeys(), await archive.labelValues("team")],
    nodes: await nodes.load({ uid: "u", version: "fnv:1" }),
  };
}

const READ = {
  listed: [["w", "2026-11-01T00:00:01Z"]],
  whole: WORKFLOW.status,
  labels: [["team"], ["red"]],
  nodes: WORKFLOW.status.nodes,
};

/** Shapes in one order: indexes that were made later stand at another place. */
function sorted(shapes: Shapes): Shapes {
  const lines = (text: string) => text.replaceAll(",\n", "\n").split("\n").sort().join("\n");
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) =>
      [name, shape.statement ? { statement: lines(shape.statement) } : shape] as const
    ),
  );
}

for (const kind of SERVER_KINDS.filter(({ name }) => name !== "SQLite")) {
  Deno.test({
    ...kind.test("tables that Argo made are opened (DB-02), and those of its earlier releases brought forward (DB-03)"),
    async fn(t) {
      await using server = await kind.start();
      await using database = connect(server);
      await using another = connect(server);
      const versions = ARGO[server.engine] ?? {};
      const last = sorted(versions[LAST]!);
      for (const [version, releases] of Object.entries(RELEASES)) {
        await t.step(
          `tables of Argo ${releases} have their last form, and their rows, when two have opened them`,
          async () => {
            await makeArgos(database, versions, version);
            await Promise.all([prepareArchive(database, SCHEMA), prepareArchive(another, SCHEMA)]);
            assertEquals(sorted(await tablesOf(database)), last);
            assertEquals(await asked(database), READ);
            await prepareArchive(database, { ...SCHEMA, skipMigration: true });
          },
        );
      }
      await t.step("who was killed between two changes is followed by one that goes on", async () => {
        await makeArgos(database, versions, LAST);
        await run(database, "update schema_history set schema_version = 60");
        const of = server.engine === "mysql" ? " on argo_archived_workflows" : "";
        for (const index of ["i1", "i4", "i5"]) await run(database, `drop index argo_archived_workflows_${index}${of}`);
        await run(database, "alter table argo_archived_workflows drop column creationtimestamp");
        await prepareArchive(database, SCHEMA);
        assertEquals(sorted(await tablesOf(database)), last);
        assertEquals(await asked(database), READ);
      });
      await t.step(
        "tables that nothing here may change stay as they are, and so do those that are too old",
        async () => {
          await makeArgos(database, versions, "59");
          const before = await tablesOf(database);
          const never = { ...SCHEMA, skipMigration: true };
          await assertRejects(() => prepareArchive(database, never), Error, "at version 59, expected 68");
          await run(database, "update schema_history set schema_version = 45");
          await assertRejects(
            () => prepareArchive(database, SCHEMA),
            Error,
            "at version 45, expected 68: start a controller of Argo",
          );
          assertEquals(await tablesOf(database), before);
        },
      );
    },
  });
}

const [postgresql] = SERVER_KINDS.filter(({ name }) => name === "PostgreSQL");

Deno.test({
  ...postgresql!.test("tables that we make are those that Argo makes (DB-01)"),
  async fn() {
    await using server = await postgresql!.start();
    await using database = connect(server);
    await prepareArchive(database, SCHEMA);
    assertEquals(await tablesOf(database), ARGO.postgresql?.[LAST]);
  },
});
