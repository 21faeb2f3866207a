/**
 * Launches a container whose root is an image: its content below, what the container writes above, as an overlay. The script
 * runs with this machine's tools until the root is complete; the last step is taken by a program of our own, as nothing can
 * be expected of the image.
 */
import { type Entry, entryProgram, type Identity, MISSING } from "../../../lib/elf/mod.ts";
import { WITHHELD_CAPABILITIES } from "./capabilities.ts";
import { type Argv, type Launched, readIfThere } from "./launcher.ts";
import { isNested, makePoint } from "./make_root.ts";
import { bindRow, kernelRows, makeDevices, nestedMount, tableOf } from "./mounting.ts";
import type { PlacedMount } from "./root_plan.ts";
import type { ContainerSpec } from "./runtime.ts";
import { SEARCH_PATH } from "./search_path.ts";
import { shellQuote as quote } from "./shell_quote.ts";
import { inNewNamespaces, intoNamespaces, launchState, scriptHead } from "./unshare.ts";

/** The root of a container that is made of an image; its paths have no links left in them. */
export interface ImagePlan {
  /** The image's content, which is not written to. */
  readonly lower: string;
  readonly mounts: readonly PlacedMount[];
  readonly workingDir: string;
  readonly identity: Identity;
}

export interface ImageLauncherOptions {
  /** Whether a user namespace is needed to be allowed the mounts: always, unless we are root. */
  readonly userNamespace: boolean;
  /** Where what a container writes is kept: its folder, or memory where the folder's file system cannot be that of an overlay. */
  readonly scratch: "folder" | "memory";
}

/** Makes containers of images. */
export interface ImageLauncher extends Launched {
  prepare(plan: ImagePlan, spec: ContainerSpec): Promise<Argv>;
}

/** The container's /dev is a folder of ours, so what lies there can be started from inside. */
const ENTRY = "/dev/.entry";

export function imageLauncher(options: ImageLauncherOptions): ImageLauncher {
  let entered = 0;
  const identities = new WeakMap<ContainerSpec, Identity>();
  const entryOf = (spec: ContainerSpec, command: readonly string[], rest: Pick<Entry, "leaveOldRoot" | "report">) =>
    entryProgram({
      identity: { kind: options.userNamespace ? "shown" : "own", as: identities.get(spec)! },
      withoutCapabilities: WITHHELD_CAPABILITIES,
      args: command,
      ...placesOf(spec, command),
      ...rest,
    });
  return {
    name: "image",
    async prepare(plan, spec) {
      const { folder } = spec;
      for (const part of ["root", "upper", "work", "scratch"]) await Deno.mkdir(`${folder}/${part}`);
      await Deno.chmod(`${folder}/upper`, 0o755);
      makeDevices(`${folder}/dev`);
      for (const mount of plan.mounts.filter(({ target }) => target.startsWith("/dev/"))) {
        makePoint(mount, folder + mount.target);
      }
      await Deno.symlink(plan.lower, `${folder}/lower`);
      await Deno.writeTextFile(`${folder}/mounts`, mountTable(plan, folder));
      identities.set(spec, plan.identity);
      writeProgram(`${folder}${ENTRY}`, entryOf(spec, spec.command, { leaveOldRoot: true, report: 9 }));
      const script = `${folder}/launch.sh`;
      await Deno.writeTextFile(script, launchScript(plan, spec, options), { mode: 0o600 });
      return inNewNamespaces(script, options);
    },
    state(folder) {
      const state = launchState(folder);
      const isMissing = readIfThere(`${folder}/state`).endsWith(MISSING);
      return isMissing ? { ...state, reached: false, complaints: "executable file not found in the container" } : state;
    },
    enter({ launcher }, spec, command) {
      const program = `${ENTRY}-${++entered}`;
      writeProgram(spec.folder + program, entryOf(spec, command, { leaveOldRoot: false }));
      return [...intoNamespaces(launcher, options), program];
    },
  };
}

/** Where the program may be, in what folder it begins, and its environment. */
function placesOf(
  spec: ContainerSpec,
  command: readonly string[],
): Pick<Entry, "candidates" | "workingDir" | "env"> {
  const [program = ""] = command;
  const places = (spec.env.get("PATH") ?? SEARCH_PATH).split(":");
  return {
    candidates: program.includes("/") ? [program] : places.map((place) => `${place || "."}/${program}`),
    workingDir: spec.workingDir || "/",
    env: [...spec.env].map(([name, value]) => `${name}=${value}`),
  };
}

/** The script of one container. */
function launchScript(plan: ImagePlan, spec: ContainerSpec, { userNamespace, scratch }: ImageLauncherOptions): string {
  const own = plan.mounts.filter(({ target }) => !isNested(target, plan));
  const points = ["/proc", "/sys", "/dev", ...own.filter(({ isFolder }) => isFolder).map(({ target }) => target)];
  const files = own.filter(({ isFolder }) => !isFolder).map(({ target }) => target);
  const folders = [...points, ...files.map(parentOf)].filter((path) => path !== "");
  const base = scratch === "memory" ? "scratch/" : "";
  const overlay = `lowerdir=lower,upperdir=${base}upper,workdir=${base}work${userNamespace ? ",userxattr" : ""}`;
  return [
    ...scriptHead(spec.folder),
    ...(scratch === "memory" ? ["mount -t tmpfs -o mode=755 tmpfs scratch", "mkdir scratch/upper scratch/work"] : []),
    `mount -t overlay -o ${overlay} overlay root`,
    "cd root",
    `mkdir -p -- ${folders.map(below).join(" ")}`,
    ...files.filter((file) => !file.startsWith("/dev/")).map((file) => `[ -e ${below(file)} ] || : > ${below(file)}`),
    "mount -a -T ../mounts",
    ...plan.mounts.filter(({ target }) => isNested(target, plan)).flatMap(nestedMount),
    `mkdir -p -- ${below(plan.workingDir)}`,
    ...(spec.readOnlyRoot ? ["mount -o remount,bind,ro ."] : []),
    `hostname ${quote(spec.hostname)} || :`,
    "pivot_root . .",
    "exec 2>&3 3>&-",
    `exec ${ENTRY}`,
    "",
  ].join("\n");
}

/** What is mounted once the overlay is there and its mount points are. */
function mountTable(plan: ImagePlan, folder: string): string {
  const root = `${folder}/root`;
  const dev = { source: `${folder}/dev`, target: "/dev", readOnly: false, flags: [] };
  const own = plan.mounts.filter(({ target }) => !isNested(target, plan));
  return tableOf([bindRow(dev, root), ...kernelRows(root), ...own.map((mount) => bindRow(mount, root))]);
}

function writeProgram(path: string, program: Uint8Array): void {
  Deno.writeFileSync(path, program);
  Deno.chmodSync(path, 0o755);
}

function below(path: string): string {
  return quote(`.${path}`);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
