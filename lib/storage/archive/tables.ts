/** The tables of the archive as queries see them. */

/** One archived workflow. Times are texts in UTC, as `2026-11-23 04:05:06`. */
export interface ArchivedWorkflowRow {
  clustername: string;
  uid: string;
  /** Empty where the controller has no instance ID. */
  instanceid: string;
  name: string;
  namespace: string;
  phase: string;
  startedat: string;
  finishedat: string;
  /** Rows of old versions of Argo have none. */
  creationtimestamp: string | null;
  /** The workflow as JSON. */
  workflow: string;
}

/** One label of an archived workflow. */
interface LabelRow {
  clustername: string;
  uid: string;
  name: string;
  value: string;
}

/** All tables, by their names. */
export interface ArchiveTables {
  argo_archived_workflows: ArchivedWorkflowRow;
  argo_archived_workflows_labels: LabelRow;
  /** One row: how many changes of Argo's to its tables have been made, counted from -1. */
  schema_history: { schema_version: number };
}
