/** Cases of databases: Argo's tables, their contents, and servers that are unreachable, slow or incompatible. */
import type { CoveredCase } from "../case_coverage.ts";
import { ARCHIVE, ARCHIVE_RUNS } from "./places.ts";

const EARLIER = "lib/storage/archive/earlier_tables_test.ts";
const ROWS = "lib/storage/archive/argo_rows_test.ts";
const CONNECTIONS = "lib/storage/database/connections_test.ts";
const DATABASE = "lib/storage/database/database_test.ts";
const CLOUD = "lib/storage/database/cloud_login_test.ts";
const ROUTES = "server/archive/routes_test.ts";
const LOGS = "cli/connect/embedded_logs_test.ts";

export const DATABASE_CASES: Readonly<Record<string, CoveredCase>> = {
  "DB-01": {
    behavior: "Missing tables are created in Argo's version 68.",
    tests: [[EARLIER, "prepareArchive: creates the same tables as Argo (DB-01)"], [
      ARCHIVE,
      "get: returns the archived workflow with the label of persisted ones",
    ], [ARCHIVE, "list: distinguishes names, labels and clusters by case as far as the"]],
  },
  "DB-02": {
    behavior: "Tables that Argo created are opened unchanged.",
    tests: [[EARLIER, "prepareArchive: opens Argo's tables (DB-02) and upgrades those of"]],
  },
  "DB-03": {
    behavior:
      "Tables of earlier releases are migrated to version 68 and keep their rows; a migration continues after a killed one.",
    tests: [
      [EARLIER, "prepareArchive: opens Argo's tables (DB-02) and upgrades those of"],
      [EARLIER, "another program completes the upgrade of one that was killed between"],
      [EARLIER, "prepareArchive: completes an upgrade although several programs are"],
    ],
  },
  "DB-04": {
    behavior: "Newer tables are used with a warning; with `skipMigration`, old ones are refused with their version.",
    tests: [[ARCHIVE, "prepareArchive: does not change existing tables, also of a newer"], [
      EARLIER,
      "tables that must not be changed remain unchanged",
    ]],
  },
  "DB-05": {
    behavior: "Two controllers that start at once create and migrate tables once.",
    tests: [[EARLIER, "tables at version"]],
  },
  "DB-06": {
    behavior: "Any text of any size is preserved.",
    tests: [[ARCHIVE, "null characters, emoji, backslashes"]],
  },
  "DB-07": {
    behavior: "Workflows archived by Argo are read, and our rows equal those that Argo writes.",
    tests: [[ROWS, "archive: reads, searches and deletes rows of Argo, and writes the"]],
  },
  "DB-08": {
    behavior: "A workflow that is archived twice exists once; a crash leaves all or nothing.",
    tests: [[ARCHIVE, "archive: archiving again replaces the workflow and its labels"], [
      ARCHIVE,
      "archive: a crash during a write leaves the previous version",
    ]],
  },
  "DB-09": {
    behavior: "The server's time zone has no effect.",
    tests: [[ARCHIVE, "deleteFinishedBefore: deletes expired workflows in batches in any time zone of the"], [
      DATABASE,
      "times are in UTC",
    ]],
  },
  "DB-10": {
    behavior: "Controllers that share a database see their own workflows.",
    tests: [[ARCHIVE, "controllers that share a database"]],
  },
  "DB-11": {
    behavior: "Equal nodes are one row with Argo's version; referenced rows stay.",
    tests: [[ARCHIVE, "offloaded nodes: are read by UID and version, and deleted when they"], [
      ROWS,
      "archive: reads, searches and deletes rows of Argo, and writes the",
    ]],
  },
  "DB-12": {
    behavior: "A query survives a broken connection, a transaction is rolled back.",
    tests: [[CONNECTIONS, "database: a query is retried after its connection broke, and a"]],
  },
  "DB-13": {
    behavior: "Without its database, the server lists live workflows, and the controller waits.",
    tests: [[
      ROUTES,
      "archive: when unavailable, live workflows are listed with a warning, and the archive's routes fail",
    ], [
      ARCHIVE_RUNS,
      "archive: a workflow outlives its TTL until it is archived, also while the database is unreachable",
    ]],
  },
  "DB-14": {
    behavior: "A query that takes too long is canceled, and others are answered.",
    tests: [[
      "server/database/database_source_test.ts",
      "DatabaseSource: a query times out without affecting others (DB-14)",
    ]],
  },
  "DB-15": {
    behavior: "Pages have no gaps.",
    tests: [[ARCHIVE, "list: pages have no gaps or repetitions among workflows started in"]],
  },
  "DB-16": {
    behavior: "TLS follows `ssl` and `sslMode`.",
    tests: [[CONNECTIONS, "database: sslMode determines whether TLS is preferred, required or"]],
  },
  "DB-17": {
    behavior: "A changed password or token is read again.",
    tests: [[DATABASE, "database: concurrent writers all succeed, times are in UTC, and a"], [
      CLOUD,
      "cloud login: a token of Azure's managed identity is the password, and",
    ]],
  },
  "DB-18": {
    behavior: "A workflow is deleted with its labels, and with its logs if the embedded cluster stores them.",
    tests: [
      [ARCHIVE, "delete: removes the workflow and its labels"],
      [LOGS, "logs: deleting an archived workflow deletes its logs"],
      [LOGS, "logs: expired archived workflows are deleted with their logs"],
    ],
  },
  "DB-19": {
    behavior: "The file survives a killed process, and `tiphys local reset` deletes it.",
    tests: [["lib/storage/archive/killed_writer_test.ts", "(DB-19)"], [
      "cli/commands/local_test.ts",
      "local reset: removes data only after a confirmation",
    ]],
  },
  "DB-20": {
    behavior: "The names and values of a million labels are listed at once.",
    tests: [["lib/storage/archive/many_labels_test.ts", "(DB-20)"]],
  },
};
