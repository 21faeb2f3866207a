/**
 * The operations on workflows that people and pages need, as one interface: list, get, watch, submit, change, delete,
 * logs, and the templates and cron workflows that workflows are made from. The CLI is thin above it; a server can offer
 * it, and a client of a server implement it.
 *
 * | file | holds |
 * | --- | --- |
 * | `service.ts` | the interface, `WorkflowService` |
 * | `choose.ts`, `stored_templates.ts` | questions that are put together from it: all pages, the newest, objects beside stored templates |
 * | `cluster_service.ts` | the implementation over the Kubernetes API |
 * | `stored_objects.ts` | objects of the cluster, read as their kind where they enter |
 * | `list.ts`, `follow.ts`, `change.ts`, `create_anew.ts`, `logs.ts` with `line_queue.ts`, `templates.ts` | its parts |
 * | `instance.ts` | the instance of a controller that objects belong to |
 * | `selected_logs.ts` | logs of other pods: of what brings events |
 * | `output_artifacts.ts`, `place_of_artifact.ts`, `artifacts.ts` | which artifacts a workflow put out, where, and how one is fetched |
 * | `stored_repository.ts` | the repository that a ConfigMap names |
 * | `removal.ts` | which of them people may delete |
 * | `archive_service.ts`, `stored_archive.ts` | the archive: its interface, and the one over its database |
 * | `lint_objects.ts`, `line_filter.ts` | what only some callers need: these import them, and the rest stays quick to load |
 * | `server/` | the implementation over an Argo server |
 * | `testing/contract.ts` | what every implementation promises |
 *
 * @module
 */
export { type ArtifactQuery, isLike, type NodeArtifact, outputArtifacts } from "./output_artifacts.ts";
export { LATEST, listAll, resolveName, unfinishedWorkflows } from "./choose.ts";
export { carryOutRetry, changeWorkflow, type Cluster } from "./change.ts";
export { ClusterService } from "./cluster_service.ts";
export { NameInUseError } from "./create_anew.ts";
export { retryArchived } from "./retry_archived.ts";
export { nameSuffix } from "./name_suffix.ts";
export type * from "./archive_service.ts";
export { type PodLine, selectedLogs } from "./selected_logs.ts";
export type * from "./service.ts";
export { ServerArchive } from "./server/server_archive.ts";
export { StoredArchive } from "./stored_archive.ts";
export { overNet, type SendToServer, type ServerAddress } from "./server/exchange.ts";
export { ServerService } from "./server/server_service.ts";
export { type ServerVersion, serverVersion } from "./server/server_version.ts";
export { readable, StoredObjects, storedWorkflows } from "./stored_objects.ts";
export {
  referenceName,
  referredTemplates,
  storedTemplates,
  type TemplateReference,
  templateReferences,
} from "./stored_templates.ts";
export { serverLimits } from "./server/sync_limits.ts";
