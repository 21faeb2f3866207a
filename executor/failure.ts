/** Failures of the executor: each at a stage of the pod's life, which decides its exit code. */
import { EXIT, PATH } from "../lib/constants.ts";
import { formatTerminationMessage, type Stage, type TerminationMessage } from "../lib/termination_message.ts";
import { at, type World } from "./world.ts";

/** The stage of a failure, the artifact that it is about, and its exit code. */
export interface FailureOptions extends ErrorOptions {
  /** `command` when left out. */
  readonly stage?: Stage;
  /** The artifact that it is about. */
  readonly artifact?: string;
  /** The exit code, where the stage's own will not do. */
  readonly code?: number;
}

/** The error with which `argoexec` ends when the fault is its own or the pod's, not the command's. */
export class ExecutorError extends Error {
  override readonly name = "ExecutorError";
  readonly stage: Stage;
  readonly artifact?: string;
  /** The exit code of the executor: the stage's own, or the one that the options give. */
  readonly code: number;

  constructor(message: string, options: FailureOptions = {}) {
    super(message, options);
    this.stage = options.stage ?? "command";
    this.artifact = options.artifact;
    this.code = options.code ?? exitCodeOf(this.stage);
  }
}

/** Tells the class by its name: the program is bundled in two files, each with a class of its own. */
function isExecutorError(error: unknown): error is ExecutorError {
  return error instanceof Error && error.name === "ExecutorError";
}

function exitCodeOf(stage: Stage): number {
  switch (stage) {
    case "wait":
      return EXIT.preMainFailed;
    case "link":
      return EXIT.stagingFailed;
    default:
      return EXIT.executorError;
  }
}

/** The exit code of a process that was ended by SIGTERM. */
const TERMINATED = 143;

/**
 * A member of a container set that must not run, as one it depends on failed: that one's code is its own. Where the kernel
 * killed that one, for example for lack of memory, the member fails as if it had been terminated, as in Argo.
 */
export class DependencyError extends ExecutorError {
  constructor(dependency: string, readonly dependencyCode: number) {
    const code = dependencyCode === EXIT.undetermined ? TERMINATED : undefined;
    super(`dependency "${dependency}" exited with non-zero code: ${dependencyCode}`, { code });
  }
}

/** The same failure, its stage known: an error that tells none happened at `stage`. */
export function failureAt(stage: Stage, error: unknown): ExecutorError {
  return isExecutorError(error) ? error : new ExecutorError(describe(error), { stage, cause: error });
}

/** The message about a failure that is left for the kubelet. */
export function messageOf({ stage, artifact, message }: ExecutorError): TerminationMessage {
  return { stage, artifact, cause: message };
}

/**
 * Writes why a container ended where the kubelet looks for it. A pod without that file only loses the message. At once,
 * as it may be the last thing a broken process does.
 */
export function writeTerminationMessage(world: World, message: TerminationMessage): void {
  try {
    Deno.writeTextFileSync(at(world, PATH.terminationLog), world.redact(formatTerminationMessage(message)));
  } catch (error) {
    world.log(`the termination message was not written: ${describe(error)}`);
  }
}

/** The text of an error. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
