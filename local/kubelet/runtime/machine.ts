/** What the file system of this machine looks like from above: enough to show it to a container. */

/** A mount of this machine, other than the kernel's own. */
export interface MachineMount {
  readonly path: string;
  /** `nosuid`, `nodev` ...: a bind of it must keep them. */
  readonly flags: readonly string[];
}

/** One entry of the root folder. */
export type TopLevel =
  | { readonly kind: "folder"; readonly name: string }
  | { readonly kind: "link"; readonly name: string; readonly target: string };

/** The machine as it was when the runtime started. */
export interface Machine {
  readonly topLevel: readonly TopLevel[];
  readonly mounts: readonly MachineMount[];
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

const keptFlags = new Set(["nosuid", "nodev", "noexec", "noatime", "nodiratime", "relatime"]);

/** Reads the text of `/proc/self/mountinfo`. Of mounts at one place, the last one counts: it covers the others. */
export function parseMountInfo(text: string): MachineMount[] {
  const mounts = new Map<string, MachineMount>();
  for (const line of text.split("\n")) {
    const fields = line.split(" ");
    if (fields.length < 6) continue;
    const path = fields[4]!.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
    mounts.delete(path);
    mounts.set(path, { path, flags: fields[5]!.split(",").filter((flag) => keptFlags.has(flag)) });
  }
  return [...mounts.values()];
}

/** The flags of the mount that `path` lies on. */
export function flagsAt(mounts: readonly MachineMount[], path: string): readonly string[] {
  let found: MachineMount | undefined;
  for (const mount of mounts) {
    if (isWithin(path, mount.path) && mount.path.length >= (found?.path.length ?? 0)) found = mount;
  }
  return found?.flags ?? [];
}

/** Whether `path` is `folder` or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
