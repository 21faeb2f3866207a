/** The top of this machine's file system: enough to show it to a container. */

/** One entry of the root folder. */
export type TopLevel =
  | { readonly kind: "folder"; readonly name: string }
  | { readonly kind: "link"; readonly name: string; readonly target: string };

/** The machine as it was when the runtime started. */
export interface Machine {
  readonly topLevel: readonly TopLevel[];
  /** The paths at which something is mounted. */
  readonly mounts: readonly string[];
}

/** Reads the root folder and the mount table. */
export function readMachine(): Machine {
  const topLevel: TopLevel[] = [];
  for (const entry of Deno.readDirSync("/")) {
    if (entry.isSymlink) topLevel.push({ kind: "link", name: entry.name, target: Deno.readLinkSync(`/${entry.name}`) });
    else if (entry.isDirectory) topLevel.push({ kind: "folder", name: entry.name });
  }
  topLevel.sort((a, b) => a.name < b.name ? -1 : 1);
  return { topLevel, mounts: parseMountInfo(Deno.readTextFileSync("/proc/self/mountinfo")) };
}

/** Reads the paths of the text of `/proc/self/mountinfo`. */
export function parseMountInfo(text: string): string[] {
  const paths = text.split("\n").map((line) => line.split(" ")).filter(({ length }) => length >= 6)
    .map((fields) =>
      fields[4]!.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)))
    );
  return [...new Set(paths)];
}

/** Whether `path` is `folder` or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** A file or folder below `/proc` or `/sys`. */
export interface KernelPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/** The devices of this machine that containers see, and the kernel's files that they do not see or cannot change. */
export interface MachineKernel {
  /** The devices below `/dev`. */
  readonly devices: readonly string[];
  /** Below `/proc`. */
  readonly hidden: readonly KernelPath[];
  /** Paths below `/sys`, where nothing can be written anyway: also those of mounts there, control groups above all. */
  readonly hiddenInSys: readonly KernelPath[];
  /** Below `/proc`. */
  readonly readOnly: readonly string[];
}

const DEVICES = ["null", "zero", "full", "random", "urandom", "tty"];

/** The files and folders of `/proc` that container engines hide: memory, keys, timers and devices of the machine. */
const HIDDEN = [
  ...["acpi", "asound", "interrupts", "kallsyms", "kcore", "keys", "latency_stats", "modules", "sched_debug", "scsi"],
  ...["slabinfo", "timer_list", "timer_stats", "vmallocinfo"],
];
const HIDDEN_IN_SYS = [
  "devices/virtual/powercap",
  "firmware",
  "fs/cgroup",
  "fs/selinux",
  "kernel/debug",
  "kernel/tracing",
];
/**
 * The files and folders of `/proc` that nobody may write to: by some, the machine's kernel would run a container's
 * program.
 */
const READ_ONLY = ["bus", "fs", "irq", "sys", "sysrq-trigger"];

/** Looks which of all these this machine has. */
export function readKernel(mounts: readonly string[]): MachineKernel {
  const kindsOf = (folder: string, paths: readonly string[]) =>
    paths.flatMap((path): KernelPath[] => {
      const isFolder = isFolderAt(`${folder}/${path}`);
      return isFolder === undefined ? [] : [{ path, isFolder }];
    });
  const inSys = [...HIDDEN_IN_SYS, ...mounts.filter((path) => path.startsWith("/sys/")).map((path) => path.slice(5))];
  const outermost = inSys.filter((path) => !inSys.some((other) => path.startsWith(`${other}/`)));
  return {
    devices: DEVICES.filter((name) => isFolderAt(`/dev/${name}`) === false),
    hidden: kindsOf("/proc", HIDDEN),
    hiddenInSys: kindsOf("/sys", [...new Set(outermost)]),
    readOnly: kindsOf("/proc", READ_ONLY).map(({ path }) => path),
  };
}

/** Undefined where there is nothing. */
function isFolderAt(path: string): boolean | undefined {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return undefined;
  }
}
