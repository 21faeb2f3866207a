/**
 * Limits of containers that are plain processes: a Linux control group for each, which limits its memory and number of
 * processes. If this machine does not allow control groups, memory is not limited, and processes are limited by other
 * means.
 *
 * The groups are created as close to the root of their hierarchy as permitted, like those of container engines, so that
 * a later process over the same folder finds leftovers of one that was killed.
 */
import { createHash } from "node:crypto";
import { pause, systemClock } from "@tiphys/base/clock";
import { readIfThere } from "./read_if_there.ts";

/** The group of one container; in control groups v1, one in each hierarchy. */
export interface ControlGroup {
  /** Files of the group: a process that writes `0` to one becomes a member, with all its children. */
  readonly members: readonly string[];
  /** Whether it limits the number of processes. */
  readonly limitsProcesses: boolean;
  /** Reports whether a member was killed because of the memory limit. */
  wasExceeded(): boolean;
  /** Removes the group after its members have ended. */
  remove(): Promise<void>;
}

/** The resources that a control group can limit, by the kernel's names. */
export type Controller = "memory" | "pids";

/** The limits of a container: memory in bytes, and the number of processes and threads. */
export type Limits = Readonly<Partial<Record<Controller, number | undefined>>>;

/** A hierarchy in which groups can be created. */
export interface Hierarchy {
  readonly version: 1 | 2;
  /** Folders from its root to the group of this process. */
  readonly folders: readonly string[];
}

const REMOVE_AGAIN_MS = 10;
const REMOVE_TRIES = 200;
/** The limits of trials. */
const TRIAL = { memory: 2 ** 30, pids: 2 ** 10 } as const satisfies Limits;

/** The groups of the containers whose folders are below one folder. */
export class ControlGroups {
  readonly #prefix: string;
  readonly #hierarchies: Readonly<Partial<Record<Controller, Hierarchy | undefined>>>;
  /** Folders in which groups with these limits can be created; undefined if there is no such folder. */
  readonly #parents = new Map<string, string | undefined>();

  constructor(folder: string, hierarchies: Readonly<Partial<Record<Controller, Hierarchy | undefined>>>) {
    this.#prefix = `tiphys-${createHash("sha256").update(folder).digest("hex").slice(0, 12)}-`;
    this.#hierarchies = hierarchies;
  }

  static onThisMachine(folder: string): ControlGroups {
    const [mounts, own] = [readIfThere("/proc/self/mountinfo"), readIfThere("/proc/self/cgroup")];
    return new ControlGroups(folder, {
      memory: findHierarchy(mounts, own, "memory"),
      pids: findHierarchy(mounts, own, "pids"),
    });
  }

  /** Removes groups of an earlier process over the same folder. Must be called while no container is running. */
  async removeLeftovers(): Promise<void> {
    await Promise.all(this.list().map(removeGroup));
  }

  /** The existing groups. */
  list(): string[] {
    const folders = new Set(Object.values(this.#hierarchies).flatMap((hierarchy) => hierarchy?.folders ?? []));
    return [...folders].flatMap((folder) =>
      namesIn(folder).filter((name) => name.startsWith(this.#prefix)).map((name) => `${folder}/${name}`)
    );
  }

  /** Creates a group with those limits that are possible; undefined if none is. */
  make({ memory, pids }: Limits): ControlGroup | undefined {
    const name = crypto.randomUUID();
    const parts = this.#plan({ memory, pids }).flatMap(({ limits, version }): Part[] => {
      const parent = this.#parentOf(limits, version);
      if (parent === undefined) return [];
      return [{ folder: makeGroup(`${parent}/${this.#prefix}${name}`, limits, version), limits, version }];
    });
    return parts.length === 0 ? undefined : groupOf(parts);
  }

  /** The limits of each group. In control groups v2, a process is a member of only one group. */
  #plan({ memory, pids }: Limits): { readonly limits: Limits; readonly version: 1 | 2 }[] {
    const wanted = Object.entries({ memory, pids }).filter((entry): entry is [Controller, number] =>
      entry[1] !== undefined
    );
    const versionOf = (controller: Controller) => this.#hierarchies[controller]?.version;
    const separate = wanted.filter(([controller]) => versionOf(controller) === 1)
      .map(([controller, limit]) => ({ limits: { [controller]: limit }, version: 1 as const }));
    const together = wanted.filter(([controller]) => versionOf(controller) === 2);
    // If no group can have all limits, memory has priority, since nothing else can limit it.
    const choices = [together, ...together.map((controller) => [controller])].filter(({ length }) => length > 0)
      .map((entries): Limits => Object.fromEntries(entries));
    const unified = choices.find((limits) => this.#parentOf(limits, 2) !== undefined);
    return [...separate, ...unified ? [{ limits: unified, version: 2 as const }] : []];
  }

  #parentOf(limits: Limits, version: 1 | 2): string | undefined {
    const controllers = Object.keys(limits) as Controller[];
    const key = controllers.join();
    if (!this.#parents.has(key)) {
      const folders = this.#hierarchies[controllers[0]!]?.folders ?? [];
      this.#parents.set(key, folders.find((folder) => this.#isAllowed(folder, controllers, version)));
    }
    return this.#parents.get(key);
  }

  /** Reports whether a group can be created in a folder, and have a process of this user as a member. */
  #isAllowed(parent: string, controllers: readonly Controller[], version: 1 | 2): boolean {
    const folder = `${parent}/${this.#prefix}trial`;
    try {
      const limits = Object.fromEntries(controllers.map((controller) => [controller, TRIAL[controller]]));
      makeGroup(folder, limits, version);
      const join = ["-c", 'echo 0 > "$0/cgroup.procs"', folder];
      return new Deno.Command("sh", { args: join, stdout: "null", stderr: "null" }).outputSync().success;
    } catch {
      return false;
    } finally {
      try {
        Deno.removeSync(folder);
      } catch {
        // The folder was not made.
      }
    }
  }
}

