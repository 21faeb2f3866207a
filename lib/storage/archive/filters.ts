/** The filters of a list of archived workflows, as SQL. */
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import type { Engine } from "../database/mod.ts";
import type { Requirement } from "@tiphys/base/selector/label_selector";
import { isExactly, isLike } from "./exact_text.ts";
import { labelCondition } from "./label_conditions.ts";
import { formatMillis } from "../database/stored_time.ts";
import type { ArchiveTables } from "./tables.ts";

/** The comparison of a workflow name with the filter. */
export type NameFilter = "Exact" | "Contains" | "Prefix" | "NotEquals";

/** Filters of archived workflows. An undefined or empty filter matches everything. */
export interface Filters {
  readonly namespace?: string | undefined;
  readonly namespaceFilter?: "Exact" | "NotEquals" | undefined;
  readonly name?: string | undefined;
  /** Default: `Exact`. */
  readonly nameFilter?: NameFilter | undefined;
  readonly namePrefix?: string | undefined;
  readonly labels?: readonly Requirement[] | undefined;
  readonly startedAfter?: Date | undefined;
  readonly startedBefore?: Date | undefined;
  readonly createdAfter?: Date | undefined;
  readonly finishedBefore?: Date | undefined;
  /** Only rows after this one. */
  readonly after?: { readonly startedAt: string; readonly uid: string } | undefined;
  /** Only rows with these UIDs. */
  readonly uids?: readonly string[] | undefined;
  /** Additional filters, all of which must match. */
  readonly and?: readonly Filters[] | undefined;
}

/** Separates the label requirements from the other filters. */
export function splitLabels(filters: Filters): { readonly others: Filters; readonly labels: readonly Requirement[] } {
  const { labels = [], and = [], ...others } = filters;
  const more = and.map(splitLabels);
  return {
    others: { ...others, and: more.map(({ others }) => others) },
    labels: [...labels, ...more.flatMap(({ labels }) => labels)],
  };
}

type Builder = ExpressionBuilder<ArchiveTables, "argo_archived_workflows">;

/** Returns the filters as SQL conditions, all of which must hold. User input is always bound, never part of the SQL. */
export function conditions(engine: Engine, filters: Filters, eb: Builder): Expression<SqlBool>[] {
  const { namespace, namespaceFilter, name, nameFilter = "Exact", namePrefix, labels = [] } = filters;
  const { startedAfter, startedBefore, createdAfter, finishedBefore, after, uids } = filters;
  const found: Expression<SqlBool>[] = labels.map((requirement) => labelCondition(engine, requirement));
  if (namespace) found.push(eb("namespace", namespaceFilter === "NotEquals" ? "!=" : "=", namespace));
  if (name) found.push(nameCondition(engine, nameFilter, name, eb));
  if (namePrefix) found.push(nameCondition(engine, "Prefix", namePrefix, eb));
  if (startedAfter) found.push(eb("startedat", ">", formatMillis(startedAfter.getTime())));
  if (startedBefore) found.push(eb("startedat", "<", formatMillis(startedBefore.getTime())));
  if (createdAfter) found.push(eb("creationtimestamp", ">", formatMillis(createdAfter.getTime())));
  if (finishedBefore) found.push(eb("finishedat", "<", formatMillis(finishedBefore.getTime())));
  if (uids) found.push(uids.length === 0 ? sql`1 = 0` : eb("uid", "in", uids));
  for (const more of filters.and ?? []) found.push(...conditions(engine, more, eb));
  if (after) {
    found.push(eb("startedat", "<=", after.startedAt));
    found.push(eb.or([eb("startedat", "<", after.startedAt), eb("uid", "<", after.uid)]));
  }
  return found;
}

function nameCondition(engine: Engine, filter: NameFilter, name: string, eb: Builder): Expression<SqlBool> {
  switch (filter) {
    case "Exact":
      return isExactly(engine, "name", [name]);
    case "NotEquals":
      return eb.not(isExactly(engine, "name", [name]));
    case "Prefix":
      // SQLite's LIKE is case-insensitive and uses no index.
      return engine === "sqlite"
        ? eb.between("name", name, `${name}\u{10ffff}`)
        : isLike(engine, "name", `${escapePattern(name)}%`);
    case "Contains":
      return engine === "sqlite" ? sql`instr(name, ${name}) > 0` : isLike(engine, "name", `%${escapePattern(name)}%`);
  }
}

function escapePattern(text: string): string {
  return text.replace(/[!%_]/g, "!$&");
}
