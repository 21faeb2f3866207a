/** The archive of finished workflows in a database with Argo's tables. Depends on `database`. */
export type { ArchivedWorkflow } from "./archived_workflow.ts";
export type { Filters } from "./filters.ts";
export type { OffloadedNodes, OffloadedVersion } from "./offloaded_nodes.ts";
export { type ArchiveEnvironment, OpenArchive } from "./open_archive.ts";
export type { Cursor } from "./page_keys.ts";
export type { BeforeDelete, ListOptions, Page, WorkflowArchive } from "./workflow_archive.ts";
