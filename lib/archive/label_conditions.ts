/** Requirements on labels as SQL. */
import { type Expression, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Engine } from "../database/mod.ts";
import { isExactly } from "./exact_text.ts";
import type { Requirement } from "../template/selector/label_selector.ts";

/** A requirement as a condition on a row of `argo_archived_workflows`. */
export function labelCondition(engine: Engine, requirement: Requirement): Expression<SqlBool> {
  switch (requirement.operator) {
    case "!":
      return hasNot({ ...requirement, operator: "exists" });
    case "!=":
    case "notin":
      return hasNot({ ...requirement, operator: "in" });
    default:
      return sql`${labelRow(engine, requirement)} is not null`;
  }
  function hasNot(opposite: Requirement): RawBuilder<SqlBool> {
    return sql`${labelRow(engine, opposite)} is null`;
  }
}

/** A requirement that a label is there as a condition on a row `l` of `argo_archived_workflows_labels`. */
export function labelRowCondition(engine: Engine, { key, operator, values }: Requirement): RawBuilder<SqlBool> {
  const isNamed = sql<SqlBool>`${isExactly(engine, "l.name", [key])}`;
  if (operator === "exists") return isNamed;
  if (operator === ">" || operator === "<") return sql`${isNamed} and ${compares(engine, operator, values[0] ?? "")}`;
  return sql`${isNamed} and ${isExactly(engine, "l.value", values)}`;
}

/**
 * One, where the workflow has such a label, else null. `exists` would say the same, and MariaDB would collect all workflows
 * that have it before it looks at the first.
 */
function labelRow(engine: Engine, requirement: Requirement): RawBuilder<unknown> {
  return sql`(select 1 from argo_archived_workflows_labels l where l.clustername = argo_archived_workflows.clustername
    and l.uid = argo_archived_workflows.uid and ${labelRowCondition(engine, requirement)} limit 1)`;
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
