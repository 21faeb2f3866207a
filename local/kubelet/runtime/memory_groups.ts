/**
 * Memory limits of containers that are plain processes: a control group of Linux for each that has one. Where this machine
 * lets us make none, limits are not enforced.
 *
 * The groups lie as near to the root of their hierarchy as we may make them, as those of an engine do: there a later process
 * over the same folder finds what one that was killed left.
 */
import { createHash } from "node:crypto";
import type { Argv } from "./launcher.ts";
import { readIfThere } from "./launcher.ts";

/** The group of one container. */
export interface MemoryGroup {
  /** The command, and all that it starts, as members of the group. */
  join(argv: Argv): Argv;
  /** Whether a member was killed because the group had no memory left. */
  wasExceeded(): boolean;
  /** Removes it, when its members have ended. */
  remove(): Promise<void>;
}

/** Where groups can be made. */
export interface Hierarchy {
  readonly version: 1 | 2;
  /** Folders from its root to our own group. */
  readonly folders: readonly string[];
}

const REMOVE_AGAIN_MS = 10;
const REMOVE_TRIES = 200;

/** The groups of the containers whose folders lie below one folder. */
export class MemoryGroups {
  readonly #prefix: string;
  readonly #hierarchy: Hierarchy | undefined;
  #parent: string | undefined | "not tried" = "not tried";

  constructor(folder: string, hierarchy: Hierarchy | undefined) {
    this.#prefix = `tiphys-${createHash("sha256").update(folder).digest("hex").slice(0, 12)}-`;
    this.#hierarchy = hierarchy;
  }

  static onThisMachine(folder: string): MemoryGroups {
    const hierarchy = findHierarchy(readIfThere("/proc/self/mountinfo"), readIfThere("/proc/self/cgroup"));
    return new MemoryGroups(folder, hierarchy);
  }

  /** Removes what an earlier process over the same folder left. To be called while no container runs. */
  async removeLeftovers(): Promise<void> {
    await Promise.all(this.list().map(removeGroup));
  }

  /** The groups that there are. */
  list(): string[] {
    return (this.#hierarchy?.folders ?? []).flatMap((folder) =>
      namesIn(folder).filter((name) => name.startsWith(this.#prefix)).map((name) => `${folder}/${name}`)
    );
  }

  /** A group of so many bytes; undefined where none is wanted, or none can be made. */
  make(limit: number | undefined): MemoryGroup | undefined {
    if (limit === undefined || this.#hierarchy === undefined) return undefined;
    const { version, folders } = this.#hierarchy;
    if (this.#parent === "not tried") {
      this.#parent = folders.find((folder) => this.#isAllowed(folder, version));
    }
    if (this.#parent === undefined) return undefined;
    return groupAt(makeGroup(`${this.#parent}/${this.#prefix}${crypto.randomUUID()}`, limit, version), version);
  }

  /** Whether a group can be made in a folder, and a process of ours be a member of it. */
  #isAllowed(parent: string, version: 1 | 2): boolean {
    const folder = `${parent}/${this.#prefix}trial`;
    try {
      const [command, ...args] = groupAt(makeGroup(folder, 2 ** 30, version), version).join(["true"]);
      return new Deno.Command(command!, { args, stdout: "null", stderr: "null" }).outputSync().success;
    } catch {
      return false;
    } finally {
      try {
        Deno.removeSync(folder);
      } catch {
        // It was not made.
      }
    }
  }
}

const FILES = {
  1: { limit: "memory.limit_in_bytes", events: "memory.oom_control" },
  2: { limit: "memory.max", events: "memory.events" },
} as const;

/** Files that not every kernel has: no way around the limit through swap, and all members end together, as in a cluster. */
const EXTRAS = {
  1: [["memory.memsw.limit_in_bytes", undefined]],
  2: [["memory.swap.max", "0"], ["memory.oom.group", "1"]],
} as const satisfies Record<1 | 2, readonly (readonly [string, string | undefined])[]>;

function makeGroup(folder: string, limit: number, version: 1 | 2): string {
  Deno.mkdirSync(folder);
  const write = (file: string, text: string) => Deno.writeTextFileSync(`${folder}/${file}`, text, { create: false });
  write(FILES[version].limit, String(limit));
  for (const [file, text] of EXTRAS[version]) {
    try {
      write(file, text ?? String(limit));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return folder;
}

function groupAt(folder: string, version: 1 | 2): MemoryGroup {
  return {
    join: (argv) => ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', folder, ...argv],
    wasExceeded: () => /^oom_kill [1-9]/m.test(readIfThere(`${folder}/${FILES[version].events}`)),
    remove: () => removeGroup(folder),
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
    await new Promise((resolve) => setTimeout(resolve, REMOVE_AGAIN_MS));
  }
}

/** The hierarchy that counts memory, from the texts of `/proc/self/mountinfo` and `/proc/self/cgroup`. */
export function findHierarchy(mountinfo: string, cgroup: string): Hierarchy | undefined {
  const mounts = mountinfo.split("\n").map((line) => line.split(" - ").map((half) => half.split(" ")));
  const mounted = (is: (type: string, options: string[]) => boolean) =>
    mounts.find(([, after]) => after && is(after[0]!, after.at(-1)!.split(",")))?.[0]?.[4];
  const first = mounted((type, options) => type === "cgroup" && options.includes("memory"));
  const root = first ?? mounted((type) => type === "cgroup2");
  if (root === undefined) return undefined;
  const own = first ? /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m : /^0::(.*)$/m;
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
