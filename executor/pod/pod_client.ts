/**
 * The client of the API server inside a pod: the address is in the environment, the token in the service account
 * volume.
 */
import { PATH } from "@tiphys/base/constants";
import { KubeClient } from "@tiphys/kube/client";
import { inClusterTransport } from "@tiphys/kube/in_cluster";

/** The part of the world that a client needs. */
interface Connectable {
  readonly root: string;
  env(name: string): string | undefined;
  log(message: string): void;
}

/** A client, and the namespace of the pod. */
export interface PodClient {
  readonly client: KubeClient;
  readonly namespace: string;
}

/** Connects with the pod's service account. */
export async function connectPod(world: Connectable): Promise<PodClient> {
  const readFile = (path: string) => Deno.readTextFile(`${world.root}${path}`);
  const client = new KubeClient(inClusterTransport({ env: world.env, readFile }), {
    userAgent: "argoexec",
    onWarning: (text) => world.log(`Warning: ${text}`),
  });
  return { client, namespace: (await readFile(`${PATH.serviceAccount}/namespace`)).trim() };
}
