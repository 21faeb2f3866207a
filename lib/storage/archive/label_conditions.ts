/** Label requirements as SQL. */
import { type Expression, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Engine } from "../database/mod.ts";
import { isExactly } from "./exact_text.ts";
import type { Requirement } from "@tiphys/base/selector/label_selector";

/** Returns a requirement as a condition on a row of `argo_archived_workflows`. */
export function labelCondition(engine: Engine, requirement: Requirement): Expression<SqlBool> {
  const { label, isAbsent } = labelOf(requirement);
  return isAbsent ? sql`not ${hasLabel(engine, label)}` : hasLabel(engine, label);
}

/**
 * As `labelCondition`, for a PostgreSQL that first collects all workflows with the label and looks each one up in the
 * result: faster if few or no workflows of a page match. `is true` prevents a join, for which it would read the labels
 * of each workflow if it has no statistics.
 */
export function collectedLabelCondition(clusterName: string, requirement: Requirement): Expression<SqlBool> {
  const { label, isAbsent } = labelOf(requirement);
  return sql`(argo_archived_workflows.uid in (select l.uid from argo_archived_workflows_labels l
    where l.clustername = ${clusterName} and ${labelRowCondition("postgresql", label)}))
    ${sql.raw(isAbsent ? "is not true" : "is true")}`;
}

/** Returns the label of a requirement as a requirement that it exists, and whether it must be absent. */
export function labelOf(requirement: Requirement): { readonly label: Requirement; readonly isAbsent: boolean } {
  switch (requirement.operator) {
    case "!":
      return { label: { ...requirement, operator: "exists" }, isAbsent: true };
    case "!=":
    case "notin":
      return { label: { ...requirement, operator: "in" }, isAbsent: true };
    default:
      return { label: requirement, isAbsent: false };
  }
}

/** Returns the requirement that a label exists as a condition on a row `l` of `argo_archived_workflows_labels`. */
export function labelRowCondition(engine: Engine, requirement: Requirement): RawBuilder<SqlBool> {
  return sql`${isNamed(engine, requirement)} and ${hasValue(engine, requirement)}`;
}

function isNamed(engine: Engine, { key }: Requirement): Expression<SqlBool> {
  return isExactly(engine, "l.name", [key]);
}

function hasValue(engine: Engine, { operator, values }: Requirement): Expression<SqlBool> {
  if (operator === "exists") return sql`1 = 1`;
  return operator === ">" || operator === "<"
    ? compareNumber(engine, operator, values[0] ?? "")
    : isExactly(engine, "l.value", values);
}

/**
 * Whether the workflow has such a label. Uses a subquery over the workflow's labels instead of `exists`, for which
 * MariaDB would first collect all workflows with the label. The expression `name || ''`, and the value outside of
 * `where`, keep PostgreSQL from the index on names and values: without statistics, it prefers that index to the primary
 * key and reads all workflows with the label for each workflow of the page.
 */
function hasLabel(engine: Engine, requirement: Requirement): RawBuilder<SqlBool> {
  const ofWorkflow = sql`argo_archived_workflows_labels l
    where l.clustername = argo_archived_workflows.clustername and l.uid = argo_archived_workflows.uid`;
  if (engine === "postgresql") {
    return sql`coalesce((select ${hasValue(engine, requirement)} from ${ofWorkflow}
      and l.name || '' = ${requirement.key}), false)`;
  }
  return sql`((select 1 from ${ofWorkflow} and ${labelRowCondition(engine, requirement)} limit 1) is not null)`;
}

/** Whether the value is a number that is greater or less; up to 18 digits, which all servers support. */
function compareNumber(engine: Engine, operator: ">" | "<", bound: string): Expression<SqlBool> {
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
