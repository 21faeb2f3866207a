/**
 * The back end of true images: each container's root is its image, with what the container writes laid over it. An image
 * that cannot be had because no registry answers does not keep a workflow from running: its containers run on this
 * machine's own files then, which is said once per image.
 */
import { imageIdentity, UnknownUser } from "./image_identity.ts";
import type { DockerConfig } from "../../image/credentials.ts";
import type { ImageRoot, ImageStore, StoredImage } from "../../image/image_store.ts";
import { progressNotices } from "../../image/progress_notices.ts";
import { RegistryUnreachable } from "../../image/registry_client.ts";
import { resolveWithin } from "../../image/scoped_path.ts";
import type { ImageLauncher } from "./image_launcher.ts";
import { flagsAt, readMachine } from "./machine.ts";
import type { MemoryGroups } from "./memory_groups.ts";
import { notStarted } from "./not_started.ts";
import { ProcessContainer } from "./process_container.ts";
import type { PlacedMount } from "./root_plan.ts";
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
  readonly launcher: ImageLauncher;
  /** Keeps containers to their limits; else nothing does. */
  readonly memory?: MemoryGroups;
  /** Makes what runs containers whose image cannot be had, when there is the first of them. */
  readonly host: () => Promise<ContainerRuntime>;
  /** Images that are a folder of this machine, by name. */
  readonly folders: ReadonlyMap<string, string>;
  /** Told what the user should know: that an image is being pulled, or cannot be had. */
  readonly onNotice: (text: string) => void;
}

/** Makes the back end. */
export function sandboxRuntime(options: SandboxOptions): ContainerRuntime {
  const { images, launcher, memory, folders, onNotice } = options;
  const machine = readMachine();
  const onHost = new Set<string>();
  let made: Promise<ContainerRuntime> | undefined;
  const host = () => made ??= options.host();
  const running = new Set<Container>();
  const read: ImageRoot[] = [];

  async function pull(name: string, { policy, secrets = [] }: ImagePull = {}): Promise<StoredImage | undefined> {
    try {
      const pulled = await images.pull(name, {
        ...(policy && { policy }),
        secrets: secrets as readonly DockerConfig[],
        onProgress: progressNotices(onNotice),
      });
      onHost.delete(name);
      return pulled;
    } catch (error) {
      if (!(error instanceof RegistryUnreachable)) throw error;
      const present = await images.find(name);
      if (present) return present;
      if (!onHost.has(name)) {
        onNotice(
          `The image ${name} cannot be had, its containers run on this machine's own file system: ${error.message}`,
        );
      }
      onHost.add(name);
      return undefined;
    }
  }

  async function startInImage(spec: ContainerSpec, output: OutputSink): Promise<Container> {
    const folder = folders.get(spec.image);
    const image = folder === undefined ? await images.find(spec.image) : undefined;
    const root: ImageRoot = folder === undefined ? await images.useRoot(image!) : { folder, [Symbol.dispose]() {} };
    await Deno.mkdir(spec.folder, { recursive: true, mode: 0o700 });
    const identity = imageIdentity(root.folder, spec);
    const env = new Map([["PATH", SEARCH_PATH], ["HOME", identity.home], ...spec.env]);
    const whole = { ...spec, env };
    const argv = await launcher.prepare({
      lower: root.folder,
      mounts: spec.mounts.map((mount): PlacedMount => ({
        ...mount,
        target: resolveWithin(root.folder, mount.target, true),
        flags: flagsAt(machine.mounts, mount.source),
        isFolder: !isFile(mount.source),
      })),
      workingDir: resolveWithin(root.folder, spec.workingDir ?? "/", true),
      identity,
    }, whole);
    const group = memory?.make(spec.memoryLimit);
    const container = new ProcessContainer({ spec: whole, launcher, argv, output, memory: group });
    container.ended.then(() => root[Symbol.dispose]());
    return container;
  }

  return {
    name: "sandbox",
    async pull(name, how) {
      if (folders.has(name)) return PLAIN_IMAGE;
      const image = await pull(name, how);
      return image ? await images.configOf(image) : await (await host()).pull(name, how);
    },
    async imageFolder(name, how) {
      const folder = folders.get(name);
      if (folder !== undefined) return folder;
      const image = await pull(name, how);
      if (!image) return await (await host()).imageFolder(name, how);
      const root = await images.useRoot(image);
      read.push(root);
      return root.folder;
    },
    async start(spec, output) {
      if (onHost.has(spec.image)) return await (await host()).start(spec, output);
      try {
        const container = await startInImage(spec, output);
        running.add(container);
        container.ended.then(() => running.delete(container));
        return container;
      } catch (error) {
        if (error instanceof UnknownUser) return notStarted(error.message);
        throw error;
      }
    },
    async close() {
      const all = [...running];
      for (const container of all) container.signal("SIGKILL");
      await Promise.all(all.map((container) => container.ended));
      await (await made)?.close();
      for (const root of read) root[Symbol.dispose]();
    },
  };
}

function isFile(path: string): boolean {
  try {
    return !Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
