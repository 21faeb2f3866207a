/** Credentials in Kubernetes secrets, in Docker's two formats. */
import { parseJson } from "@tiphys/base/bounded_json";
import { type DockerConfig, dockerConfig } from "./credentials.ts";

/** The keys of a secret that may contain credentials. */
export const PULL_SECRET_KEYS = [".dockerconfigjson", ".dockercfg"] as const;

/** Parses the value of a key; undefined if it is not a Docker configuration. Its content must not appear in errors. */
export function readPullSecret(bytes: Uint8Array, key: (typeof PULL_SECRET_KEYS)[number]): DockerConfig | undefined {
  try {
    const config: unknown = parseJson(new TextDecoder().decode(bytes));
    return dockerConfig.parse(key === ".dockercfg" ? { auths: config } : config);
  } catch {
    return undefined;
  }
}
