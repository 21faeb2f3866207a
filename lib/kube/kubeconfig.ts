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
  const config = new (await loadKubeConfig())();
  if (options.kubeconfig) config.loadFromFile(options.kubeconfig);
  else {
    await requireDefault();
    config.loadFromDefault();
  }
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
    // As kubectl does: who logs in over plain HTTP tells everybody how. What is there needs no login (kubectl proxy).
    ...(cluster.server.startsWith("https:") && { credentials: rememberedCredentials(() => credentialsOf(config)) }),
    ...(cluster.proxyUrl && { proxy: cluster.proxyUrl }),
  });
  const context = config.getCurrentContext();
  return { transport, namespace: config.getContextObject(context)?.namespace, context, server: cluster.server };
}

/** The library's own dependencies use a deprecated module of Node, and would say so on every start. */
async function loadKubeConfig(): Promise<typeof KubeConfig> {
  const { process } = globalThis as { process?: { noDeprecation?: boolean } };
  const before = process?.noDeprecation;
  if (process) process.noDeprecation = true;
  try {
    return (await import("@kubernetes/client-node")).KubeConfig;
  } finally {
    if (process) process.noDeprecation = before ?? false;
  }
}

/** Without any kubeconfig the library would try localhost:8080, and its user wonder why. */
async function requireDefault(): Promise<void> {
  if (Deno.env.get("KUBECONFIG")) return;
  const path = `${Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE") ?? ""}/.kube/config`;
  const found = await Deno.stat(path).then(() => true, () => false);
  if (!found) throw new Error(`Expected a kubeconfig in $KUBECONFIG or at "${path}", found neither`);
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
