/** kubectl's flags that override parts of a kubeconfig: the cluster, the user, and the connection. */
import { type Command, Option } from "commander";
import type { LoginChoice } from "@tiphys/kube/connections";
import { badInput } from "../command_error.ts";
import type { World } from "../world.ts";

/** The flags as commander reads them. Flags that also apply to a server are added with its flags. */
export interface LoginFlags {
  readonly cluster?: string;
  readonly user?: string;
  readonly server?: string;
  readonly username?: string;
  readonly password?: string;
  readonly proxyUrl?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly token?: string;
  readonly certificateAuthority?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

/** Flags with a value that may come before the command's name. */
export const LOGIN_FLAGS_WITH_VALUE: readonly string[] = [
  "--cluster",
  "--user",
  "--server",
  "--username",
  "--password",
  "--proxy-url",
  "--tls-server-name",
];

/** Adds the flags to the program. */
export function addLoginFlags(program: Command): Command {
  return program
    .option("--cluster <name>", "cluster of the kubeconfig, instead of the context's")
    .option("--user <name>", "user of the kubeconfig, instead of the context's")
    .option("--server <url>", "address of the Kubernetes API, instead of the cluster's")
    .option("--username <name>", "user name for basic authentication at the cluster")
    .option("--password <text>", "password for basic authentication at the cluster")
    .option("--proxy-url <url>", "proxy through which the cluster is reached")
    .option("--tls-server-name <name>", "name that the cluster's certificate must have, instead of the host's")
    .addOption(new Option("--insecure-skip-tls-verify", "not supported: set --certificate-authority").hideHelp())
    .addOption(new Option("--disable-compression", "no effect: large responses are always compressed").hideHelp());
}

/**
 * Returns the overrides of the kubeconfig; undefined without any.
 * @throws {CommandError} for unsupported or contradictory flags, and unreadable files.
 */
export async function choiceOf(flags: LoginFlags, world: World): Promise<LoginChoice | undefined> {
  const { cluster, user, server, username, password, proxyUrl, tlsServerName, token } = flags;
  const { certificateAuthority, clientCertificate, clientKey } = flags;
  if (flags.insecureSkipTlsVerify) {
    throw badInput(
      "--insecure-skip-tls-verify is not supported: set the cluster's CA certificate with --certificate-authority",
    );
  }
  if (!clientCertificate !== !clientKey) {
    throw badInput("--client-certificate and --client-key must be provided together");
  }
  if (password !== undefined && username === undefined) throw badInput("--password requires --username");
  if (username !== undefined && token !== undefined) throw badInput("--username and --token cannot be used together");
  if (server !== undefined && !/^https?:\/\//.test(server)) {
    throw badInput(
      `--server: expected https://HOST:PORT, got ${JSON.stringify(server)}; for an Argo server, use --argo-server`,
    );
  }
  const read = async (flag: string, file: string | undefined) => {
    if (file === undefined) return undefined;
    try {
      return await world.readFile(file);
    } catch (error) {
      throw badInput(`${flag}: could not read ${file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const [caCert, cert, key] = await Promise.all([
    read("--certificate-authority", certificateAuthority),
    read("--client-certificate", clientCertificate),
    read("--client-key", clientKey),
  ]);
  const choice = { cluster, user, server, username, password, proxyUrl, tlsServerName, token, caCert, cert, key };
  return Object.values(choice).some((option) => option !== undefined) ? choice : undefined;
}
