/**
 * The back end of true images: each container's root is its image, with what the container writes laid over it. Where no
 * registry can be reached, an image of this machine's common tools replaces a base image, or any image where the user allows
 * that; the pod says so.
 */
import { RunningContainers } from "./running_containers.ts";
import { imageIdentity } from "./image_identity.ts";
import type { DockerConfig } from "@tiphys/registry/credentials";
import { HeldRoots } from "../../image/held_roots.ts";
import type { ImageRoot, ImageStore, StoredImage } from "../../image/image_store.ts";
import { progressNotices } from "../../image/progress_notices.ts";
import { RegistryUnreachable } from "@tiphys/registry/registry_client";
import { resolveWithin } from "../../image/scoped_path.ts";
import { isBaseImage } from "../../image/stand_in/base_images.ts";
import { standIn } from "../../image/stand_in/stand_in.ts";
import type { ContainerPlan } from "./container_plan.ts";
import type { ControlGroups } from "./control_groups.ts";
import { type Launcher, MOST_PROCESSES } from "./launcher.ts";
import { startedOrNot } from "./not_started.ts";
import { ProcessContainer } from "./process_container.ts";
import { missingInStandIn, standInNotice } from "./stand_in_words.ts";
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
  /** Keeps containers to their limits; else nothing does. */
  readonly groups?: ControlGroups;
  /** Images that are a folder of this machine, by name. */
  readonly folders: ReadonlyMap<string, string>;
  /** The images that a stand-in may replace where no registry can be reached; the base images when absent. */
  readonly standIn?: StandInPolicy | undefined;
  /** Receives what the user should know: that an image is being pulled, or cannot be had. */
  readonly onNotice: (text: string) => void;
}

/**
 * The images that a stand-in may replace: none, the base images, any, or the base images and those that a function allows by
 * name.
 */
export type StandInPolicy = "none" | "base" | "any" | ((image: string) => boolean);

function mayReplace(policy: StandInPolicy, image: string): boolean {
  if (policy === "any" || policy === "none") return policy === "any";
  return isBaseImage(image) || typeof policy === "function" && policy(image);
}

/** Makes the back end. */
export function sandboxRuntime(options: SandboxOptions): ContainerRuntime {
  const { images, launcher, groups, folders, onNotice, standIn: policy = "base" } = options;
  /** The images used in place of those whose registry could not be reached, by the names of the latter. */
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

  /** The image, or its stand-in where no registry answers and the policy allows one. */
  async function pullOrStandIn(name: string, how?: ImagePull): Promise<StoredImage> {
    try {
      return await pull(name, how);
    } catch (error) {
      if (!(error instanceof RegistryUnreachable)) throw error;
      const present = await images.find(name);
      if (present) return present;
      if (!mayReplace(policy, name)) throw error;
      const image = await standIn(images).catch((why) => {
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
      group: groups?.make({ memory: spec.memoryLimit, pids: MOST_PROCESSES }),
      explain: isReplacement ? (_, exitCode) => missingInStandIn(root.folder, whole, exitCode) : undefined,
    });
    void container.ended.catch(() => {}).then(() => root[Symbol.dispose]());
    return container;
  }

  return {
    name: "sandbox",
    rootId: launcher.options.ids?.first,
    async pull(name, how) {
      if (folders.has(name)) return PLAIN_IMAGE;
      const config = await images.configOf(await pullOrStandIn(name, how));
      return stoodIn.has(name) ? { ...config, isStandIn: true } : config;
    },
    async imageFolder(name, how) {
      const folder = folders.get(name);
      if (folder !== undefined) return folder;
      const image = await pull(name, how);
      return read.hold(await images.useRoot(image));
    },
    async start(spec, output) {
      const container = await startedOrNot(() => startInImage(spec, output));
      return running.add(container);
    },
    async close() {
      await running.killAll();
      read[Symbol.dispose]();
    },
  };
}
