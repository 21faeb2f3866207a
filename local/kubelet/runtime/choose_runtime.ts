/** Which back end runs the containers of this machine. */
import { ImageStore, type ImageStoreOptions } from "../../image/image_store.ts";
import { chooseImageLauncher } from "./choose_launcher.ts";
import { HOST_NOTICE, hostRuntime } from "./host.ts";
import { type ContainerRuntime, RuntimeUnavailable } from "./runtime.ts";
import { sandboxRuntime } from "./sandbox.ts";

/** The names of the back ends, as flags spell them; `auto` is the best that this machine allows. */
export const RUNTIMES = ["auto", "sandbox", "host"] as const;

export type RuntimeName = (typeof RUNTIMES)[number];

export interface RuntimeOptions {
  readonly runtime: RuntimeName;
  /** Where containers keep what they write. */
  readonly folder: string;
  readonly images: ImageStoreOptions;
  /** Images that are a folder of this machine, by name. */
  readonly folders: ReadonlyMap<string, string>;
  /** Told what the user should know about how containers run. */
  readonly onNotice: (text: string) => void;
}

/** Makes the back end. Throws RuntimeUnavailable when this machine cannot run the one that is wanted, or any. */
export async function chooseRuntime(options: RuntimeOptions): Promise<ContainerRuntime> {
  const { runtime, folder, folders, onNotice } = options;
  const host = () => hostRuntime({ folder });
  if (runtime !== "host") {
    try {
      const launcher = await chooseImageLauncher(folder);
      return sandboxRuntime({ images: new ImageStore(options.images), launcher, host, folders, onNotice });
    } catch (error) {
      if (runtime === "sandbox" || !(error instanceof RuntimeUnavailable)) throw error;
    }
  }
  onNotice(HOST_NOTICE);
  return await host();
}
