/** Credentials as secrets of Kubernetes hold them, in docker's two forms. */
import { parseJson } from "@tiphys/base/bounded_json";
import { type DockerConfig, dockerConfig } from "./credentials.ts";

/** The keys of a secret under which they may be. */
export const PULL_SECRET_KEYS = [".dockerconfigjson", ".dockercfg"] as const;

/** Reads what lies under a key; undefined where it is no configuration of docker: what it is must not be told. */
export function readPullSecret(bytes: Uint8Array, key: (typeof PULL_SECRET_KEYS)[number]): DockerConfig | undefined {
  try {
    const config: unknown = parseJson(new TextDecoder().decode(bytes));
    return dockerConfig.parse(key === ".dockercfg" ? { auths: config } : config);
  } catch {
    return undefined;
  }
}
