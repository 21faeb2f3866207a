/**
 * Access to repositories: credentials, hosts and servers for git. A credential is used only for the host of the
 * artifact's repository, and is never in process arguments or in files of the repository.
 */
import { basicAuthorization } from "@tiphys/base/basic_authorization";
import { type DriverEnvironment, type SecretField, secretOf, StoreError } from "@tiphys/model/artifact";
import { bitsOf, type Host } from "@tiphys/base/net/address";
import { NetError } from "@tiphys/base/net";
import { checkKey } from "./ssh_key.ts";
import { resolveRedirects } from "./settle.ts";
import { findPrograms, IMAGE_AUTHORITIES, IMAGE_BIN } from "./programs.ts";
import { isSsh, type Remote, remoteOf } from "./remote.ts";
import { sshOfImage, sshOfMachine } from "./ssh_client.ts";

/** The fields of a `git` artifact about access to its repository. */
export interface AccessSettings {
  readonly repo: string;
  readonly usernameSecret?: SecretField;
  readonly passwordSecret?: SecretField;
  readonly sshPrivateKeySecret?: SecretField;
  readonly insecureIgnoreHostKey?: boolean;
  readonly insecureSkipTLS?: boolean;
}

/** Access to repositories. Disposing of it removes its files. */
export interface Access extends AsyncDisposable {
  /**
   * Returns the environment of a git process that connects to a remote.
   * @throws {StoreError} when the remote may not be connected to.
   */
  environment(remote: Remote): Promise<Record<string, string>>;
  /** The address in the artifact, without credentials. */
  readonly remote: Remote;
}

/** Environment variables that are passed on to git: proxies and certificate authorities. */
const PASSED_VARIABLES = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "GIT_SSL_CAINFO",
  "GIT_EXEC_PATH",
  "LD_LIBRARY_PATH",
];

/** A transfer below this speed, in bytes per second, for this many seconds is aborted. */
const MIN_SPEED = { bytes: "1000", seconds: "60" };

/** Configuration that keeps git from running hooks, filters, helpers or prompts. */
const SAFE_CONFIGURATION: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["credential.helper", ""],
  ["protocol.ext.allow", "never"],
  ["protocol.file.allow", "never"],
  ["fetch.recurseSubmodules", "false"],
  ["submodule.recurse", "false"],
  ["safe.directory", "*"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["advice.detachedHead", "false"],
  ["http.lowSpeedLimit", MIN_SPEED.bytes],
  ["http.lowSpeedTime", MIN_SPEED.seconds],
];

/**
 * Sets up the access that an artifact describes.
 * @throws {StoreError} when a secret is missing, or is not an ssh key.
 */
