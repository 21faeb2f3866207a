/** Selects the connection to an API server from the options and environment of this process. */

import { anonymousInCluster, inClusterNamespace, inClusterTransport, isInCluster } from "./in_cluster.ts";
import { connectKubeconfig } from "./kubeconfig.ts";
import type { Impersonation, Transport } from "./transport.ts";

/** Explicit options. Without any, a pod uses its service account and other processes the default kubeconfig. */
export interface ConnectOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly inCluster?: boolean | undefined;
  /** The user to impersonate. Requires a kubeconfig. */
  readonly actAs?: Impersonation | undefined;
}

/**
 * Connects to an API server.
 * @throws {Error} when no server is configured.
 */
export async function connectTransport(options: ConnectOptions = {}): Promise<Transport> {
  const named = isNamed(options);
  if (options.inCluster ?? (!named && isInCluster())) return inClusterTransport();
  return (await connectKubeconfig(options)).transport;
}

/** A server that requests are sent to on behalf of many users. */
export interface SharedServer {
  /** The transport with the credentials of this process. */
  readonly transport: Transport;
  /** The transport without credentials. */
  readonly anonymous: Transport;
  /** The namespace of this process, if known. */
  readonly namespace: string | undefined;
}

/**
 * Connects to an API server with the credentials of this process, and without credentials for requests of other users.
 * @throws {Error} when no server is configured.
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

/** Whether the options refer to a kubeconfig, which takes precedence even in a pod. */
function isNamed({ kubeconfig, context, actAs }: ConnectOptions): boolean {
  return kubeconfig !== undefined || context !== undefined || actAs !== undefined || !!Deno.env.get("KUBECONFIG");
}
