/**
 * The transport of a person: a kubeconfig with whatever its user entry needs (certificates, tokens, exec plugins,
 * OIDC). Parsing and logging in are @kubernetes/client-node's, loaded only here and only when a kubeconfig is used.
 */

import type { KubeConfig } from "@kubernetes/client-node";
import { type Credentials, rememberedCredentials } from "./credentials.ts";
import { httpTransport, type Transport } from "./transport.ts";

/** Which kubeconfig, and which context of it. Without a path: KUBECONFIG, then ~/.kube/config. */
export interface KubeconfigOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** A connection described by a kubeconfig, and the namespace its context names. */
export interface KubeconfigConnection {
  readonly transport: Transport;
  readonly namespace: string | undefined;
  readonly context: string;
  readonly server: string;
}

/** Reads a kubeconfig. Throws when it names no cluster, an unknown context, or settings that cannot be honoured. */
export async function connectKubeconfig(options: KubeconfigOptions): Promise<KubeconfigConnection> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  if (options.kubeconfig) config.loadFromFile(options.kubeconfig);
  else config.loadFromDefault();
  if (options.context) selectContext(config, options.context);
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new Error(`Expected the kubeconfig's context "${config.getCurrentContext()}" to name a cluster`);
  if (cluster.skipTLSVerify) {
    throw new Error(
      `Cluster "${cluster.name}" asks to skip the check of its certificate, which is not done: give it certificate-authority`,
    );
  }
  if (cluster.tlsServerName) {
    throw new Error(`Cluster "${cluster.name}" sets tls-server-name, which is not supported`);
  }
  const transport = httpTransport({
    server: cluster.server,
    credentials: rememberedCredentials(() => credentialsOf(config)),
    ...(cluster.proxyUrl && { proxy: cluster.proxyUrl }),
  });
  const context = config.getCurrentContext();
  return { transport, namespace: config.getContextObject(context)?.namespace, context, server: cluster.server };
}

function selectContext(config: KubeConfig, context: string): void {
  if (!config.getContextObject(context)) {
    const known = config.getContexts().map((c) => `"${c.name}"`).join(", ");
    throw new Error(`Expected a context of the kubeconfig (${known}), got "${context}"`);
  }
  config.setCurrentContext(context);
}

/** Runs the user entry's login, if it has one, and reads its files. */
async function credentialsOf(config: KubeConfig): Promise<Credentials> {
  const options: {
    headers?: Record<string, number | string | string[]>;
    auth?: string;
    ca?: unknown;
    cert?: unknown;
    key?: unknown;
  } = {};
  await config.applyToHTTPSOptions(options as Parameters<KubeConfig["applyToHTTPSOptions"]>[0]);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = String(value);
  if (options.auth) headers.authorization = `Basic ${btoa(options.auth)}`;
  const ca = pem(options.ca), cert = pem(options.cert), key = pem(options.key);
  return { headers, tls: { ...(ca && { caCerts: [ca] }), ...(cert && { cert }), ...(key && { key }) } };
}

function pem(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}
