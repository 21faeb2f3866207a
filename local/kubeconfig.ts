/**
 * The kubeconfig of an embedded cluster for kubectl and other tools, in the data folder while the cluster runs with
 * TLS.
 */
import { stringifyYaml } from "@tiphys/model/yaml";
import type { Announcement } from "./announcement.ts";
import { createPrivateFile } from "./own_folder.ts";

/** The name of the cluster, user and context. */
const NAME = "tiphys-local";

/** Returns the path of the kubeconfig in a data folder. */
export function kubeconfigFile(dataDir: string): string {
  return `${dataDir}/kubeconfig`;
}

/** Writes the kubeconfig, which only this user can read. */
export async function writeKubeconfig(dataDir: string, announcement: Announcement): Promise<void> {
  const file = kubeconfigFile(dataDir);
  const text = kubeconfigOf(announcement);
  await createPrivateFile(file);
  await Deno.writeTextFile(file, text);
}

/**
 * Returns the text of a kubeconfig.
 * @throws {Error} for a cluster without TLS: kubectl does not send tokens without TLS.
 */
export function kubeconfigOf({ url, token, caCert }: Announcement): string {
  if (caCert === undefined) {
    throw new Error(
      `The cluster at ${url} runs without TLS, so kubectl would send it no token: start it with  tiphys local`,
    );
  }
  const authority = new TextEncoder().encode(caCert).toBase64();
  return stringifyYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: NAME, cluster: { server: url, "certificate-authority-data": authority } }],
    users: [{ name: NAME, user: { token } }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: "default" } }],
    "current-context": NAME,
  });
}
