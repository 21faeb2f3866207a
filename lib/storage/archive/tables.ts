/** The tables of the archive for queries. */

/** One archived workflow. Times are text in UTC: `2026-11-23 04:05:06`. */
export interface ArchivedWorkflowRow {
  clustername: string;
  uid: string;
  /** Empty for a controller without an instance ID. */
  instanceid: string;
  name: string;
  namespace: string;
  phase: string;
  startedat: string;
  finishedat: string;
  /** Null in rows of old versions of Argo. */
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

/** All tables by name. */
export interface ArchiveTables {
  argo_archived_workflows: ArchivedWorkflowRow;
  argo_archived_workflows_labels: LabelRow;
  /** One row: the number of Argo's last change to the tables, starting at -1. */
  schema_history: { schema_version: number };
}
