/**
 * Limits of containers that are plain processes: control groups of Linux, one for each, that limit its memory and how many
 * processes it has. Where this machine lets us make none, memory is not limited, and processes are by other means.
 *
 * The groups lie as near to the root of their hierarchy as we may make them, as those of an engine do: there a later process
 * over the same folder finds what one that was killed left.
 */
import { createHash } from "node:crypto";
import { pause, systemClock } from "@tiphys/base/clock";
import { readIfThere } from "./read_if_there.ts";

/** The group of one container: in old versions of control groups, one in each hierarchy. */
export interface ControlGroup {
  /** Files: a process that writes `0` there is a member, and so is all that it starts. */
  readonly members: readonly string[];
  /** Whether it counts processes. */
  readonly limitsProcesses: boolean;
  /** Whether a member was killed because the group had no memory left. */
  wasExceeded(): boolean;
  /** Removes the group, when its members have ended. */
  remove(): Promise<void>;
}

/** The resources that a control group can limit, by the kernel's names. */
export type Controller = "memory" | "pids";

/** The limits of a container: bytes of memory, and processes with all their threads. */
export type Limits = Readonly<Partial<Record<Controller, number | undefined>>>;

/** The hierarchy of control groups in which ours can be made. */
export interface Hierarchy {
  readonly version: 1 | 2;
  /** Folders from its root to our own group. */
  readonly folders: readonly string[];
}

const REMOVE_AGAIN_MS = 10;
const REMOVE_TRIES = 200;
/** A limit to try out with, for each. */
const TRIAL = { memory: 2 ** 30, pids: 2 ** 10 } as const satisfies Limits;

/** The groups of the containers whose folders lie below one folder. */
export class ControlGroups {
  readonly #prefix: string;
  readonly #hierarchies: Readonly<Partial<Record<Controller, Hierarchy | undefined>>>;
  /** Folders in which groups with these limits can be made; undefined where there is none. */
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

  /** Removes what an earlier process over the same folder left. To be called while no container runs. */
  async removeLeftovers(): Promise<void> {
    await Promise.all(this.list().map(removeGroup));
  }

  /** The groups that there are. */
  list(): string[] {
    const folders = new Set(Object.values(this.#hierarchies).flatMap((hierarchy) => hierarchy?.folders ?? []));
    return [...folders].flatMap((folder) =>
      namesIn(folder).filter((name) => name.startsWith(this.#prefix)).map((name) => `${folder}/${name}`)
    );
  }

  /** A group with these limits, as far as they can be had; undefined where none of them can. */
  make({ memory, pids }: Limits): ControlGroup | undefined {
    const name = crypto.randomUUID();
    const parts = this.#plan({ memory, pids }).flatMap(({ limits, version }): Part[] => {
      const parent = this.#parentOf(limits, version);
      if (parent === undefined) return [];
      return [{ folder: makeGroup(`${parent}/${this.#prefix}${name}`, limits, version), limits, version }];
    });
    return parts.length === 0 ? undefined : groupOf(parts);
  }

  /** The limits that go into one group each: in the unified hierarchy a process is a member of one group only. */
  #plan({ memory, pids }: Limits): { readonly limits: Limits; readonly version: 1 | 2 }[] {
    const wanted = Object.entries({ memory, pids }).filter((entry): entry is [Controller, number] =>
      entry[1] !== undefined
    );
    const versionOf = (controller: Controller) => this.#hierarchies[controller]?.version;
    const separate = wanted.filter(([controller]) => versionOf(controller) === 1)
      .map(([controller, limit]) => ({ limits: { [controller]: limit }, version: 1 as const }));
    const together = wanted.filter(([controller]) => versionOf(controller) === 2);
    // If no group can have all limits, the memory's comes first: it is the one that nothing else can keep.
    const choices = [together, ...together.map((one) => [one])].filter(({ length }) => length > 0)
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

  /** Whether a group can be made in a folder, and a process of ours be a member of it. */
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

/** Files that not every kernel has: no way around the limit through swap, and all members end together, as in a cluster. */
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

/** A member that was killed may not be gone yet: then the kernel refuses for a moment. */
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

/** The hierarchy of a controller, from the texts of `/proc/self/mountinfo` and `/proc/self/cgroup`. */
export function findHierarchy(mountinfo: string, cgroup: string, controller: Controller): Hierarchy | undefined {
  const mounts = mountinfo.split("\n").map((line) => line.split(" - ").map((half) => half.split(" ")));
  const mounted = (is: (type: string, options: string[]) => boolean) =>
    mounts.find(([, after]) => after && is(after[0]!, after.at(-1)!.split(",")))?.[0]?.[4];
  const first = mounted((type, options) => type === "cgroup" && options.includes(controller));
  const root = first ?? mounted((type) => type === "cgroup2");
  if (root === undefined) return undefined;
  // deno-lint-ignore tiphys/linear-regexp -- a line of the kernel's, and a word of ours
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
