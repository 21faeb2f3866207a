/**
 * A kubeconfig whose user needs no login provider: certificates, a token, a password or a program. Nearly all
 * kubeconfigs are like this. @kubernetes/client-node supports the others, but costs 25 MB of memory and a third of a
 * second.
 */

import { basicAuthorization } from "@tiphys/base/basic_authorization";
import { isObject } from "@tiphys/base/fields_of";
import type { Credentials } from "./credentials.ts";
import { type ExecCredentials, execCredentials, type ExecLogin } from "./exec_login.ts";
import type { Login, LoginChoice } from "./login.ts";
import { readKubeconfig } from "./read_kubeconfig.ts";
import { readSmallFile } from "./read_small_file.ts";

/** Maximum size of a token, a key or certificates in bytes: several times that of all authorities of a system. */
const MAX_FILE_BYTES = 1024 * 1024;

type Entry = Readonly<Record<string, unknown>>;

/**
 * Reads a file. `choice` overrides entries of the context. Undefined when its user needs a login provider, or when it
 * is not a kubeconfig.
 */
export async function readPlainKubeconfig(
  path: string,
  context: string | undefined,
  choice: LoginChoice = {},
): Promise<Login | undefined> {
  const config = await readKubeconfig(path);
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
  return plainLoginOf(config, folder, context, choice);
}

/** Returns the login of a parsed kubeconfig. Relative paths are resolved against the folder. */
export function plainLoginOf(
  config: Entry | null,
  folder: string,
  context: string | undefined,
  choice: LoginChoice = {},
): Login | undefined {
  const name = context ?? text(config?.["current-context"]) ?? "";
  const chosen = entryByName(config, "contexts", name, "context");
  if (!chosen) return undefined;
  const clusterName = choice.cluster ?? text(chosen.cluster) ?? "";
  const cluster = entryByName(config, "clusters", clusterName, "cluster");
  const userName = choice.user ?? text(chosen.user) ?? "";
  const user = entryByName(config, "users", userName, "user") ?? (choice.user ? undefined : {});
  if (!user) return undefined;
  const isAnother = choice.token !== undefined || choice.username !== undefined;
  const server = text(cluster?.server);
  if (!cluster || !server || !isAnother && Object.keys(user).some((field) => !PLAIN.has(field))) return undefined;
  return {
    context: name,
    namespace: text(chosen.namespace),
    cluster: {
      name: clusterName,
      server,
      skipTLSVerify: cluster["insecure-skip-tls-verify"] === true,
      tlsServerName: text(cluster["tls-server-name"]),
      proxyUrl: text(cluster["proxy-url"]),
    },
    credentials: isObject(user.exec) && !isAnother
      ? withAuthority({ exec: user.exec, cluster, folder, user: userName })
      : () => credentialsOf(cluster, isAnother ? {} : user, folder),
  };
}

const PLAIN: ReadonlySet<string> = new Set([
  "client-certificate",
  "client-certificate-data",
  "client-key",
  "client-key-data",
  "token",
  "tokenFile",
  "username",
  "password",
  "exec",
]);

function entryByName(config: Entry | null, list: string, name: string, field: string): Entry | undefined {
  const entries = config?.[list];
  if (!Array.isArray(entries)) return undefined;
  return entries.find((entry: Entry) => entry.name === name)?.[field] as Entry | undefined;
}

/** Returns the credentials of a program, together with the cluster's certificate authority. */
function withAuthority(login: Omit<ExecLogin, "authority">): ExecCredentials {
  const ofCluster = async () => (await credentialsOf(login.cluster, {}, login.folder)).tls?.caCerts;
  const ask = execCredentials({ ...login, authority: async () => (await ofCluster())?.[0] });
  return async (rejected) => {
    const [caCerts, { headers, tls }] = await Promise.all([ofCluster(), ask(rejected)]);
    return { headers: headers ?? {}, tls: { ...(caCerts && { caCerts }), ...tls } };
  };
}

async function credentialsOf(cluster: Entry, user: Entry, folder: string): Promise<Credentials> {
  const read = async (path: string) => {
    const absolute = path.startsWith("/") ? path : `${folder}/${path}`;
    return await readSmallFile(absolute, MAX_FILE_BYTES).catch((error: Error) => {
      throw new Error(`Could not read ${absolute}, a file of the kubeconfig: ${error.message}`, { cause: error });
    });
  };
  const pem = async (entry: Entry, field: string) => {
    const data = text(entry[`${field}-data`]);
    if (data) return new TextDecoder().decode(Uint8Array.fromBase64(data));
    const path = text(entry[field]);
    return path === undefined ? undefined : await read(path);
  };
  const [ca, cert, key] = await Promise.all([
    pem(cluster, "certificate-authority"),
    pem(user, "client-certificate"),
    pem(user, "client-key"),
  ]);
  const file = text(user.tokenFile);
  const token = file === undefined ? text(user.token) : (await read(file)).trim();
  const headers: Record<string, string> = {};
  if (token) headers.authorization = `Bearer ${token}`;
  else if (user.username !== undefined) {
    headers.authorization = basicAuthorization(String(user.username), String(user.password ?? ""));
  }
  return { headers, tls: { ...(ca && { caCerts: [ca] }), ...(cert && { cert }), ...(key && { key }) } };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
