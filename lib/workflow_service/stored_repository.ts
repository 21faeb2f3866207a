/** Reads the artifact repository in a ConfigMap of a namespace, as far as clients can read it. */
import type { ArtifactRepositoryRefStatus } from "../api/mod.ts";
import { repositoryIn } from "../artifact_repository.ts";
import { REPOSITORIES_CONFIG_MAP } from "../constants.ts";
import { findConfigMap, type KubeClient } from "../kube/mod.ts";
import type { RepositoryChoice } from "./service.ts";

/**
 * Returns the repository in a ConfigMap of a namespace, by default the default one. Undefined when it does not exist.
 * @throws {UserError} for an invalid repository.
 */
export async function storedRepository(
  client: Pick<KubeClient, "get">,
  namespace: string,
  { configMap, key }: RepositoryChoice = {},
): Promise<ArtifactRepositoryRefStatus | undefined> {
  const name = configMap || REPOSITORIES_CONFIG_MAP;
  const map = await findConfigMap(client, namespace, name);
  const shown = `${namespace}/${configMap ?? ""}#${key ?? ""}`;
  return map && repositoryIn(map, { namespace, name, shown, ...(key ? { key } : {}) });
}
