/** Failures of the executor. Each belongs to a stage of the pod's life, which determines its exit code. */
import { EXIT, PATH } from "@tiphys/base/constants";
import { formatTerminationMessage, type Stage, type TerminationMessage } from "@tiphys/model/termination_message";
import { at, type World } from "./world.ts";

/** The stage of a failure, the artifact that it concerns, and its exit code. */
export interface FailureOptions extends ErrorOptions {
  /** Default: `command`. */
  readonly stage?: Stage;
  /** The artifact that it concerns. */
  readonly artifact?: string;
  /** Overrides the exit code of the stage. */
  readonly code?: number;
}

/** An error of the executor or the pod, as opposed to a failure of the user's command. It ends `argoexec`. */
export class ExecutorError extends Error {
  override readonly name = "ExecutorError";
  readonly stage: Stage;
  readonly artifact?: string;
  /** The exit code of the executor: that of the stage, unless the options override it. */
  readonly code: number;

  constructor(message: string, options: FailureOptions = {}) {
    super(message, options);
    this.stage = options.stage ?? "command";
    this.artifact = options.artifact;
    this.code = options.code ?? exitCodeOf(this.stage);
  }
}

/** Compares by name, because the program is bundled in two files, each with its own copy of the class. */
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

/** The exit code of a process that SIGTERM ended. */
const TERMINATED = 143;

/**
 * A container of a container set that must not run because a dependency failed. It exits with the code of the
 * dependency. If the kernel killed the dependency, for example when out of memory, it exits as if terminated, as in
 * Argo.
 */
export class DependencyError extends ExecutorError {
  constructor(dependency: string, readonly dependencyCode: number) {
    const code = dependencyCode === EXIT.undetermined ? TERMINATED : undefined;
    super(`dependency "${dependency}" exited with non-zero code: ${dependencyCode}`, { code });
  }
}

/** Returns the error as an {@link ExecutorError}. An error without a stage gets `stage`. */
export function toExecutorError(stage: Stage, error: unknown): ExecutorError {
  return isExecutorError(error) ? error : new ExecutorError(describeError(error), { stage, cause: error });
}

/** The termination message of a failure, for the kubelet. */
export function messageOf({ stage, artifact, message }: ExecutorError): TerminationMessage {
  return { stage, artifact, cause: message };
}

/**
 * Writes the termination message. A failed write is only logged. The write is synchronous because it may be the last
 * action of a failing process.
 */
export function writeTerminationMessage(world: World, message: TerminationMessage): void {
  try {
    Deno.writeTextFileSync(at(world, PATH.terminationLog), world.redact(formatTerminationMessage(message)));
  } catch (error) {
    world.log(`failed to write the termination message: ${describeError(error)}`);
  }
}

/** The message of an error. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
