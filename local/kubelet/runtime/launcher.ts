/** What makes the namespaces and the root of a container: `unshare` with a script of ours, or bubblewrap. */

import type { ContainerSpec } from "./runtime.ts";
import type { RootPlan } from "./root_plan.ts";

/** A command line. */
export type Argv = readonly string[];

/** What is known of containers once they are launched, and the way into them. */
export interface Launched {
  readonly name: string;
  /** What is known of a container that was launched. */
  state(folder: string): LaunchState;
  /** The command that runs another one inside the container. */
  enter(processes: ContainerProcesses, spec: ContainerSpec, command: readonly string[]): Argv;
}

/** How the processes of a container with this machine's own files are made. */
export interface Launcher extends Launched {
  /** Whether it can show a folder so that writes to it stay with the container. */
  readonly overlays: boolean;
  /**
   * Prepares `spec.folder` and answers the command whose process ends when the container's first process does, with
   * its exit code. What the command writes is what the container writes.
   */
  prepare(plan: RootPlan, spec: ContainerSpec): Promise<Argv>;
}

/** The two processes of this machine that lead into a container. */
export interface ContainerProcesses {
  /** The one that the launcher's command became, outside. */
  readonly launcher: number;
  /** The container's first process. */
  readonly first: number;
}

/** How far a launch came. */
export interface LaunchState {
  /** The container's first process, as this machine numbers it. */
  readonly pid: number | undefined;
  /** Whether the container's own program was reached. */
  readonly reached: boolean;
  /** What the tools said while the root was put together. */
  readonly complaints: string;
}

/** Reads a file that may not be there. */
export function readIfThere(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
