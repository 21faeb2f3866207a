/** Follows the redirects of a repository before git does, because git would send credentials to any host. */
import { type DriverEnvironment, StoreError } from "@tiphys/model/artifact";
import { send } from "@tiphys/artifacts/store_request";
import { type Remote, withoutSlash } from "./remote.ts";

/** Maximum number of redirects. */
const MAX_REDIRECTS = 5;
const REFS_PATH = "/info/refs?service=git-upload-pack";

/** The remote that credentials are for, and their header. */
export interface Entry {
  readonly remote: Remote;
  /** Undefined for a repository without credentials. */
  readonly authorization?: string | undefined;
  readonly insecureSkipTLS: boolean;
}

/**
 * Returns the final address of a repository on its own host, to which credentials may be sent; undefined when it
 * redirects to another host.
 * @throws {StoreError} when its host does not respond.
 */
export async function resolveRedirects(
  { net }: DriverEnvironment,
  entry: Entry,
  stop: AbortSignal,
): Promise<Remote | undefined> {
  const { authorization, insecureSkipTLS, remote: first } = entry;
  let remote = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await send(net, {
      method: "GET",
      url: new URL(withoutSlash(remote.url) + REFS_PATH),
      headers: {
        ...authorization === undefined ? {} : { authorization },
        "user-agent": "git/2",
        "git-protocol": "version=2",
        pragma: "no-cache",
      },
      ...insecureSkipTLS ? { tls: { insecureSkipVerify: true } } : {},
      stop,
    }, `querying ${remote.url}`);
    await answer.discard();
    const location = answer.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(answer.status) || !location) return remote;
    const next = URL.parse(location, remote.url + REFS_PATH);
    const isSafe = next?.protocol === "https:" || next?.protocol === `${remote.scheme}:`;
    if (!next || next.hostname !== new URL(first.url).hostname || !isSafe) return undefined;
    if (next.port !== new URL(first.url).port || !next.href.endsWith(REFS_PATH)) return undefined;
    next.username = "";
    next.password = "";
    const scheme = next.protocol === "https:" ? "https" : "http";
    remote = { url: next.href.slice(0, -REFS_PATH.length), scheme, host: next.host };
  }
  throw new StoreError(`git: ${first.url} redirects more than ${MAX_REDIRECTS} times`, "final");
}
