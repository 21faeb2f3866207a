/** Addresses of repositories: https, http, ssh, git, and scp's `user@host:path`. */
import { StoreError } from "@tiphys/model/artifact";

/** The address of a repository, without credentials. */
export interface Remote {
  /** The address that is passed to git. */
  readonly url: string;
  readonly scheme: "http" | "https" | "ssh" | "git";
  /** The host that credentials are valid for, with its port except for ssh. */
  readonly host: string;
  /** The user of an ssh address. */
  readonly user?: string;
}

/** An address with the credentials in it. */
export interface RemoteWithCredentials {
  readonly remote: Remote;
  readonly username?: string;
  readonly password?: string;
}

const SCHEMES = ["http", "https", "ssh", "git"] as const;
/** Matches `user@host:path`, but not `scheme://`. A slash before the colon makes it a path. */
const SCP = /^(?:([^@:/]+)@)?(\[[0-9a-fA-F:]+\]|[^@:/[\]]+):(?!\/\/)(.+)$/;

/**
 * Parses the address of a repository.
 * @throws {StoreError} `final` when it is not supported.
 */
export function remoteOf(repo: string): RemoteWithCredentials {
  // A leading hyphen would make the address an option of git, and a line break would inject into its protocols.
  if (/^-|[\0-\x20\x7f]/.test(repo)) throw unsupportedProtocolError();
  const url = URL.parse(repo);
  if (url && repo.includes("://")) return remoteOfUrl(url, repo);
  const scp = SCP.exec(repo);
  const [, user, host] = scp ?? [];
  // `ext::sh -c …` is not a host named ext.
  if (!host || repo.includes("::") && !host.startsWith("[") || host.startsWith("-") || user?.startsWith("-")) {
    throw unsupportedProtocolError();
  }
  return { remote: { url: repo, scheme: "ssh", host: host.toLowerCase(), ...user ? { user } : {} } };
}

function remoteOfUrl(url: URL, repo: string): RemoteWithCredentials {
  const scheme = SCHEMES.find((supported) => url.protocol === `${supported}:`);
  if (!scheme || url.hostname === "" || url.hostname.startsWith("-") || url.username.startsWith("-")) {
    throw unsupportedProtocolError();
  }
  if (scheme === "ssh") {
    const user = unescapeWord(url.username);
    // Characters that are forbidden in an address must not be hidden by escapes.
    if (/^-|[\0-\x20\x7f]/.test(user)) throw unsupportedProtocolError();
    // A password after the user is dropped, because ssh does not use it.
    const plain = url.password === "" ? repo : `${url.protocol}//${url.username}@${url.host}${url.pathname}`;
    return { remote: { url: plain, scheme, host: url.hostname.toLowerCase(), ...user ? { user } : {} } };
  }
  const [username, password] = [url.username, url.password].map(unescapeWord);
  url.username = "";
  url.password = "";
  return {
    remote: { url: url.href, scheme, host: url.host },
    ...username ? { username } : {},
    ...password ? { password } : {},
  };
}

/** Decodes a name or password of a URL. */
function unescapeWord(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    throw unsupportedProtocolError();
  }
}

function unsupportedProtocolError(): StoreError {
  return new StoreError(
    "git: the repo is not a supported address: expected https://, http://, ssh://, git:// or user@host:path",
    "final",
  );
}

/** Whether a repository is accessed by ssh. */
export function isSsh(remote: Remote): boolean {
  return remote.scheme === "ssh";
}

/**
 * Returns the address of a submodule, which may be relative to that of its parent.
 * @throws {StoreError} `final` when it is not supported.
 */
export function submoduleRemote(parent: Remote, written: string): Remote {
  if (!/^\.\.?(\/|$)/.test(written)) return remoteOf(written).remote;
  const split = parent.url.includes("://")
    ? parent.url.indexOf("/", parent.url.indexOf("://") + 3)
    : parent.url.indexOf(":", parent.url.lastIndexOf("]") + 1) + 1;
  const parts = withoutSlash(parent.url.slice(split)).split("/");
  for (const part of withoutSlash(written).split("/")) {
    if (part === "..") {
      if (parts.length === 0 || parts.length === 1 && parts[0] === "") throw unsupportedProtocolError();
      parts.pop();
    } else if (part !== ".") parts.push(part);
  }
  return remoteOf(`${parent.url.slice(0, split)}${parts.join("/")}`).remote;
}

/** Removes slashes at the end of an address. */
export function withoutSlash(url: string): string {
  let end = url.length;
  while (url[end - 1] === "/") end--;
  return url.slice(0, end);
}
