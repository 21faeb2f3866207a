import { EXIT, PATH, PRE_MAIN_PREFIX } from "../lib/constants.ts";
import { at, type World } from "./world.ts";

/** The kubelet reads no more of a termination message. */
const MESSAGE_BYTES = 4096;

/** How `argoexec` ended when the fault is its own or the pod's, not the command's. */
export class ExecutorError extends Error {
  override readonly name = "ExecutorError";

  /** `code` is one of the exit codes that mean something (spec/pods 2.4). */
  constructor(message: string, readonly code: number = EXIT.executorError, options?: ErrorOptions) {
    super(message, options);
  }
}

/** A member of a container set that must not run, as one it depends on failed: that one's code is its own. */
export class DependencyError extends ExecutorError {
  constructor(dependency: string, readonly dependencyCode: number) {
    super(`dependency "${dependency}" exited with non-zero code: ${dependencyCode}`);
  }
}

/** Writes why a container ended where the kubelet looks for it. A pod without that file only loses the message. */
export async function writeTerminationMessage(world: World, message: string): Promise<void> {
  try {
    await Deno.writeTextFile(at(world, PATH.terminationLog), message.slice(0, MESSAGE_BYTES));
  } catch {
    world.log(message);
  }
}

/** The termination message of an error: one about the time before main says so, or a user's own 65 would look the same. */
export function terminationMessage(error: unknown): string {
  const before = error instanceof ExecutorError && error.code === EXIT.preMainFailed;
  return before ? `${PRE_MAIN_PREFIX} ${describe(error)}` : describe(error);
}

/** The text of an error. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
