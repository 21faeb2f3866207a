/** Mounts of a container as rows of a table, and what they stand on. */

import type { PlacedMount } from "./root_plan.ts";
import { shellQuote as quote } from "./shell_quote.ts";

/** Source, target, type, options: as in `/etc/fstab`. */
export type MountRow = readonly [string, string, string, string];

const devices = ["null", "zero", "full", "random", "urandom", "tty"];

/** Rows as a table for `mount -a -T`, which does them in order. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(tableField).join(" ")} 0 0\n`).join("");
}

/** A folder or file of the machine, shown below `root`. */
export function bindRow({ source, target, readOnly, flags }: Omit<PlacedMount, "isFolder">, root: string): MountRow {
  return [source, root + target, "none", ["bind", ...(readOnly ? ["ro", ...flags] : [])].join(",")];
}

/** What the kernel shows, and the devices that every container has: over what {@link makeDevices} made. */
export function kernelRows(root: string): MountRow[] {
  return [
    ["proc", `${root}/proc`, "proc", "nosuid,nodev,noexec"],
    ["/sys", `${root}/sys`, "none", "rbind,ro,nosuid,nodev,noexec"],
    ["tmpfs", `${root}/dev/shm`, "tmpfs", "mode=1777,nosuid,nodev"],
    ["devpts", `${root}/dev/pts`, "devpts", "newinstance,ptmxmode=0666,mode=620"],
    ...devices.map((name) =>
      bindRow({ source: `/dev/${name}`, target: `/dev/${name}`, readOnly: false, flags: [] }, root)
    ),
  ];
}

function tableField(field: string): string {
  return field.replace(/[\\ \t\n#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

/** Makes the folder /dev of a container: mount points for devices, and links. */
export function makeDevices(folder: string): void {
  for (const name of ["shm", "pts", "mqueue"]) Deno.mkdirSync(`${folder}/${name}`, { recursive: true });
  for (const name of devices) Deno.writeTextFileSync(`${folder}/${name}`, "");
  Deno.symlinkSync("pts/ptmx", `${folder}/ptmx`);
  Deno.symlinkSync("/proc/self/fd", `${folder}/fd`);
  for (const [number, name] of ["stdin", "stdout", "stderr"].entries()) {
    Deno.symlinkSync(`/proc/self/fd/${number}`, `${folder}/${name}`);
  }
}

/** A mount whose point lies in another volume: there it is made when that one is in place. */
export function nestedMount({ source, target, readOnly, flags, isFolder }: PlacedMount): string[] {
  const at = quote("." + target);
  const parent = quote("." + target.slice(0, target.lastIndexOf("/")));
  const options = ["bind", ...(readOnly ? ["ro", ...flags] : [])].join(",");
  return [
    isFolder ? `mkdir -p ${at}` : `[ -e ${at} ] || { mkdir -p ${parent}; : > ${at}; }`,
    `mount -o ${options} ${quote(source)} ${at}`,
  ];
}
