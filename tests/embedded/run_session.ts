/** Runs a kubectl session. */
import { runCommand } from "../../scripts/command.ts";
import { normalizeOutput } from "./normalize_output.ts";
import type { Exchange } from "./session.ts";

/** The cluster, programs and folder of a session. */
export interface SessionEnvironment {
  /** A kubeconfig; its current context has the namespace of the session. */
  readonly kubeconfig: string;
  /** The folder of a kubectl that takes precedence over others. */
  readonly programs: string | undefined;
  /** The working folder, with the files that commands use. */
  readonly folder: string;
}

/** A command that takes longer is killed: `[exit 124]`. */
const COMMAND_SECONDS = "90";

/** Runs the commands of a session, each in its own shell. Returns the session with the actual output. */
export async function runSession(session: readonly Exchange[], place: SessionEnvironment): Promise<Exchange[]> {
  const path = Deno.env.get("PATH") ?? "";
  const env = {
    KUBECONFIG: place.kubeconfig,
    PATH: place.programs ? `${place.programs}:${path}` : path,
    TZ: "UTC",
    EDITOR: "false",
  };
  const actual: Exchange[] = [];
  for (const exchange of session) {
    const command = ["timeout", COMMAND_SECONDS, "sh", "-c", `exec 2>&1\n${exchange.command}`];
    const { code, stdout } = await runCommand(command, { cwd: place.folder, env });
    const exit = code === 0 ? [] : [`[exit ${code}]`];
    actual.push({ ...exchange, output: [normalizeOutput(stdout), ...exit].filter((text) => text !== "").join("\n") });
  }
  return actual;
}
