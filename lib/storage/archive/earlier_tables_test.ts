/**
 * Tables of earlier Argo releases (`testdata/argo_tables.json`: their schemas, created by applying the changes in
 * Argo's documentation one after another on PostgreSQL 15 and MariaDB 10.11), opened and upgraded.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type KyselyPlugin, RawNode, sql, type Transaction } from "kysely";
import type { TransactionOptions } from "../database/database.ts";
import type { Database, Engine } from "../database/mod.ts";
import { connect, SERVER_KINDS } from "../database/testing/servers.ts";
import { silentLog } from "@tiphys/base/log";
import { OffloadedNodes } from "./offloaded_nodes.ts";
import { prepareArchive } from "./schema.ts";
import { toStoredJson } from "./stored_json.ts";
import { makeTables, type Shapes, tablesOf } from "./testing/tables_of.ts";
import { WorkflowArchive } from "./workflow_archive.ts";

type Versions = Readonly<Record<string, Shapes>>;

const ARGO: Readonly<Record<string, Versions>> = JSON.parse(
  await Deno.readTextFile(new URL("testdata/argo_tables.json", import.meta.url)),
);

/** The origin of each schema version: a release of Argo, or a controller that was killed during an upgrade. */
const ORIGINS: Readonly<Record<string, string>> = {
  0: "an Argo that was killed after its first change",
  2: "an Argo that was killed before the archive had its name",
  17: "an Argo that was killed before rows had a cluster",
  34: "an Argo that was killed before nodes stood alone",
  45: "an Argo that was killed before labels had a table",
  56: "Argo 2.12 to 3.2",
  57: "Argo 3.3",
  59: "Argo 3.4 and 3.5",
  60: "Argo 3.6",
  62: "Argo 3.7.0",
  66: "Argo 4.0.0",
  67: "an Argo that was killed before its last change",
  68: "Argo 3.7.14, 4.0.5 and 4.1",
};
const LAST = "68";

const SCHEMA = { tableName: "argo_workflows", clusterName: "cluster", log: silentLog };
const TABLES = [
  "argo_archived_workflows_labels",
  "argo_archived_workflows",
  "argo_workflow_history",
  "argo_workflows",
  "schema_history",
];

/** A message that PostgreSQL accepted while workflows were stored as text, but does not accept in `jsonb`. */
const MESSAGE = "\0\0 \\u0000 it's \\";
const WORKFLOW = {
  metadata: {
    name: "w",
    namespace: "n",
    uid: "u",
    resourceVersion: "7",
    creationTimestamp: "2026-11-01T00:00:00Z",
    labels: { team: "red" },
  },
  status: { phase: "Succeeded", message: MESSAGE, nodes: { w: { id: "w" } } },
};

/** Rows with values for the columns of all versions. */
function rowsOf(engine: Engine, version: number): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const isBinary = engine === "postgresql" && version >= 60;
  const row = {
    id: "u",
    uid: "u",
    name: "w",
    namespace: "n",
    phase: "Succeeded",
    startedat: "2026-11-01 00:00:01",
    finishedat: "2026-11-01 00:00:02",
    workflow: isBinary ? toStoredJson(engine, WORKFLOW) : JSON.stringify(WORKFLOW),
    ...(version > 17 ? { clustername: "cluster" } : {}),
  };
  const nodes = JSON.stringify(WORKFLOW.status.nodes);
  return {
    argo_workflow_history: row,
    argo_archived_workflows: {
      ...row,
      ...(version > 48 ? { instanceid: "" } : {}),
      ...(version > 63 ? { creationtimestamp: row.startedat } : {}),
    },
    argo_archived_workflows_labels: { clustername: "cluster", uid: "u", name: "team", value: "red" },
    argo_workflows: { ...row, ...(version > 34 ? { version: "7", nodes } : {}) },
    schema_history: { schema_version: String(version) },
  };
}

/** Creates the tables of a version with a finished workflow, its label and its offloaded nodes. */
async function createArgoTables(database: Database, versions: Versions, version: string): Promise<void> {
  for (const table of TABLES) await run(database, `drop table if exists ${table}`);
  await makeTables(database, versions[version]!);
  const rows = rowsOf(database.engine, Number(version));
  for (const table of Object.keys(versions[version]!)) {
    // Both servers have the same columns.
    const columns = Object.keys(ARGO.postgresql![version]![table]!.columns!);
    const row = Object.entries(rows[table]!).filter(([name]) => columns.includes(name));
    await database.query<Record<string, Record<string, string>>, unknown>((db) =>
      db.insertInto(table).values(Object.fromEntries(row)).execute()
    );
  }
}

async function run(database: Database, statement: string): Promise<void> {
  await database.query((db) => sql.raw(statement).execute(db));
}

/** Returns the results of all queries of an archive. */
async function resultsOf(database: Database) {
  const scope = { clusterName: SCHEMA.clusterName };
  const archive = new WorkflowArchive(database, scope);
  const nodes = new OffloadedNodes(database, { ...scope, tableName: SCHEMA.tableName });
  const { items } = await archive.list();
  return {
    listed: items.map(({ metadata }) => [metadata.name, metadata.creationTimestamp]),
    whole: (await archive.getByName("n", "w"))?.status,
    labels: [await archive.labelKeys(), await archive.labelValues("team")],
    nodes: await nodes.load({ uid: "u", version: "7" }),
  };
}

