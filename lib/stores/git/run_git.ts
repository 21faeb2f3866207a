/** Runs git in a given environment, and converts its failures to store errors. */
import { StoreError, type StoreErrorKind } from "@tiphys/model/artifact";
import { findProgram } from "./programs.ts";

/** Maximum number of characters of git's messages that are shown. */
const SHOWN_CHARACTERS = 600;

/** The environment of one run of git. */
export interface Run {
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: AbortSignal;
  /** The working directory. */
  readonly folder?: string;
}

/**
 * Runs git. Resolves to its output.
 * @throws {StoreError} of the kind that its message indicates, prefixed by `operation`.
 */
export async function git(
  args: readonly string[],
  { environment, stop, folder }: Run,
  operation: string,
): Promise<string> {
  stop.throwIfAborted();
  const child = startGit(args, environment, folder);
  const end = () => {
    try {
      // Kills the process group, because git's transport process would continue and keep the output open.
      Deno.kill(-child.pid, "SIGTERM");
    } catch {
      // The process has already ended.
    }
  };
  stop.addEventListener("abort", end);
  try {
    const { success, stdout, stderr } = await child.output();
    stop.throwIfAborted();
    if (success) return new TextDecoder().decode(stdout);
    throw failure(operation, new TextDecoder().decode(stderr));
  } finally {
    stop.removeEventListener("abort", end);
  }
}

function startGit(args: readonly string[], env: Readonly<Record<string, string>>, cwd?: string): Deno.ChildProcess {
  try {
    return new Deno.Command(findProgram("git", env.PATH ?? "") ?? "git", {
      args: [...args],
      clearEnv: true,
      detached: true,
      env,
      cwd,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new StoreError("git artifacts need the program git, which is not in this image", "final", undefined, {
      cause: error,
    });
  }
}

const KINDS: readonly (readonly [StoreErrorKind, RegExp])[] = [
  ["final", /host key verification failed|SSL certificate|certificate verif|server certificate|No space left/i],
  [
    "forbidden",
    /authentication failed|could not read (username|password)|permission denied|access denied|returned error: (401|403)|HTTP 401|HTTP 403/i,
  ],
  [
    "missing",
    /couldn't find remote ref|not found in upstream|repository '[^'\n]*' not found|repository not found|does not appear to be a git repository|no such repository|returned error: 404|not our ref|unadvertised object/i,
  ],
  [
    "transient",
    /could not resolve host|couldn't connect|failed to connect|connection (refused|reset|closed|timed out)|timed out|timeout|early EOF|unexpected disconnect|hung up|RPC failed|empty reply|returned error: (408|429|5\d\d)|transfer closed|too slow|temporary failure|network is unreachable|no route to host|broken pipe|eof was (seen|sent)|unable to read/i,
  ],
];

/** Explanations of messages of git and ssh. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /could not read (username|password)/i,
    "the server rejects the artifact's user name and password, or the artifact has none",
  ],
  [
    /no user exists for uid/i,
    "ssh found no entry for its user: install libnss_wrapper (Debian: libnss-wrapper) where the executor is built",
  ],
];

function failure(operation: string, message: string): StoreError {
  const lines = message.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !/^@+$/.test(line));
  const text = lines.join("; ");
  const kind = KINDS.find(([, words]) => words.test(text))?.[0] ?? "final";
  const why = REASONS.find(([words]) => words.test(text))?.[1];
  return new StoreError(`${operation} failed: ${why ? `${why}: ` : ""}${text.slice(-SHOWN_CHARACTERS)}`, kind);
}
