/**
 * The back end of docker and podman: an existing container engine runs the containers. Files of this machine are bind
 * mounts, so the engine must run on this machine.
 */
import { RunningContainers } from "../running_containers.ts";
import { z } from "zod";
import type { DockerConfig } from "@tiphys/registry/credentials";
import { HeldRoots } from "../../../image/held_roots.ts";
import type { ImageStore } from "../../../image/image_store.ts";
import { engineProfile } from "../call_filter.ts";
import { ENGINE_EXCESS } from "../capabilities.ts";
import { MAX_PROCESSES } from "../launcher.ts";
import { failedContainer } from "../not_started.ts";
import { type ContainerRuntime, type ContainerSpec, type Mount, PLAIN_IMAGE } from "../runtime.ts";
import { type EngineClient, EngineRefusal, Named } from "./engine_client.ts";
import { startEngineContainer } from "./engine_container.ts";
import { EngineImages } from "./engine_images.ts";
import { CannotPinError, pinMounts } from "./pins.ts";

export interface EngineOptions {
  /** The user-facing name of the engine: `docker`, `podman`. */
  readonly name: string;
  /** The client of a responding engine. It is closed with the back end. */
  readonly engine: EngineClient;
  /** The folder that labels our containers. Those of an earlier process over the same folder are removed. */
  readonly folder: string;
  /** Contains images that are mounted as volumes. */
  readonly images: ImageStore;
  readonly dockerConfig: DockerConfig;
  /** Images that are folders of this machine, by name. None contains `/etc`, where engines put their own files. */
  readonly folders: ReadonlyMap<string, string>;
  readonly onNotice: (text: string) => void;
}

/** Labels the containers of a folder. */
const LABEL = "tiphys.folder";

/** The empty image of containers whose image is a folder. */
const EMPTY_IMAGE = "tiphys.local/empty:latest";

/** Creates the back end. */
export async function engineRuntime(options: EngineOptions): Promise<ContainerRuntime> {
  const { name, engine, folder, images: store, folders } = options;
  const images = new EngineImages(options);
  const running = new RunningContainers();
  const read = new HeldRoots();
  let isClosed = false;
  await removeAll(engine, folder);
  return {
    name,
    async pull(image, pullOptions) {
      if (!folders.has(image)) return await images.pull(image, pullOptions);
      await images.ensureEmpty(EMPTY_IMAGE);
      return PLAIN_IMAGE;
    },
    async imageFolder(image, pullOptions) {
      const own = folders.get(image);
      if (own !== undefined) return own;
      await images.pull(image, pullOptions);
      await images.copyTo(store, image);
      return read.hold(await store.useRoot((await store.find(image))!));
    },
    async start(spec, output) {
      await Deno.mkdir(spec.folder, { recursive: true, mode: 0o700 });
      try {
        await using pins = await pinMounts(spec);
        const seccomp = await profileFor(name, spec.folder);
        const body = createRequest({ ...spec, mounts: pins.mounts }, folder, folders.get(spec.image), seccomp);
        const { Id: id } = await engine.json("POST", "/containers/create", Named, { body });
        const container = await startEngineContainer({ engine, id, spec, output });
        return running.add(container);
      } catch (error) {
        if (error instanceof EngineRefusal || error instanceof CannotPinError) {
          return failedContainer(`Could not start the container: ${error.message}`);
        }
        throw error;
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await running.killAll();
      await removeAll(engine, folder);
      read[Symbol.dispose]();
      engine[Symbol.dispose]();
    },
  };
}

/** Removes the containers of a folder: at the end, and at the start those of a process that was killed. */
async function removeAll(engine: EngineClient, folder: string): Promise<void> {
  const filters = JSON.stringify({ label: [`${LABEL}=${folder}`] });
  const left = await engine.json("GET", "/containers/json", z.array(Named), { query: { all: "1", filters } });
  for (const { Id } of left) await engine.send("DELETE", `/containers/${Id}`, { query: { force: "1", v: "1" } });
}

/** The creation request of a container. `content` is its image, if that is a folder. */
function createRequest(spec: ContainerSpec, folder: string, content: string | undefined, seccomp: string): unknown {
  const [program = "", ...args] = spec.command;
  const mounts = [...content === undefined ? [] : contentMounts(content), ...spec.mounts];
  const limit = spec.memoryLimit;
  return {
    Image: content === undefined ? spec.image : EMPTY_IMAGE,
    Hostname: spec.hostname,
    Entrypoint: [program],
    Cmd: args,
    Env: [...spec.env].map(([name, value]) => `${name}=${value}`),
    WorkingDir: spec.workingDir ?? "/",
    User: userOf(spec),
    // Disables the health check of the image, which Kubernetes ignores.
    Healthcheck: { Test: ["NONE"] },
    Labels: { [LABEL]: folder },
    HostConfig: {
      // All pods share the network of the machine, since their addresses belong to its loopback device.
      NetworkMode: "host",
      ReadonlyRootfs: spec.readOnlyRoot,
      Mounts: mounts.map(({ source, target, readOnly }) => ({
        Type: "bind",
        Source: source,
        Target: target,
        ReadOnly: readOnly,
      })),
      // SELinux would deny containers access to the folders of their pod.
      SecurityOpt: ["label=disable", `seccomp=${seccomp}`, ...spec.noNewPrivileges ? ["no-new-privileges"] : []],
      Privileged: false,
      // Containers use the machine's network, so they must not forge packets; and they must not create devices.
      CapDrop: ENGINE_EXCESS,
      PidsLimit: MAX_PROCESSES,
      // A private namespace hides the control groups of the machine.
      CgroupnsMode: "private",
      // If memory is short, the kernel kills the container before other processes.
      OomScoreAdj: 1000,
      // The output is read through the API, so the engine need not store it.
      LogConfig: { Type: "none" },
      ...(limit !== undefined && { Memory: limit, MemorySwap: limit }),
    },
  };
}

/** The seccomp profile, the same for all back ends. docker expects it as text, podman as a file. */
async function profileFor(name: string, folder: string): Promise<string> {
  if (name !== "podman") return engineProfile();
  const path = `${await Deno.realPath(folder)}/seccomp.json`;
  await Deno.writeTextFile(path, engineProfile(), { mode: 0o600 });
  return path;
}

/** The mounts of all top-level entries of a folder. */
function contentMounts(content: string): Mount[] {
  return Array.from(
    Deno.readDirSync(content),
    ({ name }) => ({ source: `${content}/${name}`, target: `/${name}`, readOnly: true }),
  );
}

/** The user of the pod, if set. A group without a user is combined with the user of the image. */
function userOf({ user, group, imageUser }: ContainerSpec): string {
  if (user === undefined && group === undefined) return "";
  const who = user ?? (imageUser.split(":")[0] || 0);
  return group === undefined ? String(who) : `${who}:${group}`;
}
