/**
 * Launches with `unshare`, `mount` and `pivot_root` of util-linux: a script of a few lines per container, which runs as
 * the first process of the new namespaces and in the end becomes the container's program.
 */

import type { Argv, Launcher } from "./launcher.ts";
import { readIfThere } from "./launcher.ts";
import { isNested, makeRoot } from "./make_root.ts";
import { withRights } from "./rights.ts";
import type { PlacedMount, RootPlan } from "./root_plan.ts";
import type { ContainerSpec } from "./runtime.ts";
import { shellQuote as quote } from "./shell_quote.ts";

const devices = ["null", "zero", "full", "random", "urandom", "tty"];

/**
 * Starts the script as the first process of the new namespace and ends as that did. `unshare --fork` would do the same,
 * but some versions of it lose the signal that a process died of. What the shell has to say about a dead child is not
 * the container's to write, so the script finds its own place for errors at 3. The death signal goes from us to this shell and from it to the container: nothing outlives us.
 */
const KEEPER = 'exec 3>&2 2>/dev/null; setpriv --pdeathsig=KILL -- sh "$0"; exit $?';

export interface UnshareOptions {
  /** Whether a user namespace is needed to be allowed the mounts: always, unless we are root. */
  readonly userNamespace: boolean;
  readonly overlays: boolean;
}

/** The launcher for machines with util-linux. */
export function unshareLauncher(options: UnshareOptions): Launcher {
  return {
    name: "unshare",
    overlays: options.overlays,
    async prepare(plan, spec) {
      const { folder } = spec;
      for (const { path, kind } of plan.layers) {
        if (kind !== "overlay") continue;
        for (const part of ["upper", "work"]) Deno.mkdirSync(`${folder}/${part}${path}`, { recursive: true });
      }
      makeRoot(plan, `${folder}/root`, (path) => `${folder}/upper${path}`);
      makeDevices(`${folder}/root/dev`);
      const script = `${folder}/launch.sh`;
      await Deno.writeTextFile(`${folder}/mounts`, mountTable(plan, `${folder}/root`));
      await Deno.writeTextFile(script, launchScript(plan, spec, options), { mode: 0o600 });
      return [
        ...["setsid", "setpriv", "--pdeathsig=KILL", "--", "unshare"],
        ...(options.userNamespace ? ["--user", "--map-root-user"] : []),
        ...["--mount", "--pid", "--ipc", "--uts", "--propagation=private", "--", "sh", "-c", KEEPER, script],
      ];
    },
    state(folder) {
      const state = readIfThere(`${folder}/state`);
      const pid = /^pid (\d+)$/m.exec(state)?.[1];
      const complaints = readIfThere(`${folder}/complaints`).trim();
      return { pid: pid === undefined ? undefined : Number(pid), reached: /^reached$/m.test(state), complaints };
    },
    enter({ launcher }, spec, command) {
      // The launcher stayed in the outer user namespace, which owns all the others; the first process may be in an inner
      // one, from which they cannot be entered.
      const namespaces = ["--mount", "--ipc", "--uts", `--pid=/proc/${launcher}/ns/pid_for_children`];
      if (options.userNamespace) namespaces.push("--user", "--preserve-credentials");
      const identity = { user: spec.user, group: spec.group, mapped: options.userNamespace };
      return [
        ...["nsenter", `--target=${launcher}`, ...namespaces, "--"],
        ...withRights(identity),
        ...environmentWords(spec),
        ...command,
      ];
    },
  };
}

/** `env -i` with folder and environment: a shell would drop variables whose names it cannot spell. */
export function environmentWords(spec: ContainerSpec): Argv {
  return ["env", "-i", "-C", spec.workingDir ?? "/", ...[...spec.env].map(([name, value]) => `${name}=${value}`)];
}

