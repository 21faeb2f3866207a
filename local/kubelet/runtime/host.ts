/**
 * A back end that only needs Linux: containers use the programs of this machine instead of their images. Namespaces
 * isolate their processes, writes and mounts.
 */

import { RunningContainers } from "./running_containers.ts";
import { chooseLauncher } from "./choose_launcher.ts";
import type { ControlGroups } from "./control_groups.ts";
import { type Launcher, MAX_PROCESSES } from "./launcher.ts";
import { readMachine } from "./machine.ts";
import { startOrFail } from "./not_started.ts";
import { makeRoot } from "./make_root.ts";
import { ProcessContainer } from "./process_container.ts";
import { machineFiles, planRoot } from "./root_plan.ts";
import { type ImageConfig, ImageError } from "@tiphys/registry/image_error";
import type { ContainerRuntime, ContainerSpec } from "./runtime.ts";
import { isProgram, SEARCH_PATH } from "./search_path.ts";

/** The configuration of every image, since images are not read. */
const noImage: ImageConfig = {
  entrypoint: [],
  cmd: [],
  env: new Map([["PATH", SEARCH_PATH], ["HOME", "/root"]]),
  workingDir: "/",
  user: "",
};

/** The notice about images in the messages of this back end. */
export const HOST_NOTICE = "Containers run on this machine's own file system; their images are not used";

export interface HostOptions {
  /** The folder for files of containers. Trials there determine what the kernel allows. */
  readonly folder: string;
  /** Used instead of the first launcher that works. */
  readonly launcher?: Launcher;
  /** Limits the resources of containers, if set. */
  readonly groups?: ControlGroups;
}

/**
 * Creates the host back end.
 * @throws {RuntimeUnavailable} if this machine cannot run it.
 */
export async function hostRuntime(options: HostOptions): Promise<ContainerRuntime> {
  const launcher = options.launcher ?? await chooseLauncher(options.folder, "machine");
  const machine = readMachine();
  const running = new RunningContainers();
  return {
    name: "host",
    rootId: launcher.options.ids?.first,
    pull: () => Promise.resolve(noImage),
    imageFolder(image) {
      const text = `The content of image ${JSON.stringify(image)} cannot be mounted: the host back end uses no images`;
      return Promise.reject(new ImageError("ErrImagePull", text));
    },
    async start(spec, output) {
      await Deno.mkdir(spec.folder, { recursive: true, mode: 0o700 });
      const { ids, overlays } = launcher.options;
      const plan = planRoot(machine, spec.mounts, machineFiles, { overlays, workingDir: spec.workingDir });
      makeRoot(plan, spec.folder, ids);
      const { user = 0, group = user } = spec;
      const identity = { user, group, groups: [group] };
      const limits = options.groups?.make({ memory: spec.memoryLimit, pids: MAX_PROCESSES });
      const root = { kind: "folder", path: `${spec.folder}/root` } as const;
      const container = await startOrFail(() =>
        ProcessContainer.start({
          spec,
          launcher,
          plan: { ...plan, root, identity },
          output,
          group: limits,
          explain: missingCommandMessage,
        })
      );
      return running.add(container);
    },
    async close() {
      await running.killAll();
    },
  };
}

/** The message for a container whose program does not exist on this machine. The emissary's program follows `--`. */
function missingCommandMessage({ command, env, image, mounts }: ContainerSpec): string | undefined {
  const wrapped = command[1] === "emissary" ? command.indexOf("--") + 1 : 0;
  const program = command[wrapped] ?? "";
  const inMount = mounts.some(({ target }) => program.startsWith(`${target}/`));
  const path = (env.get("PATH") ?? SEARCH_PATH).split(":");
  // Folders of the search path may be mounted.
  const seen = path.map((folder) => {
    const mount = mounts.find(({ target }) => folder === target || folder.startsWith(`${target}/`));
    return mount ? mount.source + folder.slice(mount.target.length) : folder;
  });
  if (program === "" || inMount || isProgram(program, seen.join(":"))) return undefined;
  return `${JSON.stringify(program)} is not a program of this machine: the host back end runs containers on the ` +
    `machine's own file system, image ${JSON.stringify(image)} is not used`;
}
