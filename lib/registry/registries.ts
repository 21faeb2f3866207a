/**
 * The servers of each registry: settings in the format of `registries.yaml` in k3s and RKE2.
 *
 *   ```yaml
 *   mirrors:
 *     docker.io:
 *       endpoint: ["http://127.0.0.1:5000"]     # tried first, then docker.io itself
 *     "registry.example:5000":
 *       endpoint: ["http://registry.example:5000"]     # a registry without TLS
 *     "*":
 *       endpoint: ["https://mirror.example"]    # for all registries without an entry
 *   configs:
 *     mirror.example:
 *       auth: { username: me, password: secret }
 *       tls: { ca_file: /etc/ssl/mine.pem }
 *   ```
 */
import * as z from "zod";
import { trimCharacters } from "@tiphys/base/go";
import { type AddressPolicy, addressPolicy } from "@tiphys/base/net";
import { parseYaml } from "@tiphys/model/yaml";
import type { Credentials } from "./credentials.ts";

const settings = z.strictObject({
  mirrors: z.record(z.string(), z.strictObject({ endpoint: z.array(z.url()) })).optional(),
  configs: z.record(
    z.string(),
    z.strictObject({
      auth: z.strictObject({ username: z.string(), password: z.string() }).optional(),
      tls: z.strictObject({ ca_file: z.string() }).optional(),
    }),
  ).optional(),
});

export type RegistrySettings = z.infer<typeof settings>;

/**
 * Parses `registries.yaml`.
 * @throws {Error} with the position of the error.
 */
export function parseRegistries(text: string, file: string): RegistrySettings {
  const [document] = parseYaml(text);
  if (!document) return {};
  const [problem] = document.errors;
  if (problem) throw new Error(`${file}:${problem.line}:${problem.column}: ${problem.message}`);
  const parsed = settings.safeParse(document.value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new Error(`${file}: ${problems.join("; ")}`);
}

/** A server of a registry. */
export interface Endpoint {
  /** Without a trailing slash: `https://mirror.example`. */
  readonly url: string;
  /**
   * The registry whose credentials may be sent to it: a mirror must not receive those of the registry that it mirrors.
   */
  readonly registry: string;
  readonly credentials?: Credentials;
  /** The path of a PEM file with additional trusted authorities. */
  readonly caFile?: string;
  /** Whether its address is that of a configured mirror; otherwise it is from an image reference. */
  readonly isConfigured: boolean;
}

/**
 * Returns the addresses that a client of an endpoint may connect to from a user's machine: loopback addresses only if
 * the image or a configured mirror has one, link-local addresses only for a mirror. `allowed`: additional servers, in
 * the format of `NO_PROXY`.
 */
export function endpointAddressPolicy({ url, isConfigured }: Endpoint, allowed = ""): AddressPolicy {
  const { host } = new URL(url);
  const own = isLoopback(host) ? [LOOPBACK] : isConfigured ? [host] : [];
  return addressPolicy({ allowed: [...own, allowed].join(",") });
}

/** This machine, in the format of `NO_PROXY`. */
const LOOPBACK = "localhost,127.0.0.0/8,::1";

/** The URL of docker.io's API. */
const DOCKER_HUB_API = "https://registry-1.docker.io";

/** Returns the servers of a registry in the order of attempts; the last one is the registry itself. */
export function endpointsOf(registry: string, { mirrors, configs }: RegistrySettings): Endpoint[] {
  const own = registry === "docker.io" ? DOCKER_HUB_API : `${isLoopback(registry) ? "http" : "https"}://${registry}`;
  const mirrored = mirrors?.[registry]?.endpoint ?? mirrors?.["*"]?.endpoint ?? [];
  const isPlainItself = mirrored.includes(`http://${registry}`);
  const urls = [...mirrored.map((url) => trimCharacters(url, "/", "right")), ...(isPlainItself ? [] : [own])];
  return [...new Set(urls)].map((url) => {
    const host = new URL(url).host;
    const config = configs?.[host] ?? (url === own ? configs?.[registry] : undefined);
    return {
      url,
      registry: url === own ? registry : host,
      isConfigured: mirrored.some((named) => trimCharacters(named, "/", "right") === url),
      ...(config?.auth && { credentials: { kind: "password", ...config.auth } }),
      ...(config?.tls && { caFile: config.tls.ca_file }),
    };
  });
}

/** Whether a host, with or without port, is this machine. Registries on it use plain HTTP, as in containerd. */
export function isLoopback(registry: string): boolean {
  const host = registry.replace(/:\d+$/, "");
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
