/** The API server as this pod reaches it: address from its environment, rights of its service account. */
import { PATH } from "../../lib/constants.ts";
import { KubeClient } from "../../lib/kube/client.ts";
import { inClusterTransport } from "../../lib/kube/in_cluster.ts";

/** The part of the world that a client takes. */
interface Connectable {
  readonly root: string;
  env(name: string): string | undefined;
  log(message: string): void;
}

/** A client, and the namespace the pod is in. */
export interface PodClient {
  readonly client: KubeClient;
  readonly namespace: string;
}

/** Connects as the pod. */
export async function connectPod(world: Connectable): Promise<PodClient> {
  const readFile = (path: string) => Deno.readTextFile(`${world.root}${path}`);
  const client = new KubeClient(inClusterTransport({ env: world.env, readFile }), {
    userAgent: "argoexec",
    onWarning: (text) => world.log(`Warning: ${text}`),
  });
  return { client, namespace: (await readFile(`${PATH.serviceAccount}/namespace`)).trim() };
}
