/**
 * The servers that are asked for an image: the settings of registries, in the form that k3s and RKE2 read as
 * `registries.yaml`.
 *
 * ```yaml
 * mirrors:
 *   docker.io:
 *     endpoint: ["http://127.0.0.1:5000"]     # asked first, then docker.io itself
 *   "registry.example:5000":
 *     endpoint: ["http://registry.example:5000"]     # a registry without TLS
 *   "*":
 *     endpoint: ["https://mirror.example"]    # for all that have no entry of their own
 * configs:
 *   mirror.example:
 *     auth: { username: me, password: secret }
 *     tls: { ca_file: /etc/ssl/mine.pem }
 * ```
 */
import * as z from "zod";
import { trimCharacters } from "@tiphys/base/go";
import { openReach, type Reach } from "@tiphys/base/net";
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
 * Reads the text of `registries.yaml`.
 * @throws {Error} with the place of what is wrong.
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

/** One server to ask. */
export interface Endpoint {
  /** Without a slash at its end: `https://mirror.example`. */
  readonly url: string;
  /**
   * The registry whose credentials it may be shown: a mirror has no business with those of the registry that it
   * mirrors.
   */
  readonly registry: string;
  readonly credentials?: Credentials;
  /** PEM, beside the system's own. */
  readonly caFile?: string;
  /** Whether a mirror of the settings has this address; otherwise the reference of an image does. */
  readonly isConfigured: boolean;
}

/**
 * The addresses that a client of an endpoint may connect to from a user's own machine: loopback addresses only if the image
 * or a mirror of the settings names one, link-local addresses only if a mirror does. `allowed`: additional servers, in the
 * form of `NO_PROXY`.
 */
export function endpointReach({ url, isConfigured }: Endpoint, allowed = ""): Reach {
  const { host } = new URL(url);
  const own = isLoopback(host) ? [LOOPBACK] : isConfigured ? [host] : [];
  return openReach({ allowed: [...own, allowed].join(",") });
}

/** This machine, in the form of `NO_PROXY`. */
const LOOPBACK = "localhost,127.0.0.0/8,::1";

/** The address of docker.io's API. */
const DOCKER_HUB_API = "https://registry-1.docker.io";

/** The servers that may have a registry's images, in the order in which they are asked; the last is the registry itself. */
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

/** Whether a host, with or without its port, is this machine. Registries there speak plain HTTP, as containerd takes it, too. */
export function isLoopback(registry: string): boolean {
  const host = registry.replace(/:\d+$/, "");
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
