/** Archived workflows as lists show them: without their templates and nodes, which stay in the database. */
import { sql } from "kysely";
import { API_VERSION } from "../constants.ts";
import type { Engine } from "../database/mod.ts";
import { type ArchivedWorkflow, asPersisted, parsed } from "./archived_workflow.ts";
import { fromStoredJson } from "./stored_json.ts";
import { kubernetesTime } from "./stored_time.ts";
import type { ArchivedWorkflowRow } from "./tables.ts";

/** The parts of the JSON that a list shows, by the columns in which they are selected. */
const SHOWN = {
  labels: ["metadata", "labels"],
  annotations: ["metadata", "annotations"],
  suspend: ["spec", "suspend"],
  arguments: ["spec", "arguments"],
  message: ["status", "message"],
  progress: ["status", "progress"],
  estimatedDuration: ["status", "estimatedDuration"],
  resourcesDuration: ["status", "resourcesDuration"],
} as const;
type Shown = keyof typeof SHOWN;

/** The columns that are selected as they are. */
export const LISTED_COLUMNS = [
  "name",
  "namespace",
  "uid",
  "phase",
  "startedat",
  "finishedat",
  "creationtimestamp",
] as const;

/** A row as it is selected for a list. */
export type ListedRow =
  & Pick<ArchivedWorkflowRow, typeof LISTED_COLUMNS[number]>
  & Readonly<Record<Shown, string | null>>;

/** Selects what is shown as JSON texts, null where it is not there. */
export function shownColumns(engine: Engine) {
  const names = Object.keys(SHOWN) as Shown[];
  return names.map((name) => {
    const [outer, inner] = SHOWN[name];
    const value = {
      postgresql: sql<string | null>`cast(workflow -> ${sql.lit(outer)} -> ${sql.lit(inner)} as text)`,
      mysql: sql<string | null>`json_extract(workflow, ${sql.lit(`$.${outer}.${inner}`)})`,
      sqlite: sql<string | null>`workflow -> ${sql.lit(`$.${outer}.${inner}`)}`,
    }[engine];
    return value.as(name);
  });
}

/** The workflow of a row. */
export function listed(engine: Engine, row: ListedRow): ArchivedWorkflow {
  const of = (name: Shown) => row[name] === null ? undefined : fromStoredJson(engine, row[name]);
  const fields = (...names: Shown[]) =>
    Object.fromEntries(names.map((name) => [name, of(name)]).filter(([, value]) => value !== undefined));
  return asPersisted(parsed({
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: {
      name: row.name,
      namespace: row.namespace,
      uid: row.uid,
      creationTimestamp: kubernetesTime(row.creationtimestamp ?? row.startedat),
      ...fields("labels", "annotations"),
    },
    spec: fields("arguments", "suspend"),
    status: {
      phase: row.phase,
      startedAt: kubernetesTime(row.startedat),
      finishedAt: kubernetesTime(row.finishedat),
      ...fields("message", "progress", "estimatedDuration", "resourcesDuration"),
    },
  }));
}