export async function openAccess(
  settings: AccessSettings,
  surroundings: DriverEnvironment,
  stop: AbortSignal,
): Promise<Access> {
  const { remote: written, username: nameInUrl, password: passwordInUrl } = remoteOf(settings.repo);
  const username = await secretOf(surroundings, settings.usernameSecret) ?? nameInUrl;
  const password = await secretOf(surroundings, settings.passwordSecret) ?? passwordInUrl;
  const key = await secretOf(surroundings, settings.sshPrivateKeySecret);
  if (key !== undefined) checkKey(key);
  const folder = await Deno.makeTempDir({ prefix: "tiphys-git-" });
  const forget = () => Deno.remove(folder, { recursive: true });
  try {
    await Deno.chmod(folder, 0o700);
    const keyFile = `${folder}/key`;
    // ssh requires a line end after the last line of a key, which secrets often lack.
    if (key !== undefined) await Deno.writeTextFile(keyFile, `${key.trimEnd()}\n`, { mode: 0o600, createNew: true });
    const given = (username || password) && !isSsh(written) && written.scheme !== "git";
    const authorization = given ? basicAuthorization(username ?? "", password ?? "") : undefined;
    const insecureSkipTLS = settings.insecureSkipTLS === true;
    const isWeb = written.scheme === "http" || written.scheme === "https";
    const settled = authorization !== undefined || (surroundings.reach && isWeb)
      ? await resolveRedirects(surroundings, { remote: written, authorization, insecureSkipTLS }, stop)
      : undefined;
    const remote = settled ?? written;
    const programs = findPrograms(surroundings.env("PATH") ?? "");
    const sshOf = (to: Remote, isOwn: boolean, address: string | undefined) => {
      const options = {
        address,
        keyFile: isOwn && key !== undefined ? keyFile : undefined,
        knownHosts: surroundings.env("SSH_KNOWN_HOSTS"),
        anyHost: isOwn && settings.insecureIgnoreHostKey === true,
      };
      if (!programs.areBundled) return sshOfMachine(to, options);
      return isSsh(to) ? sshOfImage(to, options, folder) : {};
    };
    return {
      remote,
      environment: async (to) => {
        const isOwn = to.host === remote.host;
        const address = await addressOf(to, surroundings);
        const configuration = [...SAFE_CONFIGURATION, ...address === undefined ? [] : pinAddress(to, address)];
        if (isOwn && !isSsh(to)) {
          const scope = new URL("/", to.url).href;
          if (settled && authorization !== undefined && to.scheme === settled.scheme) {
            configuration.push([`http.${scope}.extraHeader`, `Authorization: ${authorization}`]);
            // The header would be sent with every redirect that git follows.
            configuration.push([`http.${scope}.followRedirects`, "false"]);
          }
          if (insecureSkipTLS) configuration.push([`http.${scope}.sslVerify`, "false"]);
        }
        return {
          ...Object.fromEntries(PASSED_VARIABLES.flatMap((name) => {
            const value = surroundings.env(name);
            return value === undefined ? [] : [[name, value]];
          })),
          PATH: programs.path,
          ...programs.areBundled ? imageVariables(surroundings) : {},
          HOME: folder,
          LC_ALL: "C",
          GIT_TERMINAL_PROMPT: "0",
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_ALLOW_PROTOCOL: "http:https:ssh:git",
          GIT_PROTOCOL_FROM_USER: "0",
          ...sshOf(to, isOwn, address),
          GIT_SSH_VARIANT: "ssh",
          ...configurationVariables(configuration),
        };
      },
      [Symbol.asyncDispose]: forget,
    };
  } catch (error) {
    await forget();
    throw error;
  }
}

/** Returns the address that git must connect to; undefined if it may connect to any. */
async function addressOf(remote: Remote, { reach }: DriverEnvironment): Promise<string | undefined> {
  if (!reach) return undefined;
  try {
    const [address = ""] = await reach.addresses(hostOf(remote));
    return bitsOf(address) === undefined ? undefined : address;
  } catch (error) {
    if (!(error instanceof NetError)) throw error;
    throw new StoreError(`git: ${error.message}`, error.passes ? "transient" : "forbidden");
  }
}

const PORTS = { http: 80, https: 443, ssh: 22, git: 9418 } as const;

function hostOf({ url, scheme, host }: Remote): Host {
  const parsed = url.includes("://") ? URL.parse(url) : null;
  return { hostname: parsed?.hostname ?? host, port: Number(parsed?.port || PORTS[scheme]) };
}

/**
 * Returns configuration with which git connects only to a checked address: it resolves no names and follows no
 * redirects.
 */
function pinAddress(remote: Remote, address: string): (readonly [string, string])[] {
  const { hostname, port } = hostOf(remote);
  const written = address.includes(":") ? `[${address}]` : address;
  switch (remote.scheme) {
    case "git":
      return [[`url.git://${written}:${port}/.insteadOf`, new URL("/", remote.url).href]];
    case "ssh":
      return [];
    default:
      return [["http.curloptResolve", `${hostname}:${port}:${written}`], ["http.followRedirects", "false"]];
  }
}

function configurationVariables(configuration: readonly (readonly [string, string])[]): Record<string, string> {
  const all: Record<string, string> = { GIT_CONFIG_COUNT: String(configuration.length) };
  configuration.forEach(([name, value], index) => {
    all[`GIT_CONFIG_KEY_${index}`] = name;
    all[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return all;
}

/** Returns the variables with which the programs of the executor's image find their files. */
function imageVariables({ env }: DriverEnvironment): Record<string, string> {
  const authorities = env("GIT_SSL_CAINFO") ?? env("SSL_CERT_FILE") ?? IMAGE_AUTHORITIES;
  return { GIT_EXEC_PATH: IMAGE_BIN, GIT_SSL_CAINFO: authorities };
}

/** Returns an error about the fields of an artifact. */
export function fieldError(message: string): StoreError {
  return new StoreError(`git: ${message}`, "final");
}
