/** Errors of databases, classified by how to react. */

/** The class of a database error. */
export type DatabaseErrorKind =
  | "unreachable" // no connection, or it broke: try again later
  | "credentials" // the user or password was rejected: read them again, then report it
  | "conflict" // a conflict with another transaction: retry all of it
  | "duplicate" // the row exists already
  | "refused"; // anything else: the query, the rights, the schema

/** An error of a database. Its message contains no user, password or query values. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly sort: DatabaseErrorKind;
  /** The server's error code: an SQLSTATE, or a name of MySQL or of the operating system. */
  readonly code: string | undefined;

  constructor(message: string, sort: DatabaseErrorKind, code?: string) {
    super(message);
    this.sort = sort;
    this.code = code;
  }
}

const UNREACHABLE =
  /^(ECONN|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|CONNECT_TIMEOUT|CONNECTION_|PROTOCOL_(CONNECTION_LOST|SEQUENCE_TIMEOUT)|ER_(CON_COUNT|TOO_MANY_USER|SERVER_SHUTDOWN|CONNECTION_KILLED|NEW_ABORTING|ABORTING)|08|53300|57P0[123])/;
const CREDENTIALS = /^(28|SASL_|ER_ACCESS_DENIED_ERROR|ER_ACCESS_DENIED_NO_PASSWORD|ER_MUST_CHANGE_PASSWORD)/;
const CONFLICT = /^(40001|40P01|ER_LOCK_DEADLOCK|ER_LOCK_WAIT_TIMEOUT|ER_CHECKREAD)/;
const DUPLICATE = /^(23505|ER_DUP_ENTRY)/;
const CONFLICT_MESSAGES = /could not serialize|dependencies among transactions|deadlock|database (table )?is locked/i;
const UNREACHABLE_MESSAGES =
  /closed state|connection (is |was )?(closed|lost|reset|terminated)|network|socket hang up/i;

/** Classifies an error of a driver; `hide` redacts secrets. */
export function databaseError(error: unknown, doing: string, hide: (text: string) => string): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const code = codeOf(error);
  const said = (error instanceof Error ? error.message : String(error)) || code || "no reason given";
  return new DatabaseError(hide(`${doing}: ${said}`), classifyCode(code ?? "", said), code);
}

function classifyCode(code: string, message: string): DatabaseErrorKind {
  if (UNREACHABLE.test(code)) return "unreachable";
  if (CREDENTIALS.test(code)) return "credentials";
  if (CONFLICT.test(code) || CONFLICT_MESSAGES.test(message)) return "conflict";
  if (DUPLICATE.test(code) || /UNIQUE constraint failed/.test(message)) return "duplicate";
  return UNREACHABLE_MESSAGES.test(message) ? "unreachable" : "refused";
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
