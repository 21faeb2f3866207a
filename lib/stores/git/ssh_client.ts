/**
 * Configures ssh for git: with our options and without user configuration. The machine's ssh gets them in its command.
 * The ssh of the executor's image reads them from a file, because that image has no shell, and gets its user from a
 * library, because it has no passwd file.
 */
import { IMAGE_BIN, IMAGE_NSS_WRAPPER } from "./programs.ts";
import type { Remote } from "./remote.ts";

/** The options of a connection. */
export interface SshOptions {
  readonly keyFile: string | undefined;
  /** Known hosts files, separated by colons. */
  readonly knownHosts: string | undefined;
  readonly anyHost: boolean;
  /** The address to connect to. By default that of the remote's name. */
  readonly address?: string | undefined;
}

/** Returns the variables with which git runs the machine's ssh. */
export function sshOfMachine(remote: Remote, options: SshOptions): Record<string, string> {
  const words = optionsOf(remote, options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  return { GIT_SSH_COMMAND: ["ssh", "-F", "none", ...words].map(shellQuoted).join(" ") };
}

/** Returns the variables with which git runs the image's ssh. Its files are in a private folder. */
export function sshOfImage(remote: Remote, options: SshOptions, ours: string): Record<string, string> {
  const folder = Deno.makeTempDirSync({ dir: ours });
  const lines = optionsOf(remote, options).map(([name, value]) => `${name} ${value}\n`);
  Deno.mkdirSync(`${folder}/.ssh`, { mode: 0o700 });
  Deno.writeTextFileSync(`${folder}/.ssh/config`, lines.join(""), { mode: 0o600 });
  const [user, group] = [Deno.uid() ?? 0, Deno.gid() ?? 0];
  Deno.writeTextFileSync(`${folder}/passwd`, `argo:x:${user}:${group}::${folder}:/bin/false\n`);
  Deno.writeTextFileSync(`${folder}/group`, `argo:x:${group}:\n`);
  return {
    GIT_SSH: `${IMAGE_BIN}/ssh`,
    LD_PRELOAD: IMAGE_NSS_WRAPPER,
    NSS_WRAPPER_PASSWD: `${folder}/passwd`,
    NSS_WRAPPER_GROUP: `${folder}/group`,
  };
}

function optionsOf(
  remote: Remote,
  { keyFile, knownHosts, anyHost, address }: SshOptions,
): (readonly [name: string, value: string])[] {
  const own = (knownHosts ?? "").split(":").filter(Boolean).map(sshQuoted).join(" ");
  return [
    ...remote.user === undefined ? [["User", "git"] as const] : [],
    ...address === undefined ? [] : [["HostName", address], ["HostKeyAlias", keyNameOf(remote)]] as const,
    ["BatchMode", "yes"],
    ["IdentitiesOnly", "yes"],
    ["PreferredAuthentications", "publickey"],
    ["ConnectTimeout", "30"],
    ["ServerAliveInterval", "15"],
    ["ServerAliveCountMax", "4"],
    ["FingerprintHash", "sha256"],
    ["StrictHostKeyChecking", anyHost ? "no" : "yes"],
    ["GlobalKnownHostsFile", anyHost ? "/dev/null" : "/etc/ssh/ssh_known_hosts"],
    ["UserKnownHostsFile", anyHost ? "/dev/null" : own || "/dev/null"],
    ["IdentityFile", keyFile ?? "none"],
  ];
}

/** Returns the name of a remote in known hosts files. */
function keyNameOf({ url, host }: Remote): string {
  const port = url.includes("://") ? URL.parse(url)?.port : "";
  return port && port !== "22" ? `[${host}]:${port}` : host;
}

function sshQuoted(path: string): string {
  return `"${path.replaceAll('"', "")}"`;
}

function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
