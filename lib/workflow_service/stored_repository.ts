/** The artifact repository that a ConfigMap of a namespace names: what clients can read of where artifacts lie. */
import type { ArtifactRepositoryRefStatus, ConfigMap } from "../api/mod.ts";
import { repositoryIn } from "../artifact_repository.ts";
import { REPOSITORIES_CONFIG_MAP } from "../constants.ts";
import { CONFIGMAPS, dataOf, type KubeClient, sortError } from "../kube/mod.ts";
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
  const map = await found(client, namespace, name);
  const shown = `${namespace}/${configMap ?? ""}#${key ?? ""}`;
  return map && repositoryIn(map, { namespace, name, shown, ...(key ? { key } : {}) });
}

async function found(client: Pick<KubeClient, "get">, namespace: string, name: string): Promise<ConfigMap | undefined> {
  try {
    const object = await client.get(CONFIGMAPS, namespace, name);
    return { metadata: object.metadata, data: dataOf(object) };
  } catch (error) {
    if (sortError(error) === "notFound") return undefined;
    throw error;
  }
}
