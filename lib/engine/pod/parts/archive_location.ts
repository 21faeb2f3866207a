/** The archive location: the location of artifacts and logs without a location in the template. */
import type { ArtifactLocation, Template, WorkflowSpec } from "@tiphys/model/api";
import { hasLocationOrKey, isFull, keyOf, LocationError, relocate } from "@tiphys/model/artifact/location";
import { hasStore } from "@tiphys/model/artifact/stores";
import { PodBuildError } from "../request.ts";

/**
 * Resolves the archive location for the executor: the template's, if it is complete, otherwise the repository's, if an
 * artifact or log needs it.
 * @throws {PodBuildError} if a tag in it has no value, as the file would get a wrong name; and if an artifact without a
 * full location cannot be stored there.
 */
export function resolveArchiveLocation(
  template: Template,
  spec: WorkflowSpec,
  repository: ArtifactLocation | undefined,
): ArtifactLocation | undefined {
  const location = archiveLocation(template, spec, repository);
  if (hasStore(location)) {
    for (const artifact of artifactsOf(template)) if (hasLocationOrKey(artifact)) completeLocation(artifact, location);
  }
  return location;
}

function archiveLocation(
  template: Template,
  spec: WorkflowSpec,
  repository: ArtifactLocation | undefined,
): ArtifactLocation | undefined {
  const own = template.archiveLocation;
  const archiveLogs = archivesLogs(template, spec, repository);
  const logs = archiveLogs || own?.archiveLogs !== undefined ? { archiveLogs } : {};
  if (isFull(own)) return withoutUnresolvedTags({ ...own, ...logs });
  if (!archiveLogs && artifactsOf(template).every(isFull)) return own;
  if (!hasStore(repository)) {
    return hasStore(own)
      ? withoutUnresolvedTags({ ...own, ...logs })
      : withoutUnresolvedTags({ ...repository, archiveLogs });
  }
  const { archiveLogs: _, ...place } = repository!;
  const location = keyOf(own) === undefined ? place : completeLocation(own!, place);
  return withoutUnresolvedTags({ ...location, archiveLogs });
}

/** All locations of a template that refer to a store. */
function artifactsOf({ inputs, outputs, data, resource }: Template): ArtifactLocation[] {
  const others = [data?.source.artifactPaths, resource?.manifestFrom?.artifact];
  return [
    ...inputs?.artifacts ?? [],
    ...outputs?.artifacts ?? [],
    ...others.filter((artifact) => artifact !== undefined),
  ];
}

function completeLocation<T extends ArtifactLocation>(artifact: T, archive: ArtifactLocation | undefined): T {
  try {
    return relocate(artifact, archive);
  } catch (error) {
    if (!(error instanceof LocationError)) throw error;
    const { name } = artifact as { name?: string };
    throw new PodBuildError(name ? `artifact ${name}: ${error.message}` : `archiveLocation: ${error.message}`);
  }
}

/**
 * Whether main's log is archived: always if the repository requires it, otherwise by template, workflow or repository.
 */
export function archivesLogs(template: Template, spec: WorkflowSpec, repository?: ArtifactLocation): boolean {
  return repository?.archiveLogs === true ||
    (template.archiveLocation?.archiveLogs ?? spec.archiveLogs ?? repository?.archiveLogs ?? false);
}

function withoutUnresolvedTags<T extends ArtifactLocation | undefined>(location: T): T {
  const [unresolved] = JSON.stringify(location ?? {}).match(/\{\{[^{}]*\}\}/) ?? [];
  if (unresolved) throw new PodBuildError(`failed to resolve ${unresolved}`);
  return location;
}