/** Returns the expected results for the rows of a version. */
function expected(version: string): Awaited<ReturnType<typeof resultsOf>> {
  const tables = ARGO.postgresql![version]!;
  const isArchived = "argo_archived_workflows" in tables || "argo_workflow_history" in tables;
  const isLabelled = "argo_archived_workflows_labels" in tables;
  return {
    listed: isArchived ? [["w", "2026-11-01T00:00:01Z"]] : [],
    whole: isArchived ? WORKFLOW.status : undefined,
    labels: isLabelled ? [["team"], ["red"]] : [[], []],
    nodes: WORKFLOW.status.nodes,
  };
}

/** A database whose program is killed after `after` changes of its tables. */
function failingDatabase(database: Database, after: number): Database {
  return {
    engine: database.engine,
    query: (work, until) => database.query(work, until),
    transaction<T, R>(work: (tx: Transaction<T>) => Promise<R>, options?: TransactionOptions) {
      let changes = 0;
      const plugin: KyselyPlugin = {
        transformQuery({ node }) {
          const isChange = node.kind === "RawNode" && /^\s*(alter|create|drop|update)/.test(
            RawNode.is(node) ? node.sqlFragments[0] ?? "" : "",
          );
          if (isChange && changes++ === after) throw new Error("Killed");
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      };
      return database.transaction<T, R>((tx) => work(tx.withPlugin(plugin)), options);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Sorts the parts of schemas: indexes that were added later are in another position. */
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
    ...kind.test("prepareArchive: opens Argo's tables (DB-02) and upgrades those of earlier releases (DB-03)"),
    async fn(t) {
      await using server = await kind.start();
      await using database = connect(server);
      await using another = connect(server);
      const versions = ARGO[server.engine] ?? {};
      const last = sorted(versions[LAST]!);
      for (const [version, origin] of Object.entries(ORIGINS)) {
        await t.step(
          `tables at version ${version}, left by ${origin}, have the current schema and all rows after two programs opened them`,
          async () => {
            await createArgoTables(database, versions, version);
            await Promise.all([prepareArchive(database, SCHEMA), prepareArchive(another, SCHEMA)]);
            assertEquals(sorted(await tablesOf(database)), last);
            assertEquals(await resultsOf(database), expected(version));
            await prepareArchive(database, { ...SCHEMA, skipMigration: true });
          },
        );
      }
      await t.step("another program completes the upgrade of one that was killed between two changes", async () => {
        await createArgoTables(database, versions, LAST);
        await run(database, "update schema_history set schema_version = 60");
        const of = server.engine === "mysql" ? " on argo_archived_workflows" : "";
        for (const index of ["i1", "i4", "i5"]) await run(database, `drop index argo_archived_workflows_${index}${of}`);
        await run(database, "alter table argo_archived_workflows drop column creationtimestamp");
        await prepareArchive(database, SCHEMA);
        assertEquals(sorted(await tablesOf(database)), last);
        assertEquals(await resultsOf(database), expected(LAST));
      });
      await t.step("tables that another program created in the meantime are upgraded too", async () => {
        await createArgoTables(database, versions, "17");
        await run(database, "update schema_history set schema_version = -1");
        await prepareArchive(database, SCHEMA);
        assertEquals(sorted(await tablesOf(database)), last);
        assertEquals(await resultsOf(database), expected("17"));
      });
      await t.step(
        "tables that must not be changed remain unchanged",
        async () => {
          await createArgoTables(database, versions, "59");
          const before = await tablesOf(database);
          const never = { ...SCHEMA, skipMigration: true };
          await assertRejects(() => prepareArchive(database, never), Error, "at version 59, expected 68");
          assertEquals(await tablesOf(database), before);
        },
      );
    },
  });
}

const [postgresql, mariadb] = ["PostgreSQL", "MariaDB"].map((name) => SERVER_KINDS.find((kind) => kind.name === name)!);

Deno.test({
  ...mariadb!.test("prepareArchive: completes an upgrade although several programs are killed during it (DB-03)"),
  async fn() {
    await using server = await mariadb!.start();
    await using database = connect(server);
    const versions = ARGO.mysql!;
    for (const version of ["2", "17", "34", "45"]) {
      await createArgoTables(database, versions, version);
      let killed = 0;
      while (!await prepareArchive(failingDatabase(database, killed + 1), SCHEMA).then(() => true, () => false)) {
        assert(++killed < 100, `version ${version} comes to no end`);
      }
      assert(killed > 5, `version ${version} took ${killed} changes`);
      assertEquals(sorted(await tablesOf(database)), sorted(versions[LAST]!));
      assertEquals(await resultsOf(database), expected(version));
    }
  },
});

for (const kind of [postgresql!, mariadb!]) {
  Deno.test({
    ...kind.test("prepareArchive: creates the same tables as Argo (DB-01)"),
    async fn() {
      await using server = await kind.start();
      await using database = connect(server);
      await prepareArchive(database, SCHEMA);
      assertEquals(sorted(await tablesOf(database)), sorted(ARGO[server.engine]![LAST]!));
    },
  });
}
