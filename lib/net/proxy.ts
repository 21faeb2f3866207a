/** Proxies, as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name them. */
import { NetError } from "./net.ts";

/** A variable of the environment. */
export type Environment = (name: string) => string | undefined;

/**
 * The proxy for a URL; undefined when it is asked directly, as this machine always is.
 * @throws {NetError} when the proxy is of a kind that is not known here.
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const text = env(name) || env(name.toLowerCase());
  if (!text) return undefined;
  if (isThisMachine(url.hostname) || isLeftOut(url, env("NO_PROXY") || env("no_proxy") || "")) return undefined;
  const proxy = parsed(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (proxy === undefined) throw new NetError(`${name} is no URL`, false);
  if (proxy.protocol !== "http:" && proxy.protocol !== "https:") {
    throw new NetError(
      `${name} names a proxy of the kind ${proxy.protocol.slice(0, -1)}: expected http or https`,
      false,
    );
  }
  return proxy;
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Whether one of the rules of `NO_PROXY` is about it: `*`, a domain with all below it, an address, a network; each perhaps with a port. */
function isLeftOut(url: URL, rules: string): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const address = bitsOf(host);
  return rules.split(/[,\s]/).some((text) => {
    const rule = text.toLowerCase();
    if (rule === "") return false;
    if (rule === "*") return true;
    const slash = rule.indexOf("/");
    if (slash > 0) return address !== undefined && isIn(address, rule.slice(0, slash), Number(rule.slice(slash + 1)));
    const colon = bitsOf(rule) === undefined ? rule.lastIndexOf(":") : -1;
    const subject = colon < 0 ? rule : rule.slice(0, colon);
    if (colon >= 0 && rule.slice(colon + 1) !== port) return false;
    if (address !== undefined) return bitsOf(subject) === address;
    const domain = subject.replace(/^\*?\./, "");
    return host.endsWith(`.${domain}`) || (host === domain && !/^\*?\./.test(subject));
  });
}

function isIn(address: string, network: string, length: number): boolean {
  const bits = bitsOf(network);
  return bits?.length === address.length && length >= 0 && address.slice(0, length) === bits.slice(0, length);
}

/** The bits of an address, as a text of 32 or 128 digits; undefined when it is none. */
function bitsOf(text: string): string | undefined {
  const four = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (four) return four.slice(1).map((part) => Number(part).toString(2).padStart(8, "0")).join("");
  const bare = text.replace(/^\[|\]$/g, "");
  const url = bare.includes(":") ? parsed(`http://[${bare}]`) : undefined;
  if (!url) return undefined;
  const [left = "", right = ""] = url.hostname.slice(1, -1).split("::");
  const groups = (part: string) => part === "" ? [] : part.split(":");
  const gap = 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...Array<string>(Math.max(0, gap)).fill("0"), ...groups(right)];
  return all.map((group) => parseInt(group, 16).toString(2).padStart(16, "0")).join("");
}
