/**
 * Logins by a program in a kubeconfig (`client.authentication.k8s.io`), as in kubectl: the program receives information
 * about the cluster, may prompt at the terminal, and prints a token or a certificate with its expiration time.
 */
import { fieldsOf, itemsOf, textFieldsOf, textIn, textsIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import type { Credentials } from "./credentials.ts";

type Entry = Readonly<Record<string, unknown>>;

/** A user entry with a program, and the program's inputs. */
export interface ExecLogin {
  /** The `exec` of the user entry. */
  readonly exec: Entry;
  /** The cluster entry, which is passed to the program if `provideClusterInfo` is set. */
  readonly cluster: Entry;
  /** Returns the certificate authority of the cluster as PEM. */
  readonly authority: () => Promise<string | undefined>;
  /** The folder that relative paths of the program are resolved against. */
  readonly folder: string;
  /** The name of the user entry. */
  readonly user: string;
}

/** The environment of a login, replaceable in a test. */
export interface ExecEnvironment {
  readonly now: () => number;
  /** Whether standard input is a terminal, so that the program can prompt. */
  readonly isTerminal: () => boolean;
}

const SYSTEM: ExecEnvironment = { now: Date.now, isTerminal: () => Deno.stdin.isTerminal() };

/** Returns credentials from a program. `rejected` means that the last ones were rejected with 401. */
export type ExecCredentials = (rejected: boolean) => Promise<Credentials>;

interface CachedCredentials {
  readonly credentials: Credentials;
  /** Expiration time, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

const GROUP = "client.authentication.k8s.io";
const VERSIONS: ReadonlySet<string> = new Set([`${GROUP}/v1`, `${GROUP}/v1beta1`]);
/** Maximum size of the output in bytes. Tokens and certificates are small. */
const MAX_OUTPUT_BYTES = 1 << 20;

/**
 * Returns the credentials of a program. The program runs when they are first needed, when they have expired, and when
 * they were rejected.
 */
export function execCredentials(login: ExecLogin, world: ExecEnvironment = SYSTEM): ExecCredentials {
  let kept: CachedCredentials | undefined;
  return async (rejected) => {
    if (!kept || rejected || world.now() >= kept.expiresAt) {
      kept = undefined;
      kept = await run(login, world).catch((error) => {
        throw failureOf(login, error);
      });
    }
    return kept.credentials;
  };
}

/** Reason why there are no credentials. */
class LoginError extends Error {}

function failureOf({ user, exec }: ExecLogin, error: unknown): Error {
  const why = error instanceof LoginError
    ? error.message
    : error instanceof Deno.errors.NotFound
    ? "there is no such program"
    : error instanceof Error
    ? error.message
    : String(error);
  const hint = textIn(exec, "installHint");
  const advice = error instanceof Deno.errors.NotFound && hint ? `\n${hint}` : "";
  const command = JSON.stringify(exec.command);
  return new Error(
    `The kubeconfig's user ${JSON.stringify(user)} could not log in by its command ${command}: ${why}${advice}`,
  );
}

async function run(login: ExecLogin, { isTerminal }: ExecEnvironment): Promise<CachedCredentials> {
  const { exec, folder } = login;
  const { apiVersion = "", command = "", interactiveMode = "IfAvailable" } = textsIn(exec, [
    "apiVersion",
    "command",
    "interactiveMode",
  ]);
  if (!VERSIONS.has(apiVersion)) {
    throw new LoginError(`expected the apiVersion ${[...VERSIONS].join(" or ")}, got ${JSON.stringify(apiVersion)}`);
  }
  if (command === "") throw new LoginError("expected the name of a program");
  const interactive = interactiveMode !== "Never" && isTerminal();
  if (interactiveMode === "Always" && !interactive) {
    throw new LoginError("it prompts, and standard input is not a terminal");
  }
  const told = { apiVersion, kind: "ExecCredential", spec: { interactive, ...await clusterOf(login) } };
  const env = itemsOf(exec.env).map((item) => textsIn(fieldsOf(item), ["name", "value"]));
  const child = new Deno.Command(command.includes("/") && !command.startsWith("/") ? `${folder}/${command}` : command, {
    args: itemsOf(exec.args).map(String),
    env: {
      ...Object.fromEntries(env.map(({ name = "", value = "" }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify(told),
    },
    stdin: interactive ? "inherit" : "null",
    stdout: "piped",
    // Prompts and errors of the program go to the terminal.
    stderr: "inherit",
  }).spawn();
  const answer = await outputOf(child);
  const { code } = await child.status;
  if (code !== 0) throw new LoginError(`it exited with code ${code}`);
  return parseCredentials(answer, apiVersion);
}

async function outputOf(child: Deno.ChildProcess): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of child.stdout) {
    bytes += part.length;
    if (bytes <= MAX_OUTPUT_BYTES) parts.push(part);
    else {
      child.kill("SIGKILL");
      await child.status;
      throw new LoginError(`it printed more than ${MAX_OUTPUT_BYTES} bytes`);
    }
  }
  return new TextDecoder().decode(joinedBytes(parts));
}

/** Returns the cluster information for a program. */
async function clusterOf({ exec, cluster, authority }: ExecLogin): Promise<object> {
  if (exec.provideClusterInfo !== true) return {};
  const ca = await authority();
  const extension = itemsOf(cluster.extensions).map(fieldsOf).find(({ name }) => name === `${GROUP}/exec`)?.extension;
  return {
    cluster: {
      ...textsIn(cluster, ["server", "tls-server-name", "proxy-url"]),
      ...(ca && { "certificate-authority-data": btoa(ca) }),
      ...(extension !== undefined && { config: extension }),
    },
  };
}

/**
 * Reads the credentials that a program printed. Error messages quote no part of the output, because it contains
 * credentials.
 */
function parseCredentials(answer: string, apiVersion: string): CachedCredentials {
  const { kind, apiVersion: version, status } = fieldsOfJson(answer);
  if (kind !== "ExecCredential" || version !== apiVersion) {
    throw new LoginError(`expected it to print an ExecCredential of ${apiVersion}, got something else`);
  }
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = textFieldsOf(status);
  if (!token && !(cert && key)) throw new LoginError("it printed neither a token nor a certificate with its key");
  const expiresAt = expirationTimestamp ? Date.parse(expirationTimestamp) : Infinity;
  if (Number.isNaN(expiresAt)) throw new LoginError("its expirationTimestamp is not a valid time");
  return {
    credentials: {
      headers: token ? { authorization: `Bearer ${token}` } : {},
      tls: cert && key ? { cert, key } : {},
    },
    expiresAt,
  };
}
