/** Determines by trial how containers can be created on this machine. */

import { canMakePrograms, KernelProgram } from "@tiphys/portable/elf";
import { containerIds } from "../../image/container_ids.ts";
import type { ContainerPlan } from "./container_plan.ts";
import { Launcher, type LauncherOptions, type LaunchState } from "./launcher.ts";
import { readKernel, readMachine } from "./machine.ts";
import { startProgram } from "./start_program.ts";
import { removeTree } from "../../image/remove_tree.ts";
import { type ContainerSpec, RuntimeUnavailable } from "./runtime.ts";

/** The oldest Linux version with all required system calls. */
const OLDEST = "5.12";

/**
 * Returns the best launcher whose trial succeeds, for containers with images or with this machine's files. Trials leave
 * nothing in `folder`.
 * @throws {RuntimeUnavailable} with the errors of the trials.
 */
export async function chooseLauncher(folder: string, of: "image" | "machine"): Promise<Launcher> {
  if (!canMakePrograms()) {
    throw new RuntimeUnavailable(`Could not run containers: the launcher does not support ${Deno.build.arch}`);
  }
  expectRecentKernel(Deno.osRelease());
  const common = { ids: containerIds(), kernel: readKernel(readMachine().mounts) };
  const ways = of === "image"
    ? [{ scratch: "folder", overlays: true }, { scratch: "memory", overlays: true }] as const
    : [{ scratch: "folder", overlays: true }, { scratch: "folder", overlays: false }] as const;
  const complaints = new Set<string>();
  for (const way of ways) {
    const launcher = new Launcher({ ...common, ...way });
    const complaint = await tryLauncher(launcher, folder, of);
    if (complaint === undefined) return launcher;
    complaints.add(complaint);
  }
  throw new RuntimeUnavailable(
    `Could not run containers: this machine allows no namespaces (${[...complaints].join("; ")}). ` +
      "Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1 or " +
      "kernel.apparmor_restrict_unprivileged_userns=0), run as root, " +
      "or give the container you are in the capability SYS_ADMIN",
  );
}

/**
 * @throws {RuntimeUnavailable} if the kernel is too old. A release starts with two numbers, such as `6.1.0-13-amd64`.
 */
export function expectRecentKernel(release: string): void {
  const [major = 0, minor = 0] = release.split(".").map((part) => parseInt(part));
  const [wantedMajor = 0, wantedMinor = 0] = OLDEST.split(".").map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new RuntimeUnavailable(
    `Could not run containers: Linux ${OLDEST} or later is required, and this is ${release}. Use docker or podman`,
  );
}

/** Runs a minimal container, whose program exits at once. Returns the error, if any. */
async function tryLauncher(launcher: Launcher, folder: string, of: "image" | "machine"): Promise<string | undefined> {
  const trial = await Deno.makeTempDir({ dir: folder, prefix: "trial-" });
  try {
    const { program, state } = launcher.prepare(trialPlan(trial, launcher.options, of), trialSpec(trial));
    const process = await startProgram(program, { stdin: "piped", stdout: "null", stderr: "null" });
    const { code } = await process.status;
    await process.stdin.close().catch(() => {});
    return explainFailure(state(), code);
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return `programs cannot be started in ${folder}`;
    throw error;
  } finally {
    await removeTree(trial);
  }
}

function trialPlan(trial: string, { overlays, ids }: LauncherOptions, of: "image" | "machine"): ContainerPlan {
  const content = `${trial}/content`;
  Deno.mkdirSync(content);
  Deno.chmodSync(content, 0o755);
  Deno.writeFileSync(`${content}/end`, new KernelProgram().exit(0).file(), { mode: 0o755 });
  Deno.chmodSync(`${content}/end`, 0o755);
  if (ids) Deno.chownSync(content, ids.first, ids.first);
  const identity = { user: 0, group: 0, groups: [0] };
  const rest = { mounts: [], workingDir: "/", identity };
  if (of === "image") return { root: { kind: "overlay", lower: content }, layers: [], ...rest };
  for (const part of ["usr", "upper", "upper/usr", "work", "work/usr"]) Deno.mkdirSync(`${trial}/${part}`);
  return {
    root: { kind: "folder", path: content },
    layers: [{ path: "/usr", kind: overlays ? "overlay" : "bind" }],
    ...rest,
  };
}

function trialSpec(trial: string): ContainerSpec {
  return {
    id: "trial",
    folder: trial,
    image: "",
    hostname: "trial",
    command: ["/end"],
    env: new Map(),
    workingDir: "/",
    user: undefined,
    group: undefined,
    imageUser: "",
    readOnlyRoot: false,
    noNewPrivileges: false,
    memoryLimit: undefined,
    mounts: [],
  };
}

function explainFailure({ complaint, reached, missing }: LaunchState, code: number): string | undefined {
  if (complaint !== undefined) return complaint;
  if (!reached || missing) return `a trial ended with exit code ${code}`;
  return code === 0 ? undefined : `exit code ${code}`;
}
