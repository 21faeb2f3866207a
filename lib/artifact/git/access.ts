/**
 * Access to repositories: what git is told of credentials, hosts and servers. A credential is for the host of the
 * artifact's repository alone, and stands in no argument of a process and in no file of the repository.
 */
import { basicAuthorization } from "../../basic_authorization.ts";
import { StoreError, type Surroundings } from "../driver.ts";
import { type SecretField, secretOf } from "../secret_fields.ts";
import { checkKey } from "./ssh_key.ts";
import { settle } from "./settle.ts";
import { BROUGHT_AUTHORITIES, BROUGHT_BIN, programsOn } from "./programs.ts";
import { isSsh, type Remote, remoteOf } from "./remote.ts";
import { sshOfImage, sshOfMachine } from "./ssh_client.ts";

/** The fields of a `git` artifact that say how a repository may be entered. */
export interface AccessSettings {
  readonly repo: string;
  readonly usernameSecret?: SecretField;
  readonly passwordSecret?: SecretField;
  readonly sshPrivateKeySecret?: SecretField;
  readonly insecureIgnoreHostKey?: boolean;
  readonly insecureSkipTLS?: boolean;
}

/** A way into repositories, for as long as it is not let go. */
export interface Access extends AsyncDisposable {
  /** The environment of a git process that talks with a remote. */
  environment(remote: Remote): Record<string, string>;
  /** The address that the artifact names, without credentials. */
  readonly remote: Remote;
}

/** The variables of this process's environment that git gets too: proxies and certificate authorities. */
const PASSED_ON = [
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

/** The speed below which a transfer is ended, in bytes for each second, and after how many seconds. */
const SLOWEST = { bytes: "1000", seconds: "60" };

/** Settings that keep git from running hooks, filters, helpers or prompts. */
const SAFE: readonly (readonly [string, string])[] = [
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
  ["http.lowSpeedLimit", SLOWEST.bytes],
  ["http.lowSpeedTime", SLOWEST.seconds],
];

/**
 * Opens the way that an artifact says.
 * @throws {StoreError} when a secret is missing, or is no key of ssh.
 */
export async function openAccess(
  settings: AccessSettings,
  surroundings: Surroundings,
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
    // The last line of a key must end, which a secret often does not.
    if (key !== undefined) await Deno.writeTextFile(keyFile, `${key.trimEnd()}\n`, { mode: 0o600, createNew: true });
    const given = (username || password) && !isSsh(written) && written.scheme !== "git";
    const authorization = given ? basicAuthorization(username ?? "", password ?? "") : undefined;
    const insecureSkipTLS = settings.insecureSkipTLS === true;
    const settled = authorization &&
      await settle(surroundings, { remote: written, authorization, insecureSkipTLS }, stop);
    const remote = settled || written;
    const programs = programsOn(surroundings.env("PATH") ?? "");
    const sshOf = (to: Remote, isOwn: boolean) => {
      const options = {
        keyFile: isOwn && key !== undefined ? keyFile : undefined,
        knownHosts: surroundings.env("SSH_KNOWN_HOSTS"),
        anyHost: isOwn && settings.insecureIgnoreHostKey === true,
      };
      if (!programs.areBrought) return sshOfMachine(to, options);
      return isSsh(to) ? sshOfImage(to, options, folder) : {};
    };
    return {
      remote,
      environment: (to) => {
        const isOwn = to.host === remote.host;
        const configuration = [...SAFE];
        if (isOwn && !isSsh(to)) {
          const scope = new URL("/", to.url).href;
          if (settled && to.scheme === settled.scheme) {
            configuration.push([`http.${scope}.extraHeader`, `Authorization: ${authorization}`]);
            // A header goes along with every redirect that git follows.
            configuration.push([`http.${scope}.followRedirects`, "false"]);
          }
          if (insecureSkipTLS) configuration.push([`http.${scope}.sslVerify`, "false"]);
        }
        return {
          ...Object.fromEntries(PASSED_ON.flatMap((name) => {
            const value = surroundings.env(name);
            return value === undefined ? [] : [[name, value]];
          })),
          PATH: programs.path,
          ...programs.areBrought ? broughtAlong(surroundings) : {},
          HOME: folder,
          LC_ALL: "C",
          GIT_TERMINAL_PROMPT: "0",
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_ALLOW_PROTOCOL: "http:https:ssh:git",
          GIT_PROTOCOL_FROM_USER: "0",
          ...sshOf(to, isOwn),
          GIT_SSH_VARIANT: "ssh",
          ...asVariables(configuration),
        };
      },
      [Symbol.asyncDispose]: forget,
    };
  } catch (error) {
    await forget();
    throw error;
  }
}

function asVariables(configuration: readonly (readonly [string, string])[]): Record<string, string> {
  const all: Record<string, string> = { GIT_CONFIG_COUNT: String(configuration.length) };
  configuration.forEach(([name, value], index) => {
    all[`GIT_CONFIG_KEY_${index}`] = name;
    all[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return all;
}

/** The variables with which the programs of the executor's image find what they need there. */
function broughtAlong({ env }: Surroundings): Record<string, string> {
  const authorities = env("GIT_SSL_CAINFO") ?? env("SSL_CERT_FILE") ?? BROUGHT_AUTHORITIES;
  return { GIT_EXEC_PATH: BROUGHT_BIN, GIT_SSL_CAINFO: authorities };
}

/** An error of what an artifact says of its repository. */
export function mistake(message: string): StoreError {
  return new StoreError(`git: ${message}`, "final");
}