/** The script of one container. */
export function launchScript(plan: RootPlan, spec: ContainerSpec, options: UnshareOptions): string {
  const identity = { user: spec.user, group: spec.group, mapped: options.userNamespace };
  const program = [...withRights(identity), ...environmentWords(spec), ...spec.command];
  return [
    "set -eu",
    `cd ${quote(spec.folder)}`,
    "exec 2>complaints 9>state",
    // /proc is still the machine's: it tells our number out there.
    "read -r pid rest </proc/self/stat",
    'echo "pid $pid" >&9',
    "mount -a -T mounts",
    "cd root",
    ...plan.layers.flatMap(({ below }) => below.map(({ path, flags }) => remount(path, flags))),
    ...plan.mounts.filter((mount) => isNested(mount.target, plan)).flatMap(nestedMount),
    ...(isNested(plan.workingDir, plan) ? [`mkdir -p ${quote("." + plan.workingDir)}`] : []),
    ...(spec.readOnlyRoot ? ["mount -o remount,bind,ro ."] : []),
    `hostname ${quote(spec.hostname)} || :`,
    "pivot_root . .",
    "umount -l .",
    "echo reached >&9",
    "exec 2>&3 3>&- 9>&-",
    `exec ${program.map(quote).join(" ")}`,
    "",
  ].join("\n");
}

/** What is mounted, in order, as one table: a process per mount would take longer than all the rest. */
export function mountTable(plan: RootPlan, root: string): string {
  const bind = (source: string, target: string, readOnly: boolean, flags: readonly string[] = []) => {
    return [source, root + target, "none", ["bind", ...(readOnly ? ["ro", ...flags] : [])].join(",")];
  };
  const rows = [
    [root, root, "none", "bind"],
    ...plan.layers.map(({ path, kind, flags }) => {
      // The folders of an overlay are named from where the script stands: their list has no way to quote a comma.
      const overlay = `lowerdir=${path},upperdir=upper${path},workdir=work${path}`;
      if (kind === "overlay") return ["overlay", root + path, "overlay", overlay];
      return [path, root + path, "none", ["rbind", "ro", ...flags].join(",")];
    }),
    ["proc", `${root}/proc`, "proc", "nosuid,nodev,noexec"],
    ["/sys", `${root}/sys`, "none", "rbind,ro,nosuid,nodev,noexec"],
    ["tmpfs", `${root}/dev/shm`, "tmpfs", "mode=1777,nosuid,nodev"],
    ["devpts", `${root}/dev/pts`, "devpts", "newinstance,ptmxmode=0666,mode=620"],
    ...devices.map((name) => bind(`/dev/${name}`, `/dev/${name}`, false)),
    ...plan.mounts.filter((mount) => !isNested(mount.target, plan)).map(({ source, target, readOnly, flags }) =>
      bind(source, target, readOnly, flags)
    ),
  ];
  return rows.map((row) => `${row.map(tableField).join(" ")} 0 0\n`).join("");
}

function tableField(field: string): string {
  return field.replace(/[\\ \t\n#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

function makeDevices(folder: string): void {
  for (const name of ["shm", "pts", "mqueue"]) Deno.mkdirSync(`${folder}/${name}`, { recursive: true });
  for (const name of devices) Deno.writeTextFileSync(`${folder}/${name}`, "");
  Deno.symlinkSync("pts/ptmx", `${folder}/ptmx`);
  Deno.symlinkSync("/proc/self/fd", `${folder}/fd`);
  for (const [number, name] of ["stdin", "stdout", "stderr"].entries()) {
    Deno.symlinkSync(`/proc/self/fd/${number}`, `${folder}/${name}`);
  }
}

/** File systems below a folder that is shown read-only: each must be told by itself, and some refuse. */
function remount(path: string, flags: readonly string[]): string {
  return `mount -o ${["remount", "bind", "ro", ...flags].join(",")} ${quote("." + path)} || :`;
}

/** A mount whose point lies in another volume: there it is made when that one is in place. */
function nestedMount({ source, target, readOnly, flags, isFolder }: PlacedMount): string[] {
  const at = quote("." + target);
  const parent = quote("." + target.slice(0, target.lastIndexOf("/")));
  const options = ["bind", ...(readOnly ? ["ro", ...flags] : [])].join(",");
  return [
    isFolder ? `mkdir -p ${at}` : `[ -e ${at} ] || { mkdir -p ${parent}; : > ${at}; }`,
    `mount -o ${options} ${quote(source)} ${at}`,
  ];
}
