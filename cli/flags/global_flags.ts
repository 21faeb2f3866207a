/** Flags that every command accepts, before its name or after it. */
import type { Command } from "commander";
import { badInput, CommandError } from "../command_error.ts";
import { parseDuration } from "@tiphys/base/go/duration";
import { KubeError } from "@tiphys/kube/errors";
import type { Impersonation } from "@tiphys/kube";
import { VERSION } from "@tiphys/base/version";
import { defaultDataDir } from "../connect/data_dir.ts";
import { FLAG_GROUP } from "../help/help.ts";
import { type Look, lookFor } from "../view/look.ts";
import { LOG_FLAGS_WITH_VALUE, type LogFlags, logOf } from "./log_flags.ts";
import { addServerFlags, SERVER_FLAGS_WITH_VALUE, type ServerAddressFlags, serverOf } from "./server_flags.ts";
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

/** Flags with a value, which may stand before the command's name. */
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

/** The data folder that is meant when an embedded cluster is. */
export function dataDirOf(flags: GlobalFlags, world: World): string {
  return flags.data ?? defaultDataDir((name) => world.env(name));
}

/** The look of output that the flags ask for. */
export function lookOf(flags: GlobalFlags, world: World): Look {
  return lookFor({
    color: flags.color,
    utf8: flags.utf8,
    noColor: world.env("NO_COLOR"),
    term: world.env("TERM"),
    isTerminal: world.terminal() !== undefined,
  });
}

function impersonationOf({ as: user, asGroup: groups = [], asUid: uid }: GlobalFlags): Impersonation | undefined {
  if (user !== undefined) return { user, groups, uid };
  if (groups.length > 0 || uid !== undefined) throw badInput("--as-group and --as-uid need --as beside them");
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
 * The instance of the controller that is meant: one that shares a cluster with others.
 * @throws {CommandError} where a flag names one and there is none.
 */
function instanceOf(
  { instanceid }: GlobalFlags,
  world: World,
  { embedded, server }: { readonly embedded: boolean; readonly server: unknown },
): string | undefined {
  if (instanceid && server) {
    throw badInput("--instanceid cannot be used with a server, which has an instance of its own");
  }
  // The variable is about clusters that several controllers share: here it would hide what is there.
  if (embedded || server) return instanceid;
  return instanceid ?? (world.env("ARGO_INSTANCEID") || undefined);
}

/** Connects to the cluster that the flags mean; the connection is closed when `use` has come to its end. */
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
  if (actAs && (embedded || server)) throw badInput("--as needs a cluster that a kubeconfig names");
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
    throw withCure(error, { isServer: server !== undefined, embedded });
  } finally {
    await connection.close();
  }
}

/** What may be done about the certificate of a cluster, by words of the error; the last are of any certificate. */
const CERTIFICATES: readonly (readonly [words: RegExp, cure: string])[] = [
  [/not valid for name|NotValidForName/, "--tls-server-name NAME says whom the certificate must name, if not the host"],
  [/expired/i, "whoever runs the cluster renews its certificate; is the clock of this machine right?"],
  [
    /peer certificate/,
    "its certificate is not one that is trusted here: --certificate-authority FILE, or certificate-authority of the " +
    "kubeconfig, names who signs for it",
  ],
];

/** The error of one who is not let in, or reaches nobody, with what may be done about it. */
function withCure(error: unknown, { isServer, embedded }: { readonly isServer: boolean; readonly embedded: boolean }) {
  if (embedded || !(error instanceof KubeError)) return error;
  const cure = isServer ? cureOfServer(error) : cureOfCluster(error);
  return cure === undefined ? error : new CommandError(`${error.message}\n${cure}`);
}

function cureOfServer({ status, reason, message }: KubeError): string | undefined {
  if (status === 401) return "give a token that is valid with --token or ARGO_TOKEN";
  if (status !== 0 || reason !== "NetworkError") return undefined;
  if (message.includes("does not speak TLS")) return "--secure=false (ARGO_SECURE=false) speaks plain HTTP with it";
  if (message.includes("is not trusted: its certificate")) {
    return "--certificate-authority FILE names who signs for it; -k takes any certificate";
  }
  return "is the server up, and the one that is meant? --argo-server (ARGO_SERVER) names another";
}

function cureOfCluster({ status, message }: KubeError): string | undefined {
  if (status === 401) {
    return "the cluster does not take these credentials; log in again, or name others with --context or --token";
  }
  if (status !== 0) return undefined;
  return CERTIFICATES.find(([words]) => words.test(message))?.[1] ??
    "is the cluster up, and the one that is meant? --context names another, --local the embedded one";
}
