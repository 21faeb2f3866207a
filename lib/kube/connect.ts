/** Picks the way to an API server that this process was given. */

import { anonymousInCluster, inClusterNamespace, inClusterTransport, isInCluster } from "./in_cluster.ts";
import { connectKubeconfig } from "./kubeconfig.ts";
import type { Impersonation, Transport } from "./transport.ts";

/** Explicit choices; without any, a pod uses its service account and everybody else the default kubeconfig. */
export interface ConnectOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly inCluster?: boolean | undefined;
  /** The user in whose name this process asks: only where a kubeconfig says how. */
  readonly actAs?: Impersonation | undefined;
}

/**
 * Connects to an API server.
 * @throws when none is configured.
 */
export async function connectTransport(options: ConnectOptions = {}): Promise<Transport> {
  const named = isNamed(options);
  if (options.inCluster ?? (!named && isInCluster())) return inClusterTransport();
  return (await connectKubeconfig(options)).transport;
}

/** A server that is asked in the name of many. */
export interface SharedServer {
  /** The transport with the credentials of this process. */
  readonly transport: Transport;
  /** The transport without credentials. */
  readonly anonymous: Transport;
  /** The namespace of this process, where that is known. */
  readonly namespace: string | undefined;
}

/**
 * Connects to an API server as this process, and without credentials for requests in the name of others.
 * @throws when none is configured.
 */
export async function connectSharedServer(options: ConnectOptions = {}): Promise<SharedServer> {
  const named = isNamed(options);
  if (options.inCluster ?? (!named && isInCluster())) {
    return {
      transport: inClusterTransport(),
      anonymous: anonymousInCluster(),
      namespace: await inClusterNamespace(),
    };
  }
  const { transport, anonymous, namespace } = await connectKubeconfig(options);
  return { transport, anonymous: anonymous(), namespace };
}

/** Whether a kubeconfig is meant, also in a pod. */
function isNamed({ kubeconfig, context, actAs }: ConnectOptions): boolean {
  return kubeconfig !== undefined || context !== undefined || actAs !== undefined || !!Deno.env.get("KUBECONFIG");
}
