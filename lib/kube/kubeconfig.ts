/**
 * The transport of a user: a kubeconfig with everything that its user entry needs. A kubeconfig without a login
 * provider is read here, and programs in it are run. OIDC logins use @kubernetes/client-node, which is loaded only for
 * them.
 */

import { basicAuthorization } from "@tiphys/base/basic_authorization";
import type { KubeConfig } from "./client_node.ts";
import { cachedCredentials, type Credentials } from "./credentials.ts";
import { inClusterLogin, isInCluster } from "./in_cluster.ts";
import { mergedKubeconfig } from "./merged_kubeconfig.ts";
import { chosenLogin, type Login, loginAt, type LoginChoice } from "./login.ts";
import { plainLoginOf, readPlainKubeconfig } from "./plain_kubeconfig.ts";
import { httpTransport, type Impersonation, type Transport } from "./transport.ts";

/** The path of a kubeconfig, and the name of a context in it. Default path: KUBECONFIG, then ~/.kube/config. */
export interface KubeconfigOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** The user to impersonate, if it differs from that of the credentials. */
  readonly actAs?: Impersonation | undefined;
  /** Options of the user that override parts of the context. */
  readonly choice?: LoginChoice | undefined;
}

/** A connection described by a kubeconfig, and the namespace of its context. */
export interface KubeconfigConnection {
  readonly transport: Transport;
  /** Returns the same server without credentials, for requests of other users. */
  readonly anonymous: () => Transport;
  readonly namespace: string | undefined;
  readonly context: string;
  readonly server: string;
}

/**
 * Reads a kubeconfig.
 * @throws {Error} when it names no cluster, an unknown context, or settings that are not supported.
 */
export async function connectKubeconfig(options: KubeconfigOptions): Promise<KubeconfigConnection> {
  const login = await loginOf(options);
  const { cluster, context, namespace } = login;
  if (!cluster && !context) throw new Error("Expected the kubeconfig to name a current-context, or --context to");
  if (!cluster) throw new Error(`Expected the kubeconfig's context "${context}" to name a cluster`);
  if (cluster.skipTLSVerify) {
    throw new Error(
      `Cluster "${cluster.name}" sets insecure-skip-tls-verify, which is not supported: set certificate-authority`,
    );
  }
  const name = cluster.tlsServerName ? { serverName: cluster.tlsServerName } : {};
  const credentials = async (rejected: boolean) => {
    const { headers, tls } = await login.credentials(rejected);
    return { ...(headers && { headers }), tls: { ...tls, ...name } };
  };
  const transport = httpTransport({
    server: cluster.server,
    // Credentials are not sent over plain HTTP, as in kubectl, because anybody could read them. `kubectl proxy` needs
    // none.
    ...(cluster.server.startsWith("https:") &&
      { credentials: cachedCredentials(credentials) }),
    ...(cluster.proxyUrl && { proxy: cluster.proxyUrl }),
    ...(options.actAs && { actAs: options.actAs }),
  });
  const anonymous = () =>
    httpTransport({
      server: cluster.server,
      retriesUnauthorized: false,
      ...(cluster.server.startsWith("https:") && {
        credentials: cachedCredentials(async () => {
          const { caCerts } = (await login.credentials(false)).tls ?? {};
          return { tls: { ...(caCerts && { caCerts }), ...name } };
        }),
      }),
      ...(cluster.proxyUrl && { proxy: cluster.proxyUrl }),
    });
  return { transport, anonymous, namespace, context, server: cluster.server };
}

/**
 * Returns the `authorization` header of a kubeconfig's user, after a login if needed; undefined for a user with a
 * certificate.
 * @throws {Error} when there is no kubeconfig, or the login fails.
 */
export async function kubeconfigAuthorization(options: KubeconfigOptions = {}): Promise<string | undefined> {
  const { credentials } = await loginOf(options);
  return (await credentials(false)).headers?.authorization;
}

/**
 * Returns the login of the kubeconfig with the user's overrides. Without a kubeconfig, returns a login at the given
 * server, or in a pod that of its service account.
 */
async function loginOf(options: KubeconfigOptions): Promise<Login> {
  const { choice } = options;
  return chosenLogin(
    await loginWithoutKubeconfig(options) ?? await plainLogin(options) ?? await libraryLogin(options),
    choice,
  );
}

/**
 * Returns the login that needs no kubeconfig; undefined if a kubeconfig exists, or the options refer to an entry of
 * one.
 */
async function loginWithoutKubeconfig(
  { kubeconfig, context, choice = {} }: KubeconfigOptions,
): Promise<Login | undefined> {
  if (kubeconfig || context || choice.cluster || choice.user || await hasKubeconfig()) return undefined;
  // The token of the service account is not sent to a server that the user names.
  if (choice.server) return loginAt(choice.server);
  return isInCluster() ? await inClusterLogin() : undefined;
}

/**
 * Reads the kubeconfig here if it has no login provider. Undefined leaves it to the library, including its messages.
 */
async function plainLogin({ kubeconfig, context, choice }: KubeconfigOptions): Promise<Login | undefined> {
  const files = await filesOf(kubeconfig);
  const [path = "", ...others] = files;
  try {
    if (others.length > 0) return plainLoginOf(await mergedKubeconfig(files), ".", context, choice);
    return await readPlainKubeconfig(path, context, choice);
  } catch {
    return undefined;
  }
}

