/**
 * The artifact repository of a workflow: chosen once, when it starts, and kept whole in its status. What a ConfigMap or the
 * controller says later is no matter to it.
 */
import { UserError } from "@tiphys/base/user_error";
import { locationOfRepository } from "@tiphys/model/artifact/location";
import type { ArtifactRepositoryRefStatus } from "@tiphys/model/api";
import { repositoryIn } from "../artifact_repository.ts";
import { REPOSITORIES_CONFIG_MAP } from "@tiphys/base/constants";
import type { RequestsDraft, Slice, StatusDraft } from "../slice.ts";

/**
 * Chooses the repository where the status has none: the ConfigMap that the spec refers to, in the workflow's namespace or
 * the controller's; without a reference the usual ConfigMap of the workflow's namespace, or what the controller says.
 * @returns false while a ConfigMap is still asked for: the next pass has it.
 * @throws {UserError} when what is referred to is not there, or is no repository.
 */
export function settleRepository(pass: Slice<StatusDraft & RequestsDraft>): boolean {
  if (pass.draft.workflow.status?.artifactRepositoryRef) return true;
  try {
    const found = pass.draft.spec.artifactRepositoryRef ? referred(pass) : usual(pass);
    if (found === "waiting") return false;
    if (!found) return true;
    // A repository to which nothing can be saved throws here, before anything runs.
    locationOfRepository(found.artifactRepository);
    pass.draft.setStatus({ artifactRepositoryRef: found });
    return true;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`failed to resolve artifact repository: ${error.message}`, { cause: error });
  }
}

/** The repository of a workflow that refers to none; undefined where its namespace and the settings have none. */
function usual(pass: Slice): ArtifactRepositoryRefStatus | undefined {
  const namespace = pass.draft.workflow.metadata.namespace!;
  const found = repositoryIn(pass.facts.repositories?.(), { namespace, shown: `${namespace}/#` });
  if (found) return found;
  const { artifactRepository } = pass.facts.config;
  return artifactRepository && { default: true, artifactRepository };
}

function referred(pass: Slice<RequestsDraft>): ArtifactRepositoryRefStatus | "waiting" {
  const { configMap = "", key = "" } = pass.draft.spec.artifactRepositoryRef!;
  const own = pass.draft.workflow.metadata.namespace!;
  for (const namespace of new Set([own, pass.facts.config.namespace ?? own])) {
    const name = configMap || REPOSITORIES_CONFIG_MAP;
    const shown = `${namespace}/${configMap}#${key}`;
    const map = pass.facts.readConfigMaps.get(`${namespace}/${name}`);
    if (!map) {
      pass.draft.ask({ kind: "readConfigMap", namespace, name });
      return "waiting";
    }
    if ("problem" in map) {
      throw new UserError(`error getting config map for artifact repository ref "${shown}": ${map.problem}`);
    }
    const found = map.configMap && repositoryIn(map.configMap, { namespace, name, key, shown });
    if (found) return found;
  }
  throw new UserError(`failed to find any artifact repository for artifact repository ref "${configMap}#${key}"`);
}

/** The place of artifacts and logs of the workflow that name none, with the template of its keys. */
export function archiveOf(pass: Slice): Record<string, unknown> | undefined {
  return locationOfRepository(pass.draft.workflow.status?.artifactRepositoryRef?.artifactRepository);
}
