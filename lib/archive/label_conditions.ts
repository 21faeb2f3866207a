/** Requirements on labels as SQL. */
import { type Expression, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Engine } from "../database/mod.ts";
import type { Requirement } from "../template/selector/label_selector.ts";

/** A requirement as a condition on a row of `argo_archived_workflows`. */
export function labelCondition(engine: Engine, { key, operator, values }: Requirement): Expression<SqlBool> {
  switch (operator) {
    case "exists":
      return hasLabel(key, sql`1 = 1`);
    case "!":
      return sql`not ${hasLabel(key, sql`1 = 1`)}`;
    case "=":
    case "==":
    case "in":
      return hasLabel(key, isOneOf(values));
    case "!=":
    case "notin":
      return sql`not ${hasLabel(key, isOneOf(values))}`;
    case ">":
    case "<":
      return hasLabel(key, compares(engine, operator, values[0] ?? ""));
  }
}

function hasLabel(key: string, condition: Expression<SqlBool>): RawBuilder<SqlBool> {
  return sql`exists (select 1 from argo_archived_workflows_labels l
    where l.clustername = argo_archived_workflows.clustername and l.uid = argo_archived_workflows.uid
    and l.name = ${key} and ${condition})`;
}

function isOneOf(values: readonly string[]): Expression<SqlBool> {
  return sql`l.value in (${sql.join(values)})`;
}

/** Whether the value is a number, and greater or less; of up to 18 digits, which all servers can hold. */
function compares(engine: Engine, operator: ">" | "<", bound: string): Expression<SqlBool> {
  const sign = sql.raw(operator);
  switch (engine) {
    case "postgresql":
      return sql`case when l.value ~ '^[0-9]{1,18}$' then cast(l.value as bigint) ${sign} cast(${bound} as bigint) else false end`;
    case "mysql":
      return sql`case when l.value regexp '^[0-9]{1,18}$' then cast(l.value as signed) ${sign} cast(${bound} as signed) else false end`;
    case "sqlite":
      return sql`case when l.value <> '' and l.value not glob '*[^0-9]*' and length(l.value) <= 18
        then cast(l.value as integer) ${sign} cast(${bound} as integer) else 0 end`;
  }
}
