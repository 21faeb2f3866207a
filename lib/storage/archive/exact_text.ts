/**
 * Texts compared letter by letter. Tables of MySQL and MariaDB have the collation of their database, as Argo makes them, and
 * most take a capital for its small letter; so what an index has found is looked at once more.
 */
import { type Expression, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Engine } from "../database/mod.ts";

/** Whether a column has one of the texts. */
export function isExactly(engine: Engine, column: string, texts: readonly string[]): Expression<SqlBool> {
  const list = sql.join(texts);
  return exact(engine, column, (one) => texts.length === 1 ? sql`${one} = ${list}` : sql`${one} in (${list})`);
}

/** Whether a column is like a pattern, in which `!` takes the meaning of a sign away. */
export function isLike(engine: Engine, column: string, pattern: string): Expression<SqlBool> {
  return exact(engine, column, (one) => sql`${one} like ${pattern} escape '!'`);
}

function exact(
  engine: Engine,
  column: string,
  compared: (one: RawBuilder<unknown>) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  const found = compared(sql.ref(column));
  return engine === "mysql" ? sql`(${found} and ${compared(sql`binary ${sql.ref(column)}`)})` : found;
}
