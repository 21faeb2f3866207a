/**
 * Launches with `unshare`, `mount` and `pivot_root` of util-linux: a script of a few lines per container, which runs as
 * the first process of the new namespaces and in the end becomes the container's program.
 */

import type { Argv, Launcher, LaunchState } from "./launcher.ts";
import { readIfThere } from "./launcher.ts";
import { isNested, makeRoot } from "./make_root.ts";
import { bindRow, kernelRows, makeDevices, nestedMount, tableOf } from "./mounting.ts";
import { withRights } from "./rights.ts";
import type { RootPlan } from "./root_plan.ts";
import type { ContainerSpec } from "./runtime.ts";
import { shellQuote as quote } from "./shell_quote.ts";

/**
 * Starts the script as the first process of the new namespace and ends as that did. `unshare --fork` would do the same,
 * but some versions of it lose the signal that a process died of. What the shell has to say about a dead child is not
 * the container's to write, so the script finds its own place for errors at 3. The death signal goes from us to this shell
 * and from it to the container: nothing outlives us. It tells only of deaths after it was asked for, so each of the two
 * looks then whether its parent, whose number it is given, is still the one that started it.
 */
const KEEPER = '[ "$PPID" = "$1" ] || exit; exec 3>&2 2>/dev/null; setpriv --pdeathsig=KILL -- sh "$0" $$; exit $?';

export interface UnshareOptions {
  /** Whether a user namespace is needed to be allowed the mounts: always, unless we are root. */
  readonly userNamespace: boolean;
  readonly overlays: boolean;
}

type NamespaceOptions = Pick<UnshareOptions, "userNamespace">;

/** The command that runs a script as the first process of new namespaces. */
export function inNewNamespaces(script: string, { userNamespace }: NamespaceOptions): Argv {
  return [
    ...["setsid", "setpriv", "--pdeathsig=KILL", "--", "unshare"],
    ...(userNamespace ? ["--user", "--map-root-user"] : []),
    ...["--mount", "--pid", "--ipc", "--uts", "--propagation=private", "--"],
    ...["sh", "-c", KEEPER, script, String(Deno.pid)],
  ];
}

/**
 * The words that run a command in the namespaces of a launched container. The launcher stayed in the outer user namespace,
 * which owns all the others; the first process may be in an inner one, from which they cannot be entered.
 */
export function intoNamespaces(launcher: number, { userNamespace }: NamespaceOptions): Argv {
  const namespaces = ["--mount", "--ipc", "--uts", `--pid=/proc/${launcher}/ns/pid_for_children`];
  if (userNamespace) namespaces.push("--user", "--preserve-credentials");
  return ["nsenter", `--target=${launcher}`, ...namespaces, "--"];
}

/** What the script of a container has said of itself: `state` and `complaints` in the container's folder. */
export function launchState(folder: string): LaunchState {
  const state = readIfThere(`${folder}/state`);
  const pid = /^pid (\d+)$/m.exec(state)?.[1];
  const complaints = readIfThere(`${folder}/complaints`).trim();
  return { pid: pid === undefined ? undefined : Number(pid), reached: /^reached$/m.test(state), complaints };
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
      return inNewNamespaces(script, options);
    },
    state: launchState,
    enter({ launcher }, spec, command) {
      const identity = { user: spec.user, group: spec.group, mapped: options.userNamespace };
      return [
        ...intoNamespaces(launcher, options),
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

/** How each script begins: its complaints and its state go into the container's folder, errors of the container to 3. */
export function scriptHead(folder: string): string[] {
  return [
    "set -eu",
    `cd ${quote(folder)}`,
    "exec 2>complaints 9>state",
    // /proc is still the machine's: it tells our number out there, and our parent's.
    "read -r pid name state parent rest </proc/self/stat",
    '[ "$parent" = "$1" ]',
    'echo "pid $pid" >&9',
  ];
}

/** The script of one container. */
export function launchScript(plan: RootPlan, spec: ContainerSpec, options: UnshareOptions): string {
  const identity = { user: spec.user, group: spec.group, mapped: options.userNamespace };
  const program = [...withRights(identity), ...environmentWords(spec), ...spec.command];
  return [
    ...scriptHead(spec.folder),
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
  return tableOf([
    [root, root, "none", "bind"],
    ...plan.layers.map(({ path, kind, flags }) => {
      // The folders of an overlay are named from where the script stands: their list has no way to quote a comma.
      const overlay = `lowerdir=${path},upperdir=upper${path},workdir=work${path}`;
      if (kind === "overlay") return ["overlay", root + path, "overlay", overlay];
      return [path, root + path, "none", ["rbind", "ro", ...flags].join(",")];
    }),
    ...kernelRows(root),
    ...plan.mounts.filter((mount) => !isNested(mount.target, plan)).map((mount) => bindRow(mount, root)),
  ]);
}

/** File systems below a folder that is shown read-only: each must be told by itself, and some refuse. */
function remount(path: string, flags: readonly string[]): string {
  return `mount -o ${["remount", "bind", "ro", ...flags].join(",")} ${quote("." + path)} || :`;
}
