/** Chooses the back end that runs the containers of this machine. */
import { ImageStore, type ImageStoreOptions } from "../../image/image_store.ts";
import { chooseLauncher } from "./choose_launcher.ts";
import { ControlGroups } from "./control_groups.ts";
import { engineRuntime } from "./engine/engine.ts";
import type { EngineName } from "./engine/engine_address.ts";
import { findEngine } from "./engine/find_engine.ts";
import { HOST_NOTICE, hostRuntime } from "./host.ts";
import { type ContainerRuntime, RuntimeUnavailable } from "./runtime.ts";
import { sandboxRuntime, type StandInPolicy } from "./sandbox.ts";

export interface RuntimeOptions {
  readonly runtime: RuntimeName;
  /** The folder for files of containers. */
  readonly folder: string;
  readonly images: ImageStoreOptions;
  /** Images that are folders of this machine, by name. */
  readonly folders: ReadonlyMap<string, string>;
  /** The images that may be replaced by a stand-in if no registry can be reached. */
  readonly standIn?: StandInPolicy | undefined;
  /** Called with notices for the user about how containers run. */
  readonly onNotice: (text: string) => void;
}

type Maker = (options: RuntimeOptions) => Promise<ContainerRuntime>;

/** The factories of the back ends, best first: those without a daemon, then those that use images. */
const MAKERS = {
  sandbox: async ({ folder, images, folders, onNotice, standIn }) => {
    const launcher = await chooseLauncher(folder, "image");
    const groups = await controlGroups(folder);
    return sandboxRuntime({ images: new ImageStore(images), launcher, groups, folders, onNotice, standIn });
  },
  docker: engineMaker("docker"),
  podman: engineMaker("podman"),
  host: async ({ folder, onNotice }) => {
    const runtime = await hostRuntime({ folder, groups: await controlGroups(folder) });
    onNotice(HOST_NOTICE);
    return runtime;
  },
} as const satisfies Record<string, Maker>;

/** The back ends that `auto` may choose. `host` shows files of this machine to containers, so it must be requested. */
const UNASKED = ["sandbox", "docker", "podman"] as const satisfies readonly (keyof typeof MAKERS)[];

/** The names of the back ends for flags. `auto` is the best one that this machine supports. */
export const RUNTIMES = ["auto", "sandbox", "docker", "podman", "host"] as const;

export type RuntimeName = (typeof RUNTIMES)[number];

/**
 * Creates the back end.
 * @throws {RuntimeUnavailable} if this machine cannot run the requested one, or any.
 */
export async function chooseRuntime(requested: RuntimeOptions): Promise<ContainerRuntime> {
  if (Deno.build.os !== "linux") {
    throw new RuntimeUnavailable(
      `Could not run containers: Linux is required, and this is ${Deno.build.os}. Run tiphys itself in a container of docker ` +
        "or podman, with --privileged (see docs/local.md), or use a cluster: tiphys submit --kubeconfig FILE",
    );
  }
  // Containers are labeled with their folder, so its path must be canonical to be found later.
  const options = { ...requested, folder: await Deno.realPath(requested.folder) };
  const { runtime } = options;
  if (runtime !== "auto") return await MAKERS[runtime](options);
  const complaints: string[] = [];
  for (const name of UNASKED) {
    try {
      return await MAKERS[name](options);
    } catch (error) {
      if (!(error instanceof RuntimeUnavailable)) throw error;
      complaints.push(`  ${name}: ${error.message}`);
    }
  }
  const host = "  host: it exposes the files of this machine to containers, so it is used only with --runtime host";
  throw new RuntimeUnavailable(["No way to run containers on this machine:", ...complaints, host].join("\n"));
}

async function controlGroups(folder: string): Promise<ControlGroups> {
  const groups = ControlGroups.onThisMachine(folder);
  await groups.removeLeftovers();
  return groups;
}

function engineMaker(name: EngineName): Maker {
  return async ({ folder, images, folders, onNotice }) => {
    const engine = await findEngine(name);
    try {
      const dockerConfig = images.dockerConfig ?? {};
      const store = new ImageStore(images);
      return await engineRuntime({ name, engine, folder, images: store, dockerConfig, folders, onNotice });
    } catch (error) {
      engine[Symbol.dispose]();
      throw error;
    }
  };
}
