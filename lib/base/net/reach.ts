/**
 * Restricts the addresses that a program connects to when others choose the servers: not this machine, not link-local
 * addresses (cloud metadata in particular), and not the API server. A name is resolved once, its addresses are checked,
 * and the connection is made to a checked address, so that a name that resolves differently the next time (DNS
 * rebinding) has no effect. Each hop of a redirect is a separate request and is checked too.
 */
import { ENV } from "../constants.ts";
import { bitsOf, type Host, isIn, isNamedBy } from "./address.ts";
import { connectFailure } from "./failures.ts";
import { NetError } from "./net.ts";

/** Decides which addresses of a server may be connected to. */
export interface AddressPolicy {
  /**
   * Returns the permitted addresses of a server in the resolver's order, at least one. A server that is allowed by name
   * is returned as that name.
   * @throws {NetError} when no address is permitted, or the name cannot be resolved.
   */
  addresses(host: Host): Promise<readonly string[]>;
}

/** The options of a reach. */
export interface AddressPolicyOptions {
  /** Servers that are permitted nevertheless, in the format of `NO_PROXY`. */
  readonly allowed?: string | undefined;
  /** Names and addresses of the API server, in the format of `NO_PROXY`. */
  readonly apiServer?: string | undefined;
  /** Resolves a name. Default: the system's resolver. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
}

/** Permits every server: for servers chosen by the program's user, and for programs on a user's own machine. */
export const ALLOW_ALL: AddressPolicy = addressPolicy({ allowed: "*" });

/** The setting with the servers that are permitted nevertheless. */
export const ALLOWED_ADDRESSES = ENV.allowedAddresses;

/** Rejected networks with the reason. */
const REJECTED_NETWORKS: readonly (readonly [string, number, string])[] = [
  ["0.0.0.0", 8, "this machine"],
  ["127.0.0.0", 8, "this machine"],
  ["169.254.0.0", 16, "link-local, where cloud metadata is"],
  ["100.100.100.200", 32, "cloud metadata"],
  ["168.63.129.16", 32, "cloud metadata"],
  ["192.0.0.0", 24, "cloud metadata"],
  ["224.0.0.0", 3, "not the address of one server"],
  ["::", 128, "this machine"],
  ["::1", 128, "this machine"],
  ["fe80::", 10, "link-local"],
  ["fd00:ec2::", 32, "cloud metadata"],
  ["fd20:ce::", 32, "cloud metadata"],
  ["fd00:42::42", 128, "cloud metadata"],
  ["2001::", 32, "a tunnel to another address"],
  ["ff00::", 8, "not the address of one server"],
];

/** IPv6 networks that embed an IPv4 address, and the bit at which it begins. */
const EMBEDDED_IPV4: readonly (readonly [string, number, number])[] = [
  ["::ffff:0:0", 96, 96],
  ["::ffff:0:0:0", 96, 96],
  ["::", 96, 96],
  ["64:ff9b::", 96, 96],
  ["64:ff9b:1::", 48, 96],
  ["2002::", 16, 16],
];

/** Returns a reach with these rules. */
export function addressPolicy(
  { allowed = "", apiServer = "", lookup = systemLookup }: AddressPolicyOptions = {},
): AddressPolicy {
  return {
    async addresses({ hostname, port }) {
      const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
      const server = `${hostname}:${port}`;
      const isAllowedName = isNamedBy(allowed, { hostname: name, port });
      if (!isAllowedName && isNamedBy(apiServer, { hostname: name, port })) {
        throw rejectionError(server, "the API server");
      }
      // All addresses of the name are permitted: the connection resolves it.
      if (isAllowedName) return [name];
      let found: readonly string[];
      try {
        found = isCanonical(name) ? [name] : await lookup(name);
      } catch (error) {
        throw connectFailure(server, name, error);
      }
      let reason = "no address";
      const permitted = found.filter((address) => {
        if (isNamedBy(allowed, { hostname: address, port })) return true;
        const why = rejectionReason(address) ??
          (isNamedBy(apiServer, { hostname: address, port }) ? "the API server" : "");
        if (why) reason = why;
        return why === "";
      });
      if (permitted.length > 0) return permitted;
      throw rejectionError(server, reason);
    },
  };
}

/**
 * Returns the reach of a program in a cluster from its environment: the servers of {@link ALLOWED_ADDRESSES} are
 * permitted, and the API server is that of the service `kubernetes`.
 */
export function addressPolicyOf(env: (name: string) => string | undefined, apiServer = ""): AddressPolicy {
  const names = "kubernetes,kubernetes.default,kubernetes.default.svc,kubernetes.default.svc.cluster.local";
  const service = env("KUBERNETES_SERVICE_HOST") ?? "";
  return addressPolicy({ allowed: env(ALLOWED_ADDRESSES), apiServer: [names, service, apiServer].join(",") });
}

/** Returns the reason why an address is rejected. */
export function rejectionReason(address: string): string | undefined {
  const bits = bitsOf(address);
  if (bits === undefined) return "not an address";
  for (const [network, length, reason] of REJECTED_NETWORKS) if (isIn(bits, network, length)) return reason;
  for (const [network, length, offset] of EMBEDDED_IPV4) {
    if (!isIn(bits, network, length)) continue;
    const inner = bits.slice(offset, offset + 32);
    const text = [0, 8, 16, 24].map((from) => parseInt(inner.slice(from, from + 8), 2)).join(".");
    const reason = rejectionReason(text);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function rejectionError(server: string, reason: string): NetError {
  return new NetError(`${server} is not permitted: ${reason} (${ALLOWED_ADDRESSES} can allow it)`, false);
}

/**
 * Whether a text is an address in canonical form. Others such as `010.0.0.1` are resolved, since systems interpret them
 * differently.
 */
function isCanonical(text: string): boolean {
  return text.includes(":")
    ? bitsOf(text) !== undefined
    : /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text) && text.split(".").every((part) => Number(part) < 256);
}

async function systemLookup(name: string): Promise<readonly string[]> {
  const { lookup } = await import("node:dns/promises");
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