async function libraryLogin(options: KubeconfigOptions): Promise<Login> {
  const config = new (await loadKubeConfig())();
  await requireDefault(options);
  const files = await filesOf(options.kubeconfig);
  const merged = await mergedKubeconfig(files);
  try {
    config.loadFromString(JSON.stringify(merged));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`Could not read the kubeconfig ${files.join(", ")}: ${message.split("\n")[0]}`, { cause: error });
  }
  if (options.context) selectContext(config, options.context);
  chooseEntries(config, options.choice ?? {});
  const context = config.getCurrentContext();
  return {
    context,
    namespace: config.getContextObject(context)?.namespace,
    cluster: config.getCurrentCluster() ?? undefined,
    credentials: () => credentialsOf(config),
  };
}

/**
 * Returns the files of a kubeconfig, by precedence: the given one, else the existing files of KUBECONFIG, else the
 * default. If no file of KUBECONFIG exists, returns all of them, so that reading them reports the error.
 */
async function filesOf(named: string | undefined): Promise<readonly string[]> {
  if (named !== undefined) return [named];
  const listed = (Deno.env.get("KUBECONFIG") ?? "").split(Deno.build.os === "windows" ? ";" : ":").filter(Boolean);
  if (listed.length === 0) return [defaultPath()];
  const there = await Promise.all(listed.map(exists));
  const found = listed.filter((_, index) => there[index]);
  return found.length > 0 ? found : listed;
}

/** Whether a kubeconfig exists at a place of KUBECONFIG or at the default path. */
export async function hasKubeconfig(): Promise<boolean> {
  return (await Promise.all((await filesOf(undefined)).map(exists))).includes(true);
}

/** Whether a file exists. Other errors count as existing, so that reading the file reports them. */
async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, (error) => !(error instanceof Deno.errors.NotFound));
}

/** Loads the library without the warning that its dependencies print for a deprecated Node module. */
async function loadKubeConfig(): Promise<typeof KubeConfig> {
  const { process } = globalThis as { process?: { noDeprecation?: boolean } };
  const before = process?.noDeprecation;
  if (process) process.noDeprecation = true;
  try {
    return (await import("./client_node.ts")).KubeConfig;
  } finally {
    if (process) process.noDeprecation = before ?? false;
  }
}

/** Checks that there is a kubeconfig. Without one, the library would connect to localhost:8080. */
async function requireDefault({ kubeconfig }: KubeconfigOptions): Promise<void> {
  if (kubeconfig !== undefined || Deno.env.get("KUBECONFIG")) return;
  if (!await hasKubeconfig()) {
    throw new Error(`Expected a kubeconfig in $KUBECONFIG or at "${defaultPath()}", found neither`);
  }
}

function defaultPath(): string {
  return `${Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE") ?? ""}/.kube/config`;
}

function selectContext(config: KubeConfig, context: string): void {
  if (!config.getContextObject(context)) {
    const known = config.getContexts().map((c) => `"${c.name}"`).join(", ");
    throw new Error(`Expected a context of the kubeconfig (${known}), got "${context}"`);
  }
  config.setCurrentContext(context);
}

/**
 * Replaces the entries of the current context with those that the user named. A given token replaces the user's login.
 */
function chooseEntries(config: KubeConfig, { cluster, user, token, username, password }: LoginChoice): void {
  if (cluster !== undefined) requireEntry("cluster", cluster, config.getClusters());
  if (user !== undefined) requireEntry("user", user, config.getUsers());
  const current = config.getCurrentContext();
  config.contexts = config.getContexts().map((context) =>
    context.name === current ? { ...context, ...(cluster && { cluster }), ...(user && { user }) } : context
  );
  if (token === undefined && username === undefined) return;
  const { name } = config.getCurrentUser() ?? {};
  const told = { ...(token && { token }), ...(username && { username, password: password ?? "" }) };
  config.users = config.getUsers().map((user) => user.name === name ? { name, ...told } : user);
}

function requireEntry(subject: string, name: string, entries: readonly { readonly name: string }[]): void {
  if (entries.some((entry) => entry.name === name)) return;
  const known = entries.map((entry) => JSON.stringify(entry.name)).join(", ");
  throw new Error(`Expected a ${subject} of the kubeconfig (${known}), got ${JSON.stringify(name)}`);
}

/** Runs the login of the user entry, if any, and reads its files. */
async function credentialsOf(config: KubeConfig): Promise<Credentials> {
  const options: {
    headers?: Record<string, number | string | string[]>;
    auth?: string;
    ca?: unknown;
    cert?: unknown;
    key?: unknown;
  } = {};
  await config.applyToHTTPSOptions(options as Parameters<KubeConfig["applyToHTTPSOptions"]>[0]).catch((error) => {
    throw loginFailed(config, error);
  });
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = String(value);
  if (options.auth) {
    const [username = "", password] = options.auth.split(/:(.*)/s);
    headers.authorization = basicAuthorization(username, password);
  }
  const ca = pem(options.ca), cert = pem(options.cert), key = pem(options.key);
  return { headers, tls: { ...(ca && { caCerts: [ca] }), ...(cert && { cert }), ...(key && { key }) } };
}

function loginFailed(config: KubeConfig, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  const user = JSON.stringify(config.getCurrentUser()?.name);
  return new Error(`The kubeconfig's user ${user} could not log in: ${why}`, { cause: error });
}

function pem(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}
