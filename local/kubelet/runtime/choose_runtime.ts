/** The choice of the back end that runs the containers of this machine. */
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
  /** The folder in which containers keep what they write. */
  readonly folder: string;
  readonly images: ImageStoreOptions;
  /** Images that are a folder of this machine, by name. */
  readonly folders: ReadonlyMap<string, string>;
  /** The images that a stand-in may replace where no registry can be reached. */
  readonly standIn?: StandInPolicy | undefined;
  /** Receives what the user should know about how containers run. */
  readonly onNotice: (text: string) => void;
}

type Maker = (options: RuntimeOptions) => Promise<ContainerRuntime>;

/** The makers of the back ends, the best first: those without a daemon, then those with true images. */
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

/** The back ends that may be taken unasked; the files of this machine are shown to containers only where its user says so. */
const UNASKED = ["sandbox", "docker", "podman"] as const satisfies readonly (keyof typeof MAKERS)[];

/** The names of the back ends, as flags spell them; `auto` is the best that this machine allows. */
export const RUNTIMES = ["auto", "sandbox", "docker", "podman", "host"] as const;

export type RuntimeName = (typeof RUNTIMES)[number];

/**
 * Makes the back end.
 * @throws {RuntimeUnavailable} when this machine cannot run the one that is wanted, or any.
 */
export async function chooseRuntime(wanted: RuntimeOptions): Promise<ContainerRuntime> {
  if (Deno.build.os !== "linux") {
    throw new RuntimeUnavailable(
      `Could not run containers: that takes Linux, and this is ${Deno.build.os}. Run tiphys itself in a container of docker ` +
        "or podman, with --privileged (docs/local.md tells how), or use a cluster: tiphys submit --kubeconfig FILE",
    );
  }
  // Containers that are marked as a folder's must be found by it, however it is spelled the next time.
  const options = { ...wanted, folder: await Deno.realPath(wanted.folder) };
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
  const host = "  host: it shows containers the files of this machine, so it is taken with --runtime host only";
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
