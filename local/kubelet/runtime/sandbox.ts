/**
 * The back end with real images: a container's root is its image, with its writes in an overlay. If no registry can be
 * reached, a stand-in with common tools of this machine replaces a base image, or any image that the user allows. The
 * pod reports it.
 */
import { RunningContainers } from "./running_containers.ts";
import { imageIdentity } from "./image_identity.ts";
import type { DockerConfig } from "@tiphys/registry/credentials";
import { HeldRoots } from "../../image/held_roots.ts";
import type { ImageRoot, ImageStore, StoredImage } from "../../image/image_store.ts";
import { progressNotices } from "../../image/progress_notices.ts";
import { RegistryUnreachableError } from "@tiphys/registry/registry_client";
import { resolveWithin } from "../../image/scoped_path.ts";
import { isBaseImage } from "../../image/stand_in/base_images.ts";
import { findOrCreateStandIn } from "../../image/stand_in/stand_in.ts";
import type { ContainerPlan } from "./container_plan.ts";
import type { ControlGroups } from "./control_groups.ts";
import { type Launcher, MAX_PROCESSES } from "./launcher.ts";
import { startOrFail } from "./not_started.ts";
import { ProcessContainer } from "./process_container.ts";
import { missingProgramMessage, standInNotice } from "./stand_in_words.ts";
import { ImageError } from "@tiphys/registry/image_error";
import {
  type Container,
  type ContainerRuntime,
  type ContainerSpec,
  type ImagePull,
  type OutputSink,
  PLAIN_IMAGE,
} from "./runtime.ts";
import { SEARCH_PATH } from "./search_path.ts";

export interface SandboxOptions {
  readonly images: ImageStore;
  readonly launcher: Launcher;
  /** Limits the resources of containers, if set. */
  readonly groups?: ControlGroups;
  /** Images that are folders of this machine, by name. */
  readonly folders: ReadonlyMap<string, string>;
  /** The images that may be replaced by a stand-in if no registry can be reached; the base images by default. */
  readonly standIn?: StandInPolicy | undefined;
  /** Called with notices for the user: that an image is being pulled, or cannot be pulled. */
  readonly onNotice: (text: string) => void;
}

/**
 * The images that a stand-in may replace: none, base images, any, or base images and those for whose name the function
 * returns true.
 */
export type StandInPolicy = "none" | "base" | "any" | ((image: string) => boolean);

function mayReplace(policy: StandInPolicy, image: string): boolean {
  if (policy === "any" || policy === "none") return policy === "any";
  return isBaseImage(image) || typeof policy === "function" && policy(image);
}

/** Creates the back end. */
export function sandboxRuntime(options: SandboxOptions): ContainerRuntime {
  const { images, launcher, groups, folders, onNotice, standIn: policy = "base" } = options;
  /** Stand-ins by the names of the images that they replace. */
  const stoodIn = new Map<string, StoredImage>();
  const running = new RunningContainers();
  const read = new HeldRoots();

  async function pull(name: string, { policy, secrets = [], onFetch }: ImagePull = {}): Promise<StoredImage> {
    const notice = progressNotices(onNotice);
    const pulled = await images.pull(name, {
      ...(policy && { policy }),
      secrets: secrets as readonly DockerConfig[],
      onProgress(progress) {
        onFetch?.();
        notice(progress);
      },
    });
    stoodIn.delete(name);
    return pulled;
  }

  /** Pulls an image. Returns a stand-in if no registry responds and the policy allows it. */
  async function pullOrStandIn(name: string, pullOptions?: ImagePull): Promise<StoredImage> {
    try {
      return await pull(name, pullOptions);
    } catch (error) {
      if (!(error instanceof RegistryUnreachableError)) throw error;
      const present = await images.find(name);
      if (present) return present;
      if (!mayReplace(policy, name)) throw error;
      const image = await findOrCreateStandIn(images).catch((why) => {
        throw new ImageError("ErrImagePull", `${error.message}; ${why.message}`, { cause: error });
      });
      if (!stoodIn.has(name)) onNotice(standInNotice(name));
      stoodIn.set(name, image);
      return image;
    }
  }

  async function startInImage(spec: ContainerSpec, output: OutputSink): Promise<Container> {
    const folder = folders.get(spec.image);
    const replacement = stoodIn.get(spec.image);
    const image = folder === undefined ? replacement ?? await images.find(spec.image) : undefined;
    const root: ImageRoot = folder === undefined ? await images.useRoot(image!) : { folder, [Symbol.dispose]() {} };
    try {
      return await startInRoot(root, replacement !== undefined, spec, output);
    } catch (error) {
      root[Symbol.dispose]();
      throw error;
    }
  }

  async function startInRoot(
    root: ImageRoot,
    isReplacement: boolean,
    spec: ContainerSpec,
    output: OutputSink,
  ): Promise<Container> {
    await Deno.mkdir(spec.folder, { recursive: true, mode: 0o700 });
    const identity = imageIdentity(root.folder, spec);
    const env = new Map([["PATH", SEARCH_PATH], ["HOME", identity.home], ...spec.env]);
    const whole = { ...spec, env };
    const plan: ContainerPlan = {
      root: { kind: "overlay", lower: root.folder },
      layers: [],
      mounts: spec.mounts.map((mount) => ({ ...mount, target: resolveWithin(root.folder, mount.target, true) })),
      workingDir: resolveWithin(root.folder, spec.workingDir ?? "/", true),
      identity,
    };
    const container = await ProcessContainer.start({
      spec: whole,
      launcher,
      plan,
      output,
      group: groups?.make({ memory: spec.memoryLimit, pids: MAX_PROCESSES }),
      explain: isReplacement ? (_, exitCode) => missingProgramMessage(root.folder, whole, exitCode) : undefined,
    });
    void container.ended.catch(() => {}).then(() => root[Symbol.dispose]());
    return container;
  }

  return {
    name: "sandbox",
    rootId: launcher.options.ids?.first,
    async pull(name, pullOptions) {
      if (folders.has(name)) return PLAIN_IMAGE;
      const config = await images.configOf(await pullOrStandIn(name, pullOptions));
      return stoodIn.has(name) ? { ...config, isStandIn: true } : config;
    },
    async imageFolder(name, pullOptions) {
      const folder = folders.get(name);
      if (folder !== undefined) return folder;
      const image = await pull(name, pullOptions);
      return read.hold(await images.useRoot(image));
    },
    async start(spec, output) {
      const container = await startOrFail(() => startInImage(spec, output));
      return running.add(container);
    },
    async close() {
      await running.killAll();
      read[Symbol.dispose]();
    },
  };
}
