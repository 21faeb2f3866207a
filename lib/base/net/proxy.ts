/** Proxies of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
import { type Host, isNamedBy } from "./address.ts";
import { NetError } from "./net.ts";

/** Returns an environment variable. */
export type Environment = (name: string) => string | undefined;

/**
 * Returns the proxy for a URL; undefined for a direct connection, which this machine always has.
 * @throws {NetError} for an unsupported kind of proxy.
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const text = env(name) || env(name.toLowerCase());
  if (!text) return undefined;
  if (isThisMachine(url.hostname) || isNamedBy(env("NO_PROXY") || env("no_proxy") || "", hostOf(url))) {
    return undefined;
  }
  const proxy = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (proxy === undefined) throw new NetError(`${name} is not a valid URL`, false);
  if (proxy.protocol !== "http:" && proxy.protocol !== "https:") {
    throw new NetError(
      `${name} has the unsupported proxy protocol ${proxy.protocol.slice(0, -1)}: expected http or https`,
      false,
    );
  }
  return proxy;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function hostOf({ hostname, port, protocol }: URL): Host {
  return { hostname, port: Number(port || (protocol === "https:" ? 443 : 80)) };
}
