/** Reports about databases and the nodes that are stored in a workflow: calls of the functions concerned. */
import { databaseError } from "../../../lib/storage/database/database_error.ts";
import { mysql } from "../../../lib/storage/database/mysql.ts";
import { unpackNodes } from "@tiphys/model/nodes";
import { UserError } from "@tiphys/base/user_error";
import type { CallReport } from "../call_report.ts";

/** The nodes of a workflow as controllers of Argo 4.1 can store them: with gzip, zstd and brotli. */
const COMPRESSED = [
  "H4sIAAAAAAAAA6tWKleyqlbKTFGyUipX0lHKS8xNhTJTMosLchIr/RAiJZUFIGZAfoqSjlJBRmIxiBdUmpeXmZeuVFsLAKmZoZRMAAAA",
  "KLUv/QBYLQIAtAN7InciOnsiaWQiOiJ3IiwibmFtZWRpc3BsYXlOdHlwZSI6IlBvZCIsInBoYXNlIjoiUnVubmluZyJ9fQIANTfnrDAB",
  "G0sACC0OeBNz1UALCzidS/jXInttYRsqze1O6rD0FdlbijiVgUMO2L8FkkcUSAASOOR2wmvcIu/KRFjaR9Ek2jRI9gQvQfgB",
];

/** Reports about databases and stored nodes. */
export const STORAGE: readonly CallReport[] = [
  {
    issues: [16102, 16101],
    behavior: "database: a transaction that conflicts with another one is tried again, and a refused one is not",
    argo: "before 4.0.6: a lock is lost",
    call: () =>
      ["40001", "40P01", "ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT", "42501"].map((code) =>
        databaseError(Object.assign(new Error("no"), { code }), "query", (text) => text).sort
      ),
    returns: ["conflict", "conflict", "conflict", "conflict", "refused"],
  },
  {
    issues: [16725, 16707],
    behavior: "MySQL: options of the driver are not variables of the session, and others may not contain statements",
    argo: "before 4.1.2: an unknown system variable",
    call: () => {
      const settings = { host: "h", database: "d", tableName: "t" };
      const named = { timeout: "5s", collation: "utf8mb4_bin", maxAllowedPacket: "0", tls: "skip-verify" };
      try {
        mysql({ ...settings, options: named });
        mysql({ ...settings, options: { sql_mode: "''; drop table t" } });
        return "accepted";
      } catch (error) {
        return error instanceof UserError ? error.message : error;
      }
    },
    returns: `mysql.options.sql_mode: expected a number, a word or a quoted text, got "''; drop table t"`,
  },
  {
    issues: [16261, 16262],
    behavior: "nodes: those that another controller compressed with zstd or brotli are read",
    call: () => Promise.all(COMPRESSED.map(async (text) => (await unpackNodes(text, { nodes: 10 })).w?.phase)),
    returns: ["Running", "Running", "Running"],
  },
];
