/** The credentials that a pod brings for its images. */
import type { Pod } from "../../lib/api/mod.ts";
import { dockerConfig } from "../image/credentials.ts";
import type { Lookup } from "./lookup.ts";
import { SetupError } from "./setup_error.ts";

const KEYS = [".dockerconfigjson", ".dockercfg"] as const;

/** What the pod's `imagePullSecrets` hold, each in the form of docker's `config.json`; those that are not there are left out.
 * Throws SetupError for one that holds something else. */
export async function pullSecrets(pod: Pod, lookup: Pick<Lookup, "secret">): Promise<unknown[]> {
  const secrets: unknown[] = [];
  for (const { name = "" } of pod.spec.imagePullSecrets ?? []) {
    const content = await lookup.secret(pod.metadata.namespace ?? "", name);
    for (const key of KEYS) {
      const bytes = content?.get(key);
      if (bytes) secrets.push(readConfig(bytes, key, name));
    }
  }
  return secrets;
}

function readConfig(bytes: Uint8Array, key: typeof KEYS[number], secret: string): unknown {
  try {
    const config = JSON.parse(new TextDecoder().decode(bytes));
    return dockerConfig.parse(key === ".dockercfg" ? { auths: config } : config);
  } catch {
    // What is in it may be a password.
    const what = `secret "${secret}": its key ${key} is no configuration of docker`;
    throw new SetupError("CreateContainerConfigError", what);
  }
}
