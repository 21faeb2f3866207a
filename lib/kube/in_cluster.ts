/**
 * The transport of a pod: address from the environment, token and CA from the service account's mounted files.
 * The executor bundles this file, so it imports nothing but Deno's own.
 */

import { ENV, PATH } from "../constants.ts";
import { rememberedCredentials } from "./credentials.ts";
import { httpTransport, type Transport } from "./transport.ts";

/** The world around a pod, replaceable in a test. */
export interface InClusterOptions {
  readonly env?: (name: string) => string | undefined;
  readonly readFile?: (path: string) => Promise<string>;
  readonly now?: () => number;
}

/** Whether this process runs in a pod that was given an API server. */
export function isInCluster(env: (name: string) => string | undefined = (name) => Deno.env.get(name)): boolean {
  return !!env("KUBERNETES_SERVICE_HOST") && !!env("KUBERNETES_SERVICE_PORT");
}

/** The namespace of this pod's service account. */
export async function inClusterNamespace(): Promise<string> {
  return (await Deno.readTextFile(`${PATH.serviceAccount}/namespace`)).trim();
}

/**
 * Connects as this pod's service account.
 * @throws when the environment names no API server.
 */
export function inClusterTransport(options: InClusterOptions = {}): Transport {
  return transportOf(options, true);
}

/** The same server without the service account's token: for requests in the name of others. */
export function anonymousInCluster(options: InClusterOptions = {}): Transport {
  return transportOf(options, false);
}

function transportOf(options: InClusterOptions, asAccount: boolean): Transport {
  const env = options.env ?? ((name) => Deno.env.get(name));
  const readFile = options.readFile ?? Deno.readTextFile;
  const host = env("KUBERNETES_SERVICE_HOST");
  const port = env("KUBERNETES_SERVICE_PORT");
  if (!host || !port) {
    throw new Error("Expected KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT in the environment of a pod");
  }
  const scheme = env(ENV.apiScheme) ?? "https";
  return httpTransport({
    server: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    asksAgain: asAccount,
    credentials: rememberedCredentials(async () => {
      const tls = scheme === "https" ? { caCerts: [await readFile(`${PATH.serviceAccount}/ca.crt`)] } : {};
      if (!asAccount) return { tls };
      const token = (await readFile(`${PATH.serviceAccount}/token`)).trim();
      return { headers: { authorization: `Bearer ${token}` }, tls };
    }, options.now),
  });
}
