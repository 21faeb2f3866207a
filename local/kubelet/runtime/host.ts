/**
 * The back end that needs nothing but Linux: every container sees this machine's own programs, its image's are not used.
 * Namespaces keep its processes, its writes and its mounts to itself.
 */

import { chooseLauncher } from "./choose_launcher.ts";
import { HostContainer } from "./host_container.ts";
import type { Launcher } from "./launcher.ts";
import { readMachine } from "./machine.ts";
import { machineFiles, planRoot } from "./root_plan.ts";
import type { ContainerRuntime, ImageConfig } from "./runtime.ts";
import { SEARCH_PATH } from "./search_path.ts";

/** The same for all images, because none is looked at. */
const noImage: ImageConfig = {
  entrypoint: [],
  cmd: [],
  env: new Map([["PATH", SEARCH_PATH], ["HOME", "/root"]]),
  workingDir: "/",
};

/** The words in which every message of this back end says what it does with images. */
export const HOST_NOTICE = "Containers run on this machine's own file system; their images are not used";

export interface HostOptions {
  /** Where containers keep what they write: tried out for what the kernel allows there. */
  readonly folder: string;
  /** Instead of the first one that works. */
  readonly launcher?: Launcher;
}

/** Makes the host back end. Throws RuntimeUnavailable when this machine cannot run it. */
export async function hostRuntime(options: HostOptions): Promise<ContainerRuntime> {
  const launcher = options.launcher ?? await chooseLauncher(options.folder);
  const machine = readMachine();
  const running = new Set<HostContainer>();
  return {
    name: "host",
    notice: HOST_NOTICE,
    pull: () => Promise.resolve(noImage),
    async start(spec, output) {
      await Deno.mkdir(spec.folder, { recursive: true, mode: 0o700 });
      const plan = planRoot(machine, spec.mounts, machineFiles, {
        overlays: launcher.overlays,
        workingDir: spec.workingDir,
      });
      const argv = await launcher.prepare(plan, spec);
      const container = new HostContainer(spec, launcher, argv, output);
      running.add(container);
      container.ended.then(() => running.delete(container));
      return container;
    },
    async close() {
      const all = [...running];
      for (const container of all) container.signal("SIGKILL");
      await Promise.all(all.map((container) => container.ended));
    },
  };
}
