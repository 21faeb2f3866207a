/** Makes the processes of containers: each by a program of its own, which lies in the container's folder and is seen by nobody in it. */
import { resolve } from "node:path";
import { FAILED, type KernelProgram, readTold, type Told } from "@tiphys/portable/elf";
import type { ContainerIds } from "../../image/container_ids.ts";
import type { ContainerPlan } from "./container_plan.ts";
import type { ControlGroup } from "./control_groups.ts";
import type { MachineKernel } from "./machine.ts";
import { MISSING, PROCESS, REACHED } from "./program/begin_calls.ts";
import { enterProgram } from "./program/enter_program.ts";
import { errorName } from "./program/kernel_words.ts";
import { launchProgram, type LaunchWorld } from "./program/launch_program.ts";
import type { ContainerSpec } from "./runtime.ts";

/**
 * The number of processes and threads that a container may have, so that others of the machine keep what they need.
 * Each user of the container may have this number where no control group can be made for it.
 */
export const MOST_PROCESSES = 2048;

export interface LauncherOptions {
  /** See {@link ContainerIds}; undefined: all containers have our own identity. */
  readonly ids: ContainerIds | undefined;
  /** The place for what a container writes. */
  readonly scratch: LaunchWorld["scratch"];
  /** Whether folders of the machine can be shown so that writes to them stay with the container. */
  readonly overlays: boolean;
  readonly kernel: MachineKernel;
}

/** The progress of a launch, as its program has told it. */
export interface LaunchState {
  /** The container's first process, as this machine numbers it. */
  readonly pid: number | undefined;
  /** Whether the container's own program was reached. */
  readonly reached: boolean;
  /** Whether it was not there. */
  readonly missing: boolean;
  /** The step that failed, with the kernel's error; undefined when none did. */
  readonly complaint: string | undefined;
}

/** A program to be started, and what it said when it ended. */
export interface Entering {
  readonly program: string;
  /** The reason why the command was not started; undefined when it was. Called once, after the program's end. */
  complaint(): string | undefined;
}

/** One container that can be launched, once. */
export interface PreparedContainer {
  /** The program whose process ends with the container's first, and its exit code; its output is the container's. */
  readonly program: string;
  state(): LaunchState;
  /** Prepares a command beside the container's own. `keeper` is the process that {@link program} became. */
  enter(keeper: number, first: number, command: readonly string[]): Entering;
}

export class Launcher {
  constructor(readonly options: LauncherOptions) {}

  /** Fills the container's folder, which is there. */
  prepare(wanted: ContainerPlan, told: ContainerSpec, group?: ControlGroup): PreparedContainer {
    const plan = withWholePaths(wanted);
    const folder = resolve(told.folder);
    const spec = { ...told, folder };
    const { ids } = this.options;
    if (plan.root.kind === "overlay") {
      Deno.symlinkSync(plan.root.lower, `${folder}/lower`);
      makeFolder(`${folder}/upper`, 0o755, ids);
      makeFolder(`${folder}/work`, 0o755, undefined);
      makeFolder(`${folder}/scratch`, 0o755, undefined);
    }
    makeFolder(`${folder}/empty`, 0o555, undefined);
    const groups = group?.members ?? [];
    const processLimit = group?.limitsProcesses ? undefined : MOST_PROCESSES;
    const launch = launchProgram(this.options, { plan, spec, groups, processLimit });
    const program = `${folder}/launch`;
    writeProgram(program, launch);
    let entered = 0;
    return {
      program,
      state: () => stateOf(toldIn(`${folder}/state`), launch),
      enter: (keeper, first, command) => {
        const file = `${folder}/enter-${++entered}`;
        const { identity } = plan;
        const state = `${file}.state`;
        const enter = enterProgram(this.options, {
          spec,
          identity,
          command,
          keeper,
          first,
          groups,
          processLimit,
          state,
        });
        writeProgram(file, enter);
        return {
          program: file,
          complaint() {
            const { complaint, missing } = stateOf(toldIn(state), enter);
            for (const path of [file, state]) removeIfThere(path);
            return complaint ?? (missing ? `exec: ${JSON.stringify(command[0])}: ${NOT_FOUND}` : undefined);
          },
        };
      },
    };
  }
}

/** The reason for a program that is not there, as container engines say it. */
export const NOT_FOUND = "executable file not found in the container";

function stateOf(told: readonly Told[], { steps }: KernelProgram): LaunchState {
  const find = (wanted: number) => told.find(({ kind }) => kind === wanted);
  const failed = find(FAILED);
  const pid = find(PROCESS)?.first;
  return {
    pid,
    reached: find(REACHED) !== undefined && pid !== undefined,
    missing: find(MISSING) !== undefined,
    complaint: failed && `could not ${steps[failed.first]} (${errorName(-failed.second)})`,
  };
}

function toldIn(path: string): Told[] {
  try {
    return readTold(Deno.readFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** The program stands in a folder of its own. */
function withWholePaths(plan: ContainerPlan): ContainerPlan {
  const root: ContainerPlan["root"] = plan.root.kind === "overlay"
    ? { kind: "overlay", lower: resolve(plan.root.lower) }
    : { kind: "folder", path: resolve(plan.root.path) };
  return { ...plan, root, mounts: plan.mounts.map((mount) => ({ ...mount, source: resolve(mount.source) })) };
}

function makeFolder(path: string, mode: number, ids: ContainerIds | undefined): void {
  Deno.mkdirSync(path);
  Deno.chmodSync(path, mode);
  if (ids) Deno.chownSync(path, ids.first, ids.first);
}

/** Written at once and by one thread, so that nobody has it open when it is started. */
function writeProgram(path: string, program: KernelProgram): void {
  Deno.writeFileSync(path, program.file(), { createNew: true, mode: 0o500 });
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
