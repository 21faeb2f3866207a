/** Picks the way to an API server that this process was given. */

import { inClusterTransport, isInCluster } from "./in_cluster.ts";
import { connectKubeconfig } from "./kubeconfig.ts";
import type { Transport } from "./transport.ts";

/** Explicit choices; without any, a pod uses its service account and everybody else the default kubeconfig. */
export interface ConnectOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly inCluster?: boolean | undefined;
}

/** Connects to an API server. Throws when none is configured. */
export async function connectTransport(options: ConnectOptions = {}): Promise<Transport> {
  const named = options.kubeconfig !== undefined || options.context !== undefined || !!Deno.env.get("KUBECONFIG");
  if (options.inCluster ?? (!named && isInCluster())) return inClusterTransport();
  return (await connectKubeconfig(options)).transport;
}
