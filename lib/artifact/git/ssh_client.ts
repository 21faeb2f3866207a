/**
 * The client ssh as git starts it: with options of ours and no file of anybody's. A program of the machine is told them
 * in its command; one that the executor's image brings reads them from a file, as that image has no shell to read a
 * command, and is told who it is, as no file there knows its user.
 */
import { BROUGHT_BIN, BROUGHT_USERS } from "./programs.ts";
import type { Remote } from "./remote.ts";

/** The options of a connection. */
export interface SshOptions {
  readonly keyFile: string | undefined;
  /** Files with the keys of hosts, a colon between them. */
  readonly knownHosts: string | undefined;
  readonly anyHost: boolean;
  /** The address to connect to; that of the remote's name when undefined. */
  readonly address?: string | undefined;
}

/** The variables by which git starts the ssh of the machine. */
export function sshOfMachine(remote: Remote, options: SshOptions): Record<string, string> {
  const words = optionsOf(remote, options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  return { GIT_SSH_COMMAND: ["ssh", "-F", "none", ...words].map(shellQuoted).join(" ") };
}

/** The variables by which git starts the ssh of the image, whose files are made in a folder that nobody else sees. */
export function sshOfImage(remote: Remote, options: SshOptions, ours: string): Record<string, string> {
  const folder = Deno.makeTempDirSync({ dir: ours });
  const lines = optionsOf(remote, options).map(([name, value]) => `${name} ${value}\n`);
  Deno.mkdirSync(`${folder}/.ssh`, { mode: 0o700 });
  Deno.writeTextFileSync(`${folder}/.ssh/config`, lines.join(""), { mode: 0o600 });
  const [user, group] = [Deno.uid() ?? 0, Deno.gid() ?? 0];
  Deno.writeTextFileSync(`${folder}/passwd`, `argo:x:${user}:${group}::${folder}:/bin/false\n`);
  Deno.writeTextFileSync(`${folder}/group`, `argo:x:${group}:\n`);
  return {
    GIT_SSH: `${BROUGHT_BIN}/ssh`,
    LD_PRELOAD: BROUGHT_USERS,
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

/** The name under which files of known hosts have the key of a remote. */
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
