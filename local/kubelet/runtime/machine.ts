/** The parts of this machine's file system that containers see. */

/** An entry of the root folder. */
export type TopLevel =
  | { readonly kind: "folder"; readonly name: string }
  | { readonly kind: "link"; readonly name: string; readonly target: string };

/** The state of the machine at the start of the runtime. */
export interface Machine {
  readonly topLevel: readonly TopLevel[];
  /** All mount points. */
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

/** The mount points in the content of `/proc/self/mountinfo`. */
export function parseMountInfo(text: string): string[] {
  const paths = text.split("\n").map((line) => line.split(" ")).filter(({ length }) => length >= 6)
    .map((fields) =>
      fields[4]!.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)))
    );
  return [...new Set(paths)];
}

/** Reports whether `path` is `folder` or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** A file or folder below `/proc` or `/sys`. */
export interface KernelPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/** The devices that containers see, and kernel files that are hidden from them or read-only. */
export interface MachineKernel {
  /** Devices below `/dev`. */
  readonly devices: readonly string[];
  /** Hidden paths below `/proc`. */
  readonly hidden: readonly KernelPath[];
  /** Hidden paths below `/sys`, including mounts there such as control groups. All of `/sys` is read-only. */
  readonly hiddenInSys: readonly KernelPath[];
  /** Read-only paths below `/proc`. */
  readonly readOnly: readonly string[];
}

const DEVICES = ["null", "zero", "full", "random", "urandom", "tty"];

/** Paths of `/proc` that container engines hide: memory, keys, timers and devices of the machine. */
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
 * Paths of `/proc` that are read-only. Writing to some of them would let the machine's kernel run a program of the
 * container.
 */
const READ_ONLY = ["bus", "fs", "irq", "sys", "sysrq-trigger"];

/** Determines which of these paths exist on this machine. */
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

/** Undefined if the path does not exist. */
function isFolderAt(path: string): boolean | undefined {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return undefined;
  }
}
