/** IP addresses as bits, and their networks. */

/** Returns the bits of an IP address as a text of 32 or 128 digits; undefined for any other text. */
export function bitsOf(text: string): string | undefined {
  const four = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (four) return four.slice(1).map((part) => Number(part).toString(2).padStart(8, "0")).join("");
  const bare = text.replace(/^\[|\]$/g, "");
  const url = bare.includes(":") && URL.canParse(`http://[${bare}]`) ? new URL(`http://[${bare}]`) : undefined;
  if (!url) return undefined;
  const [left = "", right = ""] = url.hostname.slice(1, -1).split("::");
  const groups = (part: string) => part === "" ? [] : part.split(":");
  const gap = 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...Array<string>(Math.max(0, gap)).fill("0"), ...groups(right)];
  return all.map((group) => parseInt(group, 16).toString(2).padStart(16, "0")).join("");
}

/** Whether an address, as bits, is in the network with the first `length` bits of `network`. */
export function isIn(address: string, network: string, length: number): boolean {
  const bits = bitsOf(network);
  return bits?.length === address.length && length >= 0 && address.slice(0, length) === bits.slice(0, length);
}

/** A server as rules refer to it. */
export interface Host {
  /** A name or an address; an IPv6 address with or without brackets. */
  readonly hostname: string;
  readonly port: number;
}

/**
 * Whether one of the rules matches a server: `*`, a domain with its subdomains, an address, or a network, each with an
 * optional port. Rules are separated by commas or spaces, as in `NO_PROXY`.
 */
export function isNamedBy(rules: string, { hostname, port }: Host): boolean {
  const host = hostname.toLowerCase();
  const address = bitsOf(host);
  return rules.split(/[,\s]/).some((text) => {
    const rule = text.toLowerCase();
    if (rule === "") return false;
    if (rule === "*") return true;
    const slash = rule.indexOf("/");
    if (slash > 0) return address !== undefined && isIn(address, rule.slice(0, slash), Number(rule.slice(slash + 1)));
    const colon = bitsOf(rule) === undefined ? rule.lastIndexOf(":") : -1;
    const subject = colon < 0 ? rule : rule.slice(0, colon);
    if (colon >= 0 && rule.slice(colon + 1) !== String(port)) return false;
    if (address !== undefined) return bitsOf(subject) === address;
    const domain = subject.replace(/^\*?\./, "");
    return host.endsWith(`.${domain}`) || (host === domain && !/^\*?\./.test(subject));
  });
}
