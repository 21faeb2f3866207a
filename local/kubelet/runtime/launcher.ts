/**
 * Starts the processes of containers. Each has a generated program in the container's folder, which the container
 * cannot see.
 */
import { resolve } from "node:path";
import { FAILED, type KernelProgram, type ProgramReport, readReports } from "@tiphys/portable/elf";
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
 * The maximum number of processes and threads of a container, which protects the rest of the machine. Without a control
 * group, it applies to each user of the container separately.
 */
export const MAX_PROCESSES = 2048;

export interface LauncherOptions {
  /** See {@link ContainerIds}. If undefined, all containers have the identity of this process. */
  readonly ids: ContainerIds | undefined;
  /** The storage of a container's writes. */
  readonly scratch: LaunchWorld["scratch"];
  /** Whether folders of the machine can be mounted as overlays, so that writes stay in the container. */
  readonly overlays: boolean;
  readonly kernel: MachineKernel;
}

/** The progress of a launch, as reported by its program. */
export interface LaunchState {
  /** The PID of the container's first process on this machine. */
  readonly pid: number | undefined;
  /** Whether the container's program was started. */
  readonly reached: boolean;
  /** Whether the program does not exist. */
  readonly missing: boolean;
  /** The failed step with the kernel's error; undefined if no step failed. */
  readonly complaint: string | undefined;
}

/** A program that runs a command in a container, and its error. */
export interface EnterProgram {
  readonly program: string;
  /**
   * The reason why the command did not start; undefined if it did. Must be called once, after the program has ended.
   */
  readFailure(): string | undefined;
}

/** A container that can be launched once. */
export interface PreparedContainer {
  /** The program that becomes the container. It ends with the container's first process, with the same exit code. */
  readonly program: string;
  state(): LaunchState;
  /** Prepares an additional command in the container. `keeper` is the process that {@link program} became. */
  enter(keeper: number, first: number, command: readonly string[]): EnterProgram;
}

export class Launcher {
  constructor(readonly options: LauncherOptions) {}

  /** Fills the container's folder, which must exist. */
  prepare(relativePlan: ContainerPlan, containerSpec: ContainerSpec, group?: ControlGroup): PreparedContainer {
    const plan = withAbsolutePaths(relativePlan);
    const folder = resolve(containerSpec.folder);
    const spec = { ...containerSpec, folder };
    const { ids } = this.options;
    if (plan.root.kind === "overlay") {
      Deno.symlinkSync(plan.root.lower, `${folder}/lower`);
      makeFolder(`${folder}/upper`, 0o755, ids);
      makeFolder(`${folder}/work`, 0o755, undefined);
      makeFolder(`${folder}/scratch`, 0o755, undefined);
    }
    makeFolder(`${folder}/empty`, 0o555, undefined);
    const groups = group?.members ?? [];
    const processLimit = group?.limitsProcesses ? undefined : MAX_PROCESSES;
    const launch = launchProgram(this.options, { plan, spec, groups, processLimit });
    const program = `${folder}/launch`;
    writeProgram(program, launch);
    let entered = 0;
    return {
      program,
      state: () => launchStateOf(reportsIn(`${folder}/state`), launch),
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
          readFailure() {
            const { complaint, missing } = launchStateOf(reportsIn(state), enter);
            for (const path of [file, state]) removeIfThere(path);
            return complaint ?? (missing ? `exec: ${JSON.stringify(command[0])}: ${NOT_FOUND}` : undefined);
          },
        };
      },
    };
  }
}

/** The error for a missing program, as in container engines. */
export const NOT_FOUND = "executable file not found in the container";

function launchStateOf(reports: readonly ProgramReport[], { steps }: KernelProgram): LaunchState {
  const find = (reportKind: number) => reports.find(({ kind }) => kind === reportKind);
  const failed = find(FAILED);
  const pid = find(PROCESS)?.first;
  return {
    pid,
    reached: find(REACHED) !== undefined && pid !== undefined,
    missing: find(MISSING) !== undefined,
    complaint: failed && `could not ${steps[failed.first]} (${errorName(-failed.second)})`,
  };
}

function reportsIn(path: string): ProgramReport[] {
  try {
    return readReports(Deno.readFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Makes paths absolute, because the program changes its folder. */
function withAbsolutePaths(plan: ContainerPlan): ContainerPlan {
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

/** Writes the file synchronously in this thread, so that no other process has it open when it is started. */
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
