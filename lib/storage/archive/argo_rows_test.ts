/**
 * Rows that the archive of Argo 4.1 wrote on PostgreSQL 15 (`testdata/argo_rows.json`, with the archived workflows) are
 * read, changed and deleted here, and compared with the rows that we write for the same workflows.
 */
import { assertEquals } from "@std/assert";
import { sql } from "kysely";
import { connect, SERVER_KINDS } from "../database/testing/servers.ts";
import { silentLog } from "@tiphys/base/log";
import { NodesVersion } from "../../model/nodes/nodes_version.ts";
import { OffloadedNodes } from "./offloaded_nodes.ts";
import { prepareArchive } from "./schema.ts";
import type { ArchivedWorkflowRow, ArchiveTables } from "./tables.ts";
import { WorkflowArchive } from "./workflow_archive.ts";

interface ArgoRows {
  readonly workflows: readonly { readonly metadata: { readonly name: string; readonly uid: string } }[];
  /** The version of the first workflow's nodes. */
  readonly version: string;
  readonly archived: ArchivedWorkflowRow[];
  readonly labels: ArchiveTables["argo_archived_workflows_labels"][];
  readonly nodes: Record<string, string>[];
}

const ARGO: ArgoRows = JSON.parse(await Deno.readTextFile(new URL("testdata/argo_rows.json", import.meta.url)));
const [postgresql] = SERVER_KINDS.filter(({ name }) => name === "PostgreSQL");
const SCHEMA = { tableName: "argo_workflows", clusterName: "default", log: silentLog };

Deno.test({
  ...postgresql!.test(
    "archive: reads, searches and deletes rows of Argo, and writes the same rows (DB-07)",
  ),
  async fn() {
    await using server = await postgresql!.start();
    await using database = connect(server);
    await prepareArchive(database, SCHEMA);
    await database.query<ArchiveTables & { argo_workflows: Record<string, string> }, void>(async (db) => {
      await db.insertInto("argo_archived_workflows").values(ARGO.archived).execute();
      await db.insertInto("argo_archived_workflows_labels").values(ARGO.labels).execute();
      await db.insertInto("argo_workflows").values(ARGO.nodes).execute();
    });
    const archive = new WorkflowArchive(database, { clusterName: "default" });
    const [first, second] = ARGO.workflows;
    const { items } = await archive.list();
    assertEquals(items.map(({ metadata }) => metadata.name), ["second", "first"]);
    assertEquals(items[1]?.status?.message, "null \0 and 🦊");
    const read = await archive.get(first!.metadata.uid);
    assertEquals<unknown>(read?.status, (first as { status?: unknown }).status);
    assertEquals(await archive.labelValues("team"), ["red"]);
    const table = new OffloadedNodes(database, { clusterName: "default", tableName: SCHEMA.tableName });
    const nodes = await table.load({ uid: first!.metadata.uid, version: ARGO.version });
    assertEquals(nodes, read?.status?.nodes);
    const hash = new NodesVersion();
    hash.read(new TextEncoder().encode(ARGO.nodes[0]?.nodes));
    assertEquals(String(hash), ARGO.version);

    const ours = new WorkflowArchive(database, { clusterName: "ours" });
    for (const workflow of ARGO.workflows) await ours.archive(workflow);
    const { rows } = await database.query((db) =>
      sql<ArchivedWorkflowRow>`select * from argo_archived_workflows where clustername = 'ours' order by uid`.execute(
        db,
      )
    );
    const plain = (all: readonly ArchivedWorkflowRow[]) =>
      all.map(({ clustername: _, workflow, ...row }) => ({ ...row, workflow: JSON.parse(workflow) }));
    assertEquals(plain(rows), plain(ARGO.archived.toSorted((a, b) => a.uid < b.uid ? -1 : 1)));

    assertEquals([await archive.delete(second!.metadata.uid), await archive.delete(second!.metadata.uid)], [
      true,
      false,
    ]);
    assertEquals((await archive.list()).items.length, 1);
    assertEquals((await archive.labelKeys()).length, 4);
  },
});
