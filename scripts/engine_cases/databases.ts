/** Cases of databases: Argo's tables, what is in them, and servers that are gone, slow, or of another mind. */
import type { AskedCase } from "../case_coverage.ts";
import { ARCHIVE, ARCHIVE_RUNS } from "./places.ts";

const EARLIER = "lib/storage/archive/earlier_tables_test.ts";
const ROWS = "lib/storage/archive/argo_rows_test.ts";
const CONNECTIONS = "lib/storage/database/connections_test.ts";
const DATABASE = "lib/storage/database/database_test.ts";
const CLOUD = "lib/storage/database/cloud_login_test.ts";
const ROUTES = "server/archive/routes_test.ts";
const LOGS = "cli/connect/embedded_logs_test.ts";

export const DATABASE_CASES: Readonly<Record<string, AskedCase>> = {
  "DB-01": {
    says: "Where there are no tables those of Argo's version 68 are made.",
    tests: [[EARLIER, "tables that we make are those that Argo makes"], [
      ARCHIVE,
      "a workflow is read as it was written",
    ], [ARCHIVE, "differ by capitals are told apart"]],
  },
  "DB-02": {
    says: "Tables that Argo made are opened unchanged.",
    tests: [[EARLIER, "tables that Argo made are opened"]],
  },
  "DB-03": {
    says: "Tables of earlier releases are brought to version 68, their rows are kept, and who was killed is followed.",
    tests: [
      [EARLIER, "tables that Argo made are opened"],
      [EARLIER, "a program that was killed between two changes"],
      [EARLIER, "program after program is killed on the way"],
    ],
  },
  "DB-04": {
    says: "Newer tables are used with a warning; with `skipMigration` old ones are refused with their version.",
    tests: [[ARCHIVE, "tables that are there are left as they are"], [EARLIER, "tables that nothing here may change"]],
  },
  "DB-05": {
    says: "Two controllers that start at once make and change tables once.",
    tests: [[EARLIER, "have their last form, and their rows, when two have opened them"]],
  },
  "DB-06": { says: "Any text of any size comes back.", tests: [[ARCHIVE, "null characters, emoji, backslashes"]] },
  "DB-07": {
    says: "What Argo archived is read, and our rows are those that Argo writes.",
    tests: [[ROWS, "an archive that Argo has written"]],
  },
  "DB-08": {
    says: "What is archived twice is there once; a crash leaves all or nothing.",
    tests: [[ARCHIVE, "one that is archived again"], [ARCHIVE, "a crash before the end of a write"]],
  },
  "DB-09": {
    says: "The server's time zone changes nothing.",
    tests: [[ARCHIVE, "whatever zone the server is in"], [DATABASE, "times are in UTC"]],
  },
  "DB-10": {
    says: "Controllers that share a database see their own.",
    tests: [[ARCHIVE, "controllers that share a database"]],
  },
  "DB-11": {
    says: "The same nodes are one row, under Argo's version of them; what is named stays.",
    tests: [[ARCHIVE, "offloaded nodes are read by UID and version"], [ROWS, "an archive that Argo has written"]],
  },
  "DB-12": {
    says: "A broken connection costs a query nothing and a transaction its work.",
    tests: [[CONNECTIONS, "a connection that breaks costs a query nothing"]],
  },
  "DB-13": {
    says: "Without its database the server lists what is live, and the controller waits.",
    tests: [[
      ROUTES,
      "archive: when unavailable, live workflows are listed with a warning, and the archive's routes fail",
    ], [ARCHIVE_RUNS, "the time to live waits"]],
  },
  "DB-14": {
    says: "A question that takes too long ends, and others are answered.",
    tests: [[
      "server/database/database_source_test.ts",
      "DatabaseSource: a query times out without affecting others (DB-14)",
    ]],
  },
  "DB-15": { says: "Pages have no gap.", tests: [[ARCHIVE, "pages have no gap and no repetition"]] },
  "DB-16": { says: "TLS is as `ssl` and `sslMode` say.", tests: [[CONNECTIONS, "TLS is taken where it is offered"]] },
  "DB-17": {
    says: "A password or a token that changed is read again.",
    tests: [[DATABASE, "a password that changed is read again"], [CLOUD, "one that is refused is fetched anew"]],
  },
  "DB-18": {
    says: "What is deleted goes with its labels, and with its logs where the embedded cluster stores them.",
    tests: [
      [ARCHIVE, "a workflow is deleted with its labels"],
      [LOGS, "logs: deleting an archived workflow deletes its logs"],
      [LOGS, "logs: expired archived workflows are deleted with their logs"],
    ],
  },
  "DB-19": {
    says: "A file outlives a kill of its process, and goes with `tiphys local reset`.",
    tests: [["lib/storage/archive/killed_writer_test.ts", "(DB-19)"], [
      "cli/commands/local_test.ts",
      "local reset: removes data only after a confirmation",
    ]],
  },
  "DB-20": {
    says: "The names and values of a million labels are told at once.",
    tests: [["lib/storage/archive/many_labels_test.ts", "(DB-20)"]],
  },
};
