/** Argo's flags and environment variables that select a server instead of a cluster. */
import type { Command } from "commander";
import { badInput } from "../command_error.ts";
import type { World } from "../world.ts";

/** The flags as commander reads them. */
export interface ServerAddressFlags {
  readonly argoServer?: string;
  readonly secure?: string | boolean;
  readonly insecureSkipVerify?: string | boolean;
  readonly argoBaseHref?: string;
  readonly token?: string;
  readonly header?: readonly string[];
  readonly certificateAuthority?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

/** The address of a server, and its credentials. */
export interface ServerConnection {
  /** `https://host:port`, optionally with a path. */
  readonly url: string;
  readonly authorization?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: {
    readonly insecureSkipVerify: boolean;
    readonly caCerts?: readonly string[];
    readonly cert?: string;
    readonly key?: string;
  };
}

/** Flags with a value that may come before the command's name. */
export const SERVER_FLAGS_WITH_VALUE: readonly string[] = [
  "-s",
  "--argo-server",
  "--argo-base-href",
  "--token",
  "-H",
  "--header",
  "--certificate-authority",
  "--client-certificate",
  "--client-key",
];

/** Adds the flags to the program. */
export function addServerFlags(program: Command): Command {
  return program
    .option("-s, --argo-server <host:port>", "address of an Argo server to use instead of a cluster (ARGO_SERVER)")
    .option("-e, --secure [bool]", "whether the Argo server uses TLS; true by default (ARGO_SECURE)")
    .option(
      "-k, --insecure-skip-verify [bool]",
      "accept any certificate of the Argo server (ARGO_INSECURE_SKIP_VERIFY)",
    )
    .option("--argo-http1 [bool]", "no effect: HTTP/1.1 is always used")
    .option("--argo-base-href <path>", "path of the Argo server behind a reverse proxy (ARGO_BASE_HREF)")
    .option("--token <token>", "authorization header for the Argo server (ARGO_TOKEN), or token for the cluster")
    .option(
      "-H, --header <name: value>",
      "additional header for the Argo server; may be repeated",
      (text, before: string[] = []) => [
        ...before,
        text,
      ],
    )
    .option("--certificate-authority <file>", "CA certificates that the server or cluster is verified with")
    .option("--client-certificate <file>", "client certificate for the server or cluster")
    .option("--client-key <file>", "key of the client certificate");
}

/**
 * Returns the server that the flags or variables select; undefined without one.
 * @throws {CommandError} for invalid flags.
 */
export async function serverOf(flags: ServerAddressFlags, world: World): Promise<ServerConnection | undefined> {
  const host = flags.argoServer ?? world.env("ARGO_SERVER");
  if (!host) return undefined;
  if (/[/@?#\s]/.test(host)) throw badInput(`--argo-server: expected HOST:PORT, got ${JSON.stringify(host)}`);
  const isSecure = switchOf("--secure", flags.secure ?? world.env("ARGO_SECURE"), true);
  const path = (flags.argoBaseHref ?? world.env("ARGO_BASE_HREF") ?? "").replace(/\/$/, "");
  const token = flags.token ?? world.env("ARGO_TOKEN");
  const { clientCertificate, clientKey, certificateAuthority } = flags;
  if (!clientCertificate !== !clientKey) {
    throw badInput("--client-certificate and --client-key must be provided together");
  }
  const read = async (file: string | undefined) => file === undefined ? undefined : await world.readFile(file);
  const [authority, cert, key] = await Promise.all([certificateAuthority, clientCertificate, clientKey].map(read));
  return {
    url: `${isSecure ? "https" : "http"}://${host}${path === "" || path.startsWith("/") ? path : `/${path}`}`,
    authorization: token && (token.includes(" ") ? token : `Bearer ${token}`),
    headers: Object.fromEntries((flags.header ?? []).map(headerOf)),
    tls: {
      insecureSkipVerify: switchOf(
        "--insecure-skip-verify",
        flags.insecureSkipVerify ?? world.env("ARGO_INSECURE_SKIP_VERIFY"),
        false,
      ),
      ...(authority ? { caCerts: [authority] } : {}),
      ...(cert && key ? { cert, key } : {}),
    },
  };
}

function switchOf(flag: string, value: string | boolean | undefined, fallback: boolean): boolean {
  if (value === undefined || value === "") return fallback;
  if (value === true || value === "true" || value === "1") return true;
  if (value === false || value === "false" || value === "0") return false;
  throw badInput(`${flag}: expected true or false, got ${JSON.stringify(value)}`);
}

function headerOf(text: string): readonly [name: string, value: string] {
  const index = text.indexOf(":");
  if (index < 1) throw badInput(`--header: expected "name: value", got ${JSON.stringify(text)}`);
  return [text.slice(0, index).trim(), text.slice(index + 1).trim()];
}
