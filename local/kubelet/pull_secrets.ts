/** The credentials that a pod brings for its images. */
import type { Pod } from "../../lib/api/mod.ts";
import type { Lookup } from "./lookup.ts";

const KEYS = [".dockerconfigjson", ".dockercfg"] as const;

/** What the pod's `imagePullSecrets` hold, each in the form of docker's `config.json`; those that are not there are left out. */
export async function pullSecrets(pod: Pod, lookup: Pick<Lookup, "secret">): Promise<unknown[]> {
  const secrets: unknown[] = [];
  for (const { name = "" } of pod.spec.imagePullSecrets ?? []) {
    const content = await lookup.secret(pod.metadata.namespace ?? "", name);
    for (const key of KEYS) {
      const bytes = content?.get(key);
      if (!bytes) continue;
      const config = JSON.parse(new TextDecoder().decode(bytes));
      secrets.push(key === ".dockercfg" ? { auths: config } : config);
    }
  }
  return secrets;
}
