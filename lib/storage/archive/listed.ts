/** Archived workflows in lists: without templates and nodes, which are not read from the database. */
import { sql } from "kysely";
import { API_VERSION } from "@tiphys/base/constants";
import { itemsOf } from "@tiphys/base/fields_of";
import type { Engine } from "../database/mod.ts";
import { type ArchivedWorkflow, markAsPersisted, parseArchived, unreadableWorkflowError } from "./archived_workflow.ts";
import { fromStoredJson } from "./stored_json.ts";
import { kubernetesTime } from "../database/stored_time.ts";
import type { ArchivedWorkflowRow } from "./tables.ts";

/** The parts of the JSON that a list contains. */
const SHOWN_PATHS = [
  "metadata.labels",
  "metadata.annotations",
  "spec.suspend",
  "spec.arguments",
  "status.message",
  "status.progress",
  "status.estimatedDuration",
  "status.resourcesDuration",
] as const;

/** The columns that are selected unchanged. */
export const LISTED_COLUMNS = [
  "name",
  "namespace",
  "uid",
  "phase",
  "startedat",
  "finishedat",
  "creationtimestamp",
] as const;

/** A row of a list. */
export interface ListedRow extends Pick<ArchivedWorkflowRow, typeof LISTED_COLUMNS[number]> {
  /** A JSON list of the selected parts, null for missing ones. */
  readonly shown: string;
}

/** Selects the parts as one value, since databases parse the JSON once per expression. */
export function selectShownParts(engine: Engine) {
  const paths = SHOWN_PATHS.map((path) => sql.lit(`$.${path}`));
  const value = {
    postgresql: sql<string>`cast(jsonb_build_array(${sql.join(SHOWN_PATHS.map(jsonbOf))}) as text)`,
    mysql: sql<string>`json_array(${sql.join(paths.map((path) => sql`json_extract(workflow, ${path})`))})`,
    sqlite: sql<string>`json_extract(workflow, ${sql.join(paths)})`,
  }[engine];
  return value.as("shown");
}

function jsonbOf(path: typeof SHOWN_PATHS[number]) {
  return sql.join([sql.ref("workflow"), ...path.split(".").map((key) => sql.lit(key))], sql` -> `);
}

/** Returns the workflow of a row; if its parts cannot be parsed, the message is the error. */
export function parseListedRow(engine: Engine, row: ListedRow): ArchivedWorkflow {
  const { shown, problem } = extractParts(engine, row.shown);
  const fields = (block: string) =>
    Object.fromEntries(SHOWN_PATHS.flatMap((path, index) => {
      const [outer = "", inner = ""] = path.split(".");
      const value = shown[index] ?? undefined;
      return outer === block && value !== undefined ? [[inner, value] as const] : [];
    }));
  return markAsPersisted(parseArchived({
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: {
      name: row.name,
      namespace: row.namespace,
      uid: row.uid,
      creationTimestamp: kubernetesTime(row.creationtimestamp ?? row.startedat),
      ...fields("metadata"),
    },
    spec: fields("spec"),
    status: {
      phase: row.phase,
      startedAt: kubernetesTime(row.startedat),
      finishedAt: kubernetesTime(row.finishedat),
      ...fields("status"),
      ...problem,
    },
  }));
}

function extractParts(engine: Engine, text: string) {
  try {
    return { shown: itemsOf(fromStoredJson(engine, text)) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { shown: [], problem: { message: unreadableWorkflowError(error).message } };
  }
}
