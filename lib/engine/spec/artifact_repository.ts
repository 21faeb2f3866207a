/**
 * The artifact repository of a workflow: chosen once, when the workflow starts, and stored in its status in full. Later
 * changes of a ConfigMap or of the controller's settings do not affect the workflow.
 */
import { UserError } from "@tiphys/base/user_error";
import { locationOfRepository } from "@tiphys/model/artifact/location";
import type { ArtifactRepositoryRefStatus } from "@tiphys/model/api";
import { readRepository } from "../artifact_repository.ts";
import { REPOSITORIES_CONFIG_MAP } from "@tiphys/base/constants";
import type { RequestsDraft, Slice, StatusDraft } from "../slice.ts";

/**
 * Chooses the repository unless the status has one already. A reference in the spec is resolved in the workflow's
 * namespace, then in the controller's. Without a reference, the default ConfigMap of the workflow's namespace is used,
 * then the controller's setting.
 * @returns false while the pass waits for a ConfigMap that it has requested; the next pass has it.
 * @throws {UserError} if the referenced repository does not exist or is not a valid repository.
 */
export function chooseRepository(pass: Slice<StatusDraft & RequestsDraft>): boolean {
  if (pass.draft.workflow.status?.artifactRepositoryRef) return true;
  try {
    const found = pass.draft.spec.artifactRepositoryRef ? referencedRepository(pass) : defaultRepository(pass);
    if (found === "waiting") return false;
    if (!found) return true;
    // Throws for a repository in which nothing can be saved, before any node runs.
    locationOfRepository(found.artifactRepository);
    pass.draft.setStatus({ artifactRepositoryRef: found });
    return true;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`failed to resolve artifact repository: ${error.message}`, { cause: error });
  }
}

/** The repository of a workflow without a reference; undefined if neither its namespace nor the settings have one. */
function defaultRepository(pass: Slice): ArtifactRepositoryRefStatus | undefined {
  const namespace = pass.draft.workflow.metadata.namespace!;
  const found = readRepository(pass.facts.repositories?.(), { namespace, display: `${namespace}/#` });
  if (found) return found;
  const { artifactRepository } = pass.facts.config;
  return artifactRepository && { default: true, artifactRepository };
}

function referencedRepository(pass: Slice<RequestsDraft>): ArtifactRepositoryRefStatus | "waiting" {
  const { configMap = "", key = "" } = pass.draft.spec.artifactRepositoryRef!;
  const own = pass.draft.workflow.metadata.namespace!;
  for (const namespace of new Set([own, pass.facts.config.namespace ?? own])) {
    const name = configMap || REPOSITORIES_CONFIG_MAP;
    const display = `${namespace}/${configMap}#${key}`;
    const map = pass.facts.readConfigMaps.get(`${namespace}/${name}`);
    if (!map) {
      pass.draft.request({ kind: "readConfigMap", namespace, name });
      return "waiting";
    }
    if ("problem" in map) {
      throw new UserError(`error getting config map for artifact repository ref "${display}": ${map.problem}`);
    }
    const found = map.configMap && readRepository(map.configMap, { namespace, name, key, display });
    if (found) return found;
  }
  throw new UserError(`failed to find any artifact repository for artifact repository ref "${configMap}#${key}"`);
}

/** The location of the workflow's logs and of artifacts without a location, including the template for keys. */
export function archiveLocationOf(pass: Slice): Record<string, unknown> | undefined {
  return locationOfRepository(pass.draft.workflow.status?.artifactRepositoryRef?.artifactRepository);
}