const FILES = {
  1: { memory: "memory.limit_in_bytes", pids: "pids.max", events: "memory.oom_control" },
  2: { memory: "memory.max", pids: "pids.max", events: "memory.events" },
} as const;

/**
 * Settings that only some kernels have: no swap beyond the limit, and all members are killed together, as in a cluster.
 */
const EXTRAS = {
  1: [["memory.memsw.limit_in_bytes", undefined]],
  2: [["memory.swap.max", "0"], ["memory.oom.group", "1"]],
} as const satisfies Record<1 | 2, readonly (readonly [string, string | undefined])[]>;

function makeGroup(folder: string, { memory, pids }: Limits, version: 1 | 2): string {
  Deno.mkdirSync(folder);
  const write = (file: string, text: string) => Deno.writeTextFileSync(`${folder}/${file}`, text, { create: false });
  if (pids !== undefined) write(FILES[version].pids, String(pids));
  if (memory === undefined) return folder;
  write(FILES[version].memory, String(memory));
  for (const [file, text] of EXTRAS[version]) {
    try {
      write(file, text ?? String(memory));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return folder;
}

/** A group in one hierarchy. */
interface Part {
  readonly folder: string;
  readonly limits: Limits;
  readonly version: 1 | 2;
}

function groupOf(parts: readonly Part[]): ControlGroup {
  const memory = parts.find(({ limits }) => limits.memory !== undefined);
  return {
    members: parts.map(({ folder }) => `${folder}/cgroup.procs`),
    limitsProcesses: parts.some(({ limits }) => limits.pids !== undefined),
    wasExceeded: () =>
      memory !== undefined && /^oom_kill [1-9]/m.test(readIfThere(`${memory.folder}/${FILES[memory.version].events}`)),
    async remove() {
      await Promise.all(parts.map(({ folder }) => removeGroup(folder)));
    },
  };
}

/** Retries for a moment: the kernel refuses while a killed member still exists. */
async function removeGroup(folder: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES; tries++) {
    try {
      return Deno.removeSync(folder);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
    }
    await pause(systemClock, REMOVE_AGAIN_MS);
  }
}

/** The hierarchy of a controller, from the contents of `/proc/self/mountinfo` and `/proc/self/cgroup`. */
export function findHierarchy(mountinfo: string, cgroup: string, controller: Controller): Hierarchy | undefined {
  const mounts = mountinfo.split("\n").map((line) => line.split(" - ").map((half) => half.split(" ")));
  const mounted = (is: (type: string, options: string[]) => boolean) =>
    mounts.find(([, after]) => after && is(after[0]!, after.at(-1)!.split(",")))?.[0]?.[4];
  const first = mounted((type, options) => type === "cgroup" && options.includes(controller));
  const root = first ?? mounted((type) => type === "cgroup2");
  if (root === undefined) return undefined;
  // deno-lint-ignore tiphys/linear-regexp -- the kernel's line is trusted, and the name is a constant
  const own = first ? new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, "m") : /^0::(.*)$/m;
  const parts = (own.exec(cgroup)?.[1] ?? "").split("/").filter((part) => part !== "");
  const folders = [root, ...parts.map((_, index) => `${root}/${parts.slice(0, index + 1).join("/")}`)];
  return { version: first ? 1 : 2, folders };
}

function namesIn(folder: string): string[] {
  try {
    return Array.from(Deno.readDirSync(folder), ({ name }) => name);
  } catch {
    return [];
  }
}
