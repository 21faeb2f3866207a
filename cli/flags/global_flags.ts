/** Flags that every command accepts, before its name or after it. */
import type { Command } from "commander";
import { badInput, CommandError } from "../command_error.ts";
import { parseDuration } from "@tiphys/base/go/duration";
import { KubeError } from "@tiphys/kube/errors";
import type { Impersonation } from "@tiphys/kube/connections";
import { VERSION } from "@tiphys/base/version";
import { defaultDataDir } from "../connect/data_dir.ts";
import { FLAG_GROUP } from "../help/help.ts";
import { detectLook, type Look } from "../view/look.ts";
import { LOG_FLAGS_WITH_VALUE, type LogFlags, logOf } from "./log_flags.ts";
import { addServerFlags, SERVER_FLAGS_WITH_VALUE, type ServerAddressFlags, serverOf } from "./server_flags.ts";
import { withNameAdvice } from "./name_advice.ts";
import type { Connection, World } from "../world.ts";
import { addLoginFlags, choiceOf, LOGIN_FLAGS_WITH_VALUE, type LoginFlags } from "./login_flags.ts";

/** The flags as commander reads them. */
export interface GlobalFlags extends ServerAddressFlags, LoginFlags, LogFlags {
  readonly namespace?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly local?: boolean;
  readonly data?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly asUid?: string;
  readonly requestTimeout?: string;
  readonly instanceid?: string;
  readonly color: boolean;
  readonly utf8: boolean;
}

/** Flags with a value that may come before the command's name. */
export const GLOBAL_FLAGS_WITH_VALUE: readonly string[] = [
  "-n",
  "--namespace",
  "--kubeconfig",
  "--context",
  "--data",
  "--as",
  "--as-group",
  "--as-uid",
  "--request-timeout",
  "--instanceid",
  ...LOGIN_FLAGS_WITH_VALUE,
  ...SERVER_FLAGS_WITH_VALUE,
  ...LOG_FLAGS_WITH_VALUE,
];

/** Adds the flags to the program. */
export function addGlobalFlags(program: Command): Command {
  program.optionsGroup(FLAG_GROUP.connection)
    .option("-n, --namespace <namespace>", "namespace (default: the namespace of the context, or `default`)")
    .option("--kubeconfig <file>", "kubeconfig file of the cluster")
    .option("--context <name>", "context of the kubeconfig")
    .option("--local", "use the embedded cluster of this machine")
    .option("--data <dir>", "use the embedded cluster with this data folder");
  return addLoginFlags(addServerFlags(program))
    .option("--as <user>", "user to impersonate")
    .option(
      "--as-group <group>",
      "group to impersonate; may be repeated",
      (text, before: string[] = []) => [...before, text],
    )
    .option("--as-uid <uid>", "UID to impersonate")
    .option("--request-timeout <duration>", "timeout of each request, such as `1s` or `2m`; 0 for none")
    .option("--instanceid <id>", "instance ID of the controller (ARGO_INSTANCEID)")
    .optionsGroup(FLAG_GROUP.output)
    .option("--no-color", "disable colors (also NO_COLOR)")
    .option("--no-utf8", "use ASCII characters only");
}

/** Returns the data folder of the embedded cluster. */
export function dataDirOf(flags: GlobalFlags, world: World): string {
  return flags.data ?? defaultDataDir((name) => world.env(name));
}

/** Returns the look of output that the flags request. */
export function lookOf(flags: GlobalFlags, world: World): Look {
  return detectLook({
    color: flags.color,
    utf8: flags.utf8,
    noColor: world.env("NO_COLOR"),
    term: world.env("TERM"),
    isTerminal: world.terminal() !== undefined,
  });
}

function impersonationOf({ as: user, asGroup: groups = [], asUid: uid }: GlobalFlags): Impersonation | undefined {
  if (user !== undefined) return { user, groups, uid };
  if (groups.length > 0 || uid !== undefined) throw badInput("--as-group and --as-uid require --as");
}

function requestMillisOf({ requestTimeout: text }: GlobalFlags): number | undefined {
  return text === undefined ? undefined : durationMillis("--request-timeout", text) || undefined;
}

/**
 * Reads a duration in milliseconds. A number without a unit is in seconds, as in kubectl.
 * @throws {CommandError} for other text.
 */
