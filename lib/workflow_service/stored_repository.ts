/** The artifact repository that a ConfigMap of a namespace names: what clients can read of where artifacts lie. */
import type { ArtifactRepositoryRefStatus } from "../api/mod.ts";
import { repositoryIn } from "../artifact_repository.ts";
import { REPOSITORIES_CONFIG_MAP } from "../constants.ts";
import { findConfigMap, type KubeClient } from "../kube/mod.ts";
import type { RepositoryChoice } from "./service.ts";

/**
 * The repository in a ConfigMap of a namespace; without a choice the usual one. Undefined where there is none.
 * @throws {UserError} for what is no repository.
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
