/** Where artifacts and logs of a template go that name no place themselves. */
import type { ArtifactLocation, Template, WorkflowSpec } from "../api/mod.ts";
import { hasStore } from "../artifact_stores.ts";
import { PodBuildError } from "./request.ts";

/**
 * The archive location the executor gets: the template's own, else the repository's when something needs one.
 * Throws {@link PodBuildError} when a tag in it has no value: the file would land under a wrong name.
 */
export function settleArchiveLocation(
  template: Template,
  spec: WorkflowSpec,
  repository: ArtifactLocation | undefined,
): ArtifactLocation | undefined {
  const own = template.archiveLocation;
  if (hasStore(own)) return resolved(own);
  const archiveLogs = archivesLogs(template, spec, repository);
  const artifacts = [...template.inputs?.artifacts ?? [], ...template.outputs?.artifacts ?? []];
  const source = template.data?.source.artifactPaths;
  const needed = archiveLogs || [...artifacts, ...(source ? [source] : [])].some((artifact) => !hasStore(artifact));
  return needed ? resolved({ ...repository, archiveLogs }) : own;
}

/** Whether main's log is kept as an artifact: the controller's yes, else what template or workflow say. */
export function archivesLogs(template: Template, spec: WorkflowSpec, repository?: ArtifactLocation): boolean {
  return repository?.archiveLogs === true ||
    (template.archiveLocation?.archiveLogs ?? spec.archiveLogs ?? repository?.archiveLogs ?? false);
}

function resolved<T extends ArtifactLocation | undefined>(location: T): T {
  const [unresolved] = JSON.stringify(location ?? {}).match(/\{\{[^{}]*\}\}/) ?? [];
  if (unresolved) throw new PodBuildError(`failed to resolve ${unresolved}`);
  return location;
}
