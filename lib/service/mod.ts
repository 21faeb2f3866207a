/**
 * The operations on workflows for users and pages, as one interface: list, get, watch, submit, change, delete, logs,
 * and the templates and cron workflows that workflows are created from. The CLI is a thin layer over it; a server can
 * offer it, and a client of a server can implement it.
 *
 * | file | holds |
 * | --- | --- |
 * | `service.ts` | the interface, `WorkflowService` |
 * | `choose.ts`, `stored_templates.ts` | queries that combine operations: all pages, the newest workflow, referenced
 * templates | | `cluster_service.ts` | the implementation over the Kubernetes API | | `stored_objects.ts` | objects of
 * the cluster, parsed as their kind | | `list.ts`, `follow.ts`, `change.ts`, `recreate_workflow.ts`, `logs.ts` with
 * `line_queue.ts`, `templates.ts` | its parts | | `instance.ts` | the controller instance of an object | |
 * `selected_logs.ts` | logs of other pods, such as event sources | | `output_artifacts.ts`, `place_of_artifact.ts`,
 * `artifacts.ts` | output artifacts: selection, location and download | | `stored_repository.ts` | the artifact
 * repository in a ConfigMap | | `removal.ts` | which artifacts users may delete | | `archive_service.ts`,
 * `stored_archive.ts` | the archive: its interface, and the implementation over its database | | `lint_objects.ts`,
 * `line_filter.ts` | parts that few callers need, imported by them so that others load faster | | `server/` | the
 * implementation over an Argo server | | `testing/contract.ts` | the contract of every implementation |
 *
 * @module
 */
export type { ArchivedId, ArchiveQuery, ArchiveService } from "./archive_service.ts";
export { changeWorkflow, performRetry, refuseShutdownOfCompleted } from "./change.ts";
export { LATEST, listAll, resolveName, unfinishedWorkflows } from "./choose.ts";
export { ClusterService } from "./cluster_service.ts";
export { nameSuffix } from "./name_suffix.ts";
export { isLike, type NodeArtifact, outputArtifacts } from "./output_artifacts.ts";
export { NameInUseError } from "./recreate_workflow.ts";
export { retryArchived } from "./retry_archived.ts";
export { type PodLine, selectedLogs } from "./selected_logs.ts";
export type {
  ArtifactChoice,
  Lintable,
  LogRequest,
  NameQuery,
  OpenStore,
  ResubmitRequest,
  RetryRequest,
  TemplateStore,
  WorkflowName,
  WorkflowQuery,
  WorkflowService,
  WorkflowSource,
} from "./service.ts";
