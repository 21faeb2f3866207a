/** Reads the artifact repository in a ConfigMap of a namespace, as far as clients can read it. */
import type { ArtifactRepositoryRefStatus } from "@tiphys/model/api";
import { readRepository } from "@tiphys/engine/artifact_repository";
import { REPOSITORIES_CONFIG_MAP } from "@tiphys/base/constants";
import type { KubeClient } from "@tiphys/kube";
import { findConfigMap } from "@tiphys/kube/stored_settings";
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
  return map && readRepository(map, { namespace, name, display: shown, ...(key ? { key } : {}) });
}
