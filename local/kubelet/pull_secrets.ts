/** The credentials of a pod for its images. */
import type { Pod } from "@tiphys/model/api";
import { PULL_SECRET_KEYS, readPullSecret } from "@tiphys/registry/docker_config";
import type { Lookup } from "./volumes/lookup.ts";
import { SetupError } from "./setup_error.ts";

/**
 * Returns the contents of the pod's `imagePullSecrets` in the format of docker's `config.json`. Secrets that do not
 * exist are omitted.
 * @throws {SetupError} if a Secret has another content.
 */
export async function pullSecrets(pod: Pod, lookup: Pick<Lookup, "secret">): Promise<unknown[]> {
  const secrets: unknown[] = [];
  for (const { name = "" } of pod.spec.imagePullSecrets ?? []) {
    const content = await lookup.secret(pod.metadata.namespace ?? "", name);
    for (const key of PULL_SECRET_KEYS) {
      const bytes = content?.get(key);
      if (bytes) secrets.push(readConfig(bytes, key, name));
    }
  }
  return secrets;
}

function readConfig(bytes: Uint8Array, key: typeof PULL_SECRET_KEYS[number], secret: string): unknown {
  const config = readPullSecret(bytes, key);
  if (config) return config;
  const what = `secret "${secret}": its key ${key} is not a Docker configuration`;
  throw new SetupError("CreateContainerConfigError", what);
}