export function durationMillis(flag: string, text: string): number {
  try {
    const millis = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Number(parseDuration(text) / 1_000_000n);
    if (millis >= 0) return millis;
  } catch {
    // The error below names the flag.
  }
  throw badInput(`${flag}: expected a duration such as 1s, 2m or 0, got ${JSON.stringify(text)}`);
}

/**
 * Returns the instance ID of the controller.
 * @throws {CommandError} for `--instanceid` with a server.
 */
function instanceOf(
  { instanceid }: GlobalFlags,
  world: World,
  { embedded, server }: { readonly embedded: boolean; readonly server: unknown },
): string | undefined {
  if (instanceid && server) {
    throw badInput("--instanceid cannot be used with a server, which has its own instance ID");
  }
  // ARGO_INSTANCEID is for clusters that several controllers share. In an embedded cluster it would hide workflows.
  if (embedded || server) return instanceid;
  return instanceid ?? (world.env("ARGO_INSTANCEID") || undefined);
}

/** Connects to the cluster that the flags select, and closes the connection after `use`. */
export async function withCluster<T>(
  world: World,
  flags: GlobalFlags,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { kubeconfig, context, namespace = world.env("ARGO_NAMESPACE") || undefined } = flags;
  const embedded = flags.local === true || flags.data !== undefined;
  const dataDir = embedded ? dataDirOf(flags, world) : undefined;
  const server = embedded ? undefined : await serverOf(flags, world);
  const actAs = impersonationOf(flags);
  if (actAs && (embedded || server)) throw badInput("--as requires a cluster of a kubeconfig");
  const choice = embedded || server ? undefined : await choiceOf(flags, world);
  const instanceId = instanceOf(flags, world, { embedded, server });
  const requestMillis = requestMillisOf(flags);
  const log = logOf(flags, world);
  log.debug("CLI version", { version: VERSION });
  const connection = await world.connect({
    kubeconfig,
    context,
    namespace,
    dataDir,
    ...(server ? { server } : {}),
    ...(actAs ? { actAs } : {}),
    ...(choice ? { choice } : {}),
    ...(instanceId ? { instanceId } : {}),
    ...(requestMillis === undefined ? {} : { requestMillis }),
  });
  log.debug("Connected", { namespace: connection.namespace, ...(server ? { server: server.url } : {}) });
  try {
    return await use(connection);
  } catch (error) {
    throw withAdvice(await withNameAdvice(error, connection, flags), { isServer: server !== undefined, embedded });
  } finally {
    await connection.close();
  }
}

/**
 * Advice for certificate errors of a cluster, by the error message. The first match applies; the last one matches any
 * of them.
 */
const CERTIFICATE_ADVICE: readonly (readonly [message: RegExp, advice: string])[] = [
  [
    /not valid for name|NotValidForName/,
    "if the certificate is for another name than the host, set it with --tls-server-name NAME",
  ],
  [/expired/i, "renew the certificate of the cluster, and check the clock of this machine"],
  [
    /peer certificate/,
    "the certificate is not trusted: set its authority with --certificate-authority FILE, or certificate-authority in the " +
    "kubeconfig",
  ],
];

/** Adds advice to authentication and connection errors. */
function withAdvice(
  error: unknown,
  { isServer, embedded }: { readonly isServer: boolean; readonly embedded: boolean },
) {
  if (embedded || !(error instanceof KubeError)) return error;
  const advice = isServer ? serverAdvice(error) : clusterAdvice(error);
  return advice === undefined ? error : new CommandError(`${error.message}\n${advice}`);
}

function serverAdvice({ status, reason, message }: KubeError): string | undefined {
  if (status === 401) return "set a valid token with --token or ARGO_TOKEN";
  if (status !== 0 || reason !== "NetworkError") return undefined;
  if (message.includes("does not speak TLS")) return "to use plain HTTP, set --secure=false (ARGO_SECURE=false)";
  if (message.includes("is not trusted: its certificate")) {
    return "set its authority with --certificate-authority FILE, or accept any certificate with -k";
  }
  return "check that the server runs, and that --argo-server (ARGO_SERVER) is its address";
}

function clusterAdvice({ status, message }: KubeError): string | undefined {
  if (status === 401) {
    return "the cluster rejects these credentials: log in again, or set others with --context or --token";
  }
  if (status !== 0) return undefined;
  return CERTIFICATE_ADVICE.find(([pattern]) => pattern.test(message))?.[1] ??
    "check that the cluster runs, or use another one with --context, or the embedded one with --local";
}
