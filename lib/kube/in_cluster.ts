/**
 * The transport of a pod: the address from the environment, token and CA from the service account's mounted files. The
 * executor bundles this file, so it has no npm imports.
 */

import { ENV, PATH } from "@tiphys/base/constants";
import { cachedCredentials, type Credentials } from "./credentials.ts";
import type { Login } from "./login.ts";
import { httpTransport, type Transport } from "./transport.ts";

/** The environment of a pod, replaceable in a test. */
export interface InClusterOptions {
  readonly env?: (name: string) => string | undefined;
  readonly readFile?: (path: string) => Promise<string>;
  readonly now?: () => number;
}

/** Whether this process runs in a pod with access to an API server. */
export function isInCluster(env: (name: string) => string | undefined = (name) => Deno.env.get(name)): boolean {
  return !!env("KUBERNETES_SERVICE_HOST") && !!env("KUBERNETES_SERVICE_PORT");
}

/** Returns the namespace of this pod's service account. */
export async function inClusterNamespace(): Promise<string> {
  return (await Deno.readTextFile(`${PATH.serviceAccount}/namespace`)).trim();
}

/**
 * Connects with this pod's service account.
 * @throws {Error} when the environment names no API server.
 */
export function inClusterTransport(options: InClusterOptions = {}): Transport {
  return transportOf(options, true);
}

/** Returns the same server without the service account's token, for requests of other users. */
export function anonymousInCluster(options: InClusterOptions = {}): Transport {
  return transportOf(options, false);
}

/** Returns the login of this pod's service account, parts of which the user may override. */
export async function inClusterLogin(options: InClusterOptions = {}): Promise<Login> {
  const server = serverOf(options);
  const told = (options.readFile ?? Deno.readTextFile)(`${PATH.serviceAccount}/namespace`);
  return {
    context: "",
    namespace: await told.then((text) => text.trim(), () => undefined),
    cluster: { name: server, server },
    credentials: () => credentialsOf(options, true),
  };
}

function transportOf(options: InClusterOptions, asAccount: boolean): Transport {
  return httpTransport({
    server: serverOf(options),
    retriesUnauthorized: asAccount,
    credentials: cachedCredentials(() => credentialsOf(options, asAccount), options.now),
  });
}

function schemeOf({ env = (name) => Deno.env.get(name) }: InClusterOptions): string {
  return env(ENV.apiScheme) ?? "https";
}

function serverOf(options: InClusterOptions): string {
  const env = options.env ?? ((name) => Deno.env.get(name));
  const host = env("KUBERNETES_SERVICE_HOST");
  const port = env("KUBERNETES_SERVICE_PORT");
  if (!host || !port) {
    throw new Error("Expected KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT in the environment of a pod");
  }
  return `${schemeOf(options)}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function credentialsOf(options: InClusterOptions, asAccount: boolean): Promise<Credentials> {
  const readFile = options.readFile ?? Deno.readTextFile;
  const tls = schemeOf(options) === "https" ? { caCerts: [await readFile(`${PATH.serviceAccount}/ca.crt`)] } : {};
  if (!asAccount) return { tls };
  const token = (await readFile(`${PATH.serviceAccount}/token`)).trim();
  return { headers: { authorization: `Bearer ${token}` }, tls };
}
