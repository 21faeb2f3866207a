/**
 * Case-sensitive comparison. Tables in MySQL and MariaDB have the collation of their database, as Argo creates them,
 * which is usually case-insensitive; so the rows of an index are compared again.
 */
import { type Expression, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Engine } from "../database/mod.ts";

/** Whether a column equals one of the texts. */
export function isExactly(engine: Engine, column: string, texts: readonly string[]): Expression<SqlBool> {
  const list = sql.join(texts);
  return exact(
    engine,
    column,
    (fragment) => texts.length === 1 ? sql`${fragment} = ${list}` : sql`${fragment} in (${list})`,
  );
}

/** Whether a column matches a LIKE pattern with the escape character `!`. */
export function isLike(engine: Engine, column: string, pattern: string): Expression<SqlBool> {
  return exact(engine, column, (fragment) => sql`${fragment} like ${pattern} escape '!'`);
}

function exact(
  engine: Engine,
  column: string,
  compared: (text: RawBuilder<unknown>) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  const found = compared(sql.ref(column));
  return engine === "mysql" ? sql`(${found} and ${compared(sql`binary ${sql.ref(column)}`)})` : found;
}
