import { EXIT, PATH } from "../lib/constants.ts";
import { at, type World } from "./world.ts";

/** How `argoexec` ended when the fault is its own or the pod's, not the command's. */
export class ExecutorError extends Error {
  override readonly name = "ExecutorError";

  /** `code` is one of the exit codes that mean something (spec/pods 2.4). */
  constructor(message: string, readonly code: number = EXIT.executorError, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Writes why a container ended where the kubelet looks for it. A pod without that file only loses the message. */
export async function writeTerminationMessage(world: World, message: string): Promise<void> {
  try {
    await Deno.writeTextFile(at(world, PATH.terminationLog), message.slice(0, 4096));
  } catch {
    world.log(message);
  }
}

/** The text of an error, with what caused it. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
