/**
 * Generates the program that creates a container and becomes it. Nothing else runs in between: no shell, no tool of the
 * machine, and nothing of the image.
 *
 * 1. The keeper, outside of the container, opens all files of this machine that the container will see as detached
 *    mounts.
 * 2. It enters a user namespace, in which it has no rights on the machine, and all other namespaces.
 * 3. Its child, the container's first process, assembles the root through a descriptor, pivots to it, and begins.
 * 4. The keeper waits for the child, and for the end of its standard input, which tiphys holds. It kills the child if
 *    the input ends first, and exits with the child's status. A program can disable its parent death signal, so that is
 *    not sufficient.
 */
import { KernelProgram, type Slot } from "@tiphys/portable/elf";
import type { ContainerIds } from "../../../image/container_ids.ts";
import { ORDINARY_IDS } from "../../../image/container_ids.ts";
import type { ContainerPlan, Identity } from "../container_plan.ts";
import type { MachineKernel } from "../machine.ts";
import type { ContainerSpec, Mount } from "../runtime.ts";
import {
  dropRightsAndStart,
  endWithStarter,
  LIFE,
  lifePipe,
  moveLifePipe,
  preferForOomKill,
  PROCESS,
  REPORT,
} from "./begin_calls.ts";
import * as linux from "./kernel_words.ts";
import { type Descriptor, MountCalls } from "./mount_calls.ts";

/** The settings that all containers of a back end share. */
export interface LaunchWorld {
  /** If undefined, containers have the identity of this process, whatever ID they see. */
  readonly ids: ContainerIds | undefined;
  /**
   * The storage of a container's writes: its folder, or memory if the folder's file system does not support the upper
   * layer of an overlay.
   */
  readonly scratch: "folder" | "memory";
  readonly kernel: MachineKernel;
}

/** The settings of one container. */
export interface Launch {
  readonly plan: ContainerPlan;
  readonly spec: ContainerSpec;
  /** The files of control groups into which members write their PIDs. */
  readonly groups: readonly string[];
  /** The maximum number of processes of each user in the container, if no control group limits them. */
  readonly processLimit: number | undefined;
}

/** Everything of the machine that a container will see, as detached mounts. */
interface OpenedMounts {
  readonly root: Descriptor;
  readonly layers: readonly { readonly path: string; readonly mount: Descriptor }[];
  readonly sys: Descriptor;
  readonly devices: readonly { readonly name: string; readonly mount: Descriptor }[];
  /** The mounts that hide parts of `/proc` and `/sys`. */
  readonly masks: readonly { readonly path: string; readonly of: "proc" | "sys"; readonly mount: Descriptor }[];
  readonly volumes: readonly { readonly mount: Mount; readonly opened: Descriptor }[];
}

const DEATH = 127;
/** The descriptors of the keeper's input and of the first process, below all descriptors of mounts. */
const WATCH = 98;
const FIRST_PROCESS = 99;
const ONLY_HANGUP = 0;
const HIDDEN_FROM_PROGRAMS = linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NODEV | linux.MOUNT_ATTR_NOEXEC;
const READ_ONLY = linux.MOUNT_ATTR_RDONLY;

/**
 * Generates the program. `spec.folder` contains `root`, `state` for reports, and as needed `lower`, `upper`, `work`,
 * `scratch` and `empty`.
 */
export function launchProgram(world: LaunchWorld, launch: Launch): KernelProgram {
  return new LaunchCalls(world, launch).program;
}

/** Reports whether a container needs a second user namespace, because its identity is not that of the first one. */
export function needsInnerNamespace({ ids }: Pick<LaunchWorld, "ids">, { user, group }: Identity): boolean {
  return ids === undefined && (user !== 0 || group !== 0);
}

class LaunchCalls {
  readonly program = new KernelProgram();
  readonly #mounts = new MountCalls(this.program);
  readonly #spare: Slot = this.program.slot();
  readonly #pair: readonly [Slot, Slot] = [this.program.slot(), this.program.slot()];
  readonly #child: Slot = this.program.slot();
  /** Two adjacent `pollfd` structures of two words each. */
  readonly #polled = [this.program.slot(), this.program.slot(), this.program.slot(), this.program.slot()] as const;
  readonly #world: LaunchWorld;
  readonly #launch: Launch;

  constructor(world: LaunchWorld, launch: Launch) {
    this.#world = world;
    this.#launch = launch;
    this.#startKeeper();
    const opened = this.#openMounts();
    this.#enterNamespaces();
    lifePipe(this.program, this.#pair);
    this.program.fork("start the first process", () => {
      moveLifePipe(this.program, this.#pair);
      endWithStarter(this.program, this.#spare);
      this.#assembleRoot(opened);
      this.#startCommand();
    });
    this.#waitForEnd();
  }

  /** Sets up the keeper: a separate session, the control groups, and the end with this process. */
  #startKeeper(): void {
    const { program } = this;
    const { spec, groups } = this.#launch;
    program
      .attempt("close_range", REPORT, 0xffff_ffff, 0)
      .must(
        "open the state",
        "openat",
        linux.AT_FDCWD,
        program.text(`${spec.folder}/state`),
        linux.O_WRONLY | linux.O_CREAT | linux.O_APPEND | linux.O_CLOEXEC,
        0o600,
      )
      .reportTo(REPORT);
    endWithTiphys(program);
    const what = "move the input";
    program
      .must(what, "dup3", 0, WATCH, linux.O_CLOEXEC)
      .must(what, "openat", linux.AT_FDCWD, program.text("/dev/null"), linux.O_CLOEXEC).keep(this.#spare)
      .must(what, "dup3", this.#spare, 0, 0)
      .attempt("close", this.#spare);
    preferForOomKill(program, this.#spare);
    program.attempt("setsid").attempt("umask", 0).must("enter the folder", "chdir", program.text(spec.folder));
    joinGroups(program, groups, this.#spare);
    changeOutputOwner(program, this.#world, this.#launch.plan.identity);
    const { ids } = this.#world;
    if (ids === undefined) {
      program.must("make a user namespace", "unshare", linux.CLONE_NEWUSER | linux.CLONE_NEWNS);
      mapSingleId(program, "/proc/self/", [0, Deno.uid()!], [0, Deno.gid()!], this.#spare);
      this.#limitNamespace();
    } else {
      program.must("make a mount namespace", "unshare", linux.CLONE_NEWNS);
    }
    const alone = program.words([0, 0, linux.MS_PRIVATE, 0]);
    program.must(
      "keep mounts apart from the machine's",
      "mount_setattr",
      linux.AT_FDCWD,
      program.text("/"),
      linux.AT_RECURSIVE,
      alone,
      32,
    );
  }

  /** Opens everything of the machine that the container will see. */
  #openMounts(): OpenedMounts {
    const { kernel, ids } = this.#world;
    const { plan } = this.#launch;
    const mounts = this.#mounts;
    const root = this.#openRoot();
    const layers = plan.layers.map(({ path, kind }) => ({
      path,
      mount: kind === "overlay"
        ? this.#overlay(`show ${path}`, path, `upper${path}`, `work${path}`)
        : mounts.openSource(`show ${path}`, path, READ_ONLY, { recursive: true }),
    }));
    const sys = mounts.openSource("show /sys", "/sys", HIDDEN_FROM_PROGRAMS | READ_ONLY, {
      recursive: ids === undefined,
    });
    const devices = kernel.devices.map((name) => ({
      name,
      mount: mounts.openSource(
        `show /dev/${name}`,
        `/dev/${name}`,
        linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NOEXEC,
        { recursive: false },
      ),
    }));
    const masks = [
      ...kernel.hidden.map((entry) => ({ ...entry, of: "proc" as const })),
      ...kernel.hiddenInSys.map((entry) => ({ ...entry, of: "sys" as const })),
    ].map(({ path, isFolder, of }) => ({
      path,
      of,
      mount: isFolder
        ? mounts.openSource(`hide /${of}/${path}`, "empty", HIDDEN_FROM_PROGRAMS | READ_ONLY, { recursive: false })
        : mounts.openSource(`hide /${of}/${path}`, "/dev/null", linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NOEXEC, {
          recursive: false,
        }),
    }));
    const volumes = plan.mounts.map((mount) => ({
      mount,
      opened: mounts.openSource(
        `open the volume for ${mount.target}`,
        mount.source,
        // A missing folder below a volume is created first, unless the volume is fixed.
        VOLUME | (mount.readOnly && (!mount.below || mount.isFixed) ? READ_ONLY : 0),
        { recursive: true },
      ),
    }));
    return { root, layers, sys, devices, masks, volumes };
  }

  #openRoot(): Descriptor {
    const { root } = this.#launch.plan;
    const what = "mount the root";
    if (root.kind === "folder") {
      return this.#mounts.openSource(what, root.path, linux.MOUNT_ATTR_NODEV, { recursive: false });
    }
    if (this.#world.scratch === "folder") return this.#overlay(what, "lower", "upper", "work");
    const memory = this.#mounts.fileSystem(what, "tmpfs", { mode: "0755" }, 0);
    const { program } = this;
    program
      .must(
        what,
        "move_mount",
        memory,
        program.text(""),
        linux.AT_FDCWD,
        program.text("scratch"),
        linux.MOVE_MOUNT_F_EMPTY_PATH,
      );
    for (const part of ["upper", "work"]) program.must(what, "mkdirat", memory, program.text(part), 0o755);
    const { ids } = this.#world;
    if (ids) program.must(what, "fchownat", memory, program.text("upper"), ids.first, ids.first, 0);
    return this.#overlay(what, "lower", "scratch/upper", "scratch/work");
  }

  #overlay(operation: string, lower: string, upper: string, work: string): Descriptor {
    const options = {
      lowerdir: lower,
      upperdir: upper,
      workdir: work,
      ...(this.#world.ids === undefined && { userxattr: true as const }),
    };
    return this.#mounts.fileSystem(operation, "overlay", options, linux.MOUNT_ATTR_NODEV);
  }

  /** Enters namespaces without rights on the machine. */
  #enterNamespaces(): void {
    const { program } = this;
    const { ids } = this.#world;
    const others = linux.CLONE_NEWPID | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS | linux.CLONE_NEWCGROUP;
    const what = "make the namespaces";
    if (ids === undefined) {
      program.must(what, "unshare", others);
      return;
    }
    // Limits of a user namespace apply to each of its users. An intermediate namespace, in which the container is one
    // user, applies them to the container as a whole.
    const own = `0 0 1\n${ids.first} ${ids.first} ${ids.count}\n`;
    this.#mapIds({ uid_map: own, gid_map: own }, () => program.must(what, "unshare", linux.CLONE_NEWUSER));
    this.#limitNamespace();
    const { user, group, groups } = this.#launch.plan.identity;
    this.#mapIds({ uid_map: idMap(ids, [user]), gid_map: idMap(ids, [group, ...groups]) }, () => {
      program.must(what, "unshare", linux.CLONE_NEWUSER | linux.CLONE_NEWNS | others);
    });
    program
      .must("become root of the container", "setgroups", 0, 0)
      .must("become root of the container", "setgid", 0)
      .must("become root of the container", "setuid", 0);
    // The change reset the death signal.
    endWithTiphys(program);
  }

  /** Sets kernel limits for users of the new namespace, where the kernel supports it. */
  #limitNamespace(): void {
    const { program } = this;
    for (const [name, value] of Object.entries(NAMESPACE_LIMITS)) {
      program
        .attempt("openat", linux.AT_FDCWD, program.text(`/proc/sys/user/${name}`), linux.O_WRONLY | linux.O_CLOEXEC)
        .keep(this.#spare)
        .attempt("write", this.#spare, program.text(value), value.length)
        .attempt("close", this.#spare);
    }
  }

  /** IDs can only be mapped from outside a namespace, so a child process stays outside to do it. */
  #mapIds(maps: Readonly<Record<"uid_map" | "gid_map", string>>, unshare: () => void): void {
    const { program } = this;
    const what = "map the ids";
    const [read, write] = this.#pair;
    program
      .must(
        what,
        "openat",
        linux.AT_FDCWD,
        program.text("/proc/self"),
        linux.O_PATH | linux.O_DIRECTORY | linux.O_CLOEXEC,
      )
      .keep(this.#spare)
      .must(what, "pipe2", { addressOf: read }, linux.O_CLOEXEC)
      .fork(what, () => {
        program.attempt("close", write).must(what, "read", read, { addressOf: write }, 1).when(
          0,
          () => program.exit(DEATH),
        );
        for (const [file, text] of Object.entries(maps)) {
          program.must(what, "openat", this.#spare, program.text(file), linux.O_WRONLY | linux.O_CLOEXEC).keep(write)
            .must(what, "write", write, program.text(text), text.length);
        }
        program.exit(0);
      })
      .keep(this.#child);
    unshare();
    program
      .must(what, "write", write, program.text("x"), 1)
      .must(what, "wait4", this.#child, 0, 0, 0)
      .attempt("close", read).attempt("close", write).attempt("close", this.#spare);
  }

  /** Assembles the root. The order matters, because later mounts cover earlier ones. */
  #assembleRoot({ root, layers, sys, devices, masks, volumes }: OpenedMounts): void {
    const { program } = this;
    const { plan, spec } = this.#launch;
    const mounts = this.#mounts;
    program.must(
      "mount the root",
      "move_mount",
      root,
      program.text(""),
      linux.AT_FDCWD,
      program.text("/"),
      linux.MOVE_MOUNT_F_EMPTY_PATH,
    );
    for (const { path, mount } of layers) mounts.attachBelow(`show ${path}`, mount, root, path);
    this.#mountProc(root, masks.filter(({ of }) => of === "proc"));
    this.#attachAtTop("/sys", sys, root);
    for (const { path, mount } of masks.filter(({ of }) => of === "sys")) {
      mounts.coverPath(`hide /sys/${path}`, sys, path, mount);
    }
    this.#showDevices(root, devices);
    for (const { mount: { target, below, readOnly }, opened } of volumes) {
      const what = below
        ? `mount ${JSON.stringify(below)} of the volume at ${target}`
        : `mount the volume at ${target}`;
      const attributes = VOLUME | (readOnly ? READ_ONLY : 0);
      const mount = below ? mounts.openMountBelow(what, opened, below, root, attributes) : opened;
      mounts.attachBelow(what, mount, root, target);
    }
    mounts.makeFolders(`make the folder ${plan.workingDir}`, root, plan.workingDir, 0o755);
    if (spec.readOnlyRoot) mounts.setOwnAttributes("make the root read-only", root, READ_ONLY);
    const hostname = new TextEncoder().encode(spec.hostname).length;
    program
      .must("set the host's name", "sethostname", program.text(spec.hostname), hostname)
      .must("enter the root", "fchdir", root)
      .must("enter the root", "pivot_root", program.text("."), program.text("."))
      .must("leave the machine's root", "umount2", program.text("."), linux.MNT_DETACH)
      .must("enter the root", "chdir", program.text("/"));
  }

  /** Attaches a mount at the top of the root, without following links of the image. */
  #attachAtTop(path: string, mount: Descriptor, root: Descriptor): void {
    const { program } = this;
    program.attempt("mkdirat", root, program.text(path.slice(1)), 0o755);
    const what = `show ${path}`;
    this.#mounts.open(
      what,
      root,
      path,
      this.#spare,
      linux.O_DIRECTORY,
      linux.RESOLVE_IN_ROOT | linux.RESOLVE_NO_SYMLINKS,
    );
    this.#mounts.attach(what, mount, this.#spare);
    program.attempt("close", this.#spare);
  }

  #mountProc(root: Descriptor, masks: readonly { readonly path: string; readonly mount: Descriptor }[]): void {
    const mounts = this.#mounts;
    const proc = mounts.fileSystem("show /proc", "proc", {}, HIDDEN_FROM_PROGRAMS);
    this.#attachAtTop("/proc", proc, root);
    for (const path of this.#world.kernel.readOnly) {
      mounts.addAttributes(`make /proc/${path} read-only`, proc, path, HIDDEN_FROM_PROGRAMS | READ_ONLY);
    }
    for (const { path, mount } of masks) mounts.coverPath(`hide /proc/${path}`, proc, path, mount);
    if (needsInnerNamespace(this.#world, this.#launch.plan.identity)) {
      // Opened here, before a mount of the pod can cover it.
      mounts.open("open the process", proc, "1", this.#child, linux.O_DIRECTORY);
    }
  }

  #showDevices(root: Descriptor, devices: readonly { readonly name: string; readonly mount: Descriptor }[]): void {
    const { program } = this;
    const mounts = this.#mounts;
    const attributes = linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NOEXEC;
    const dev = mounts.fileSystem("show /dev", "tmpfs", { mode: "0755", size: "64m" }, attributes);
    this.#attachAtTop("/dev", dev, root);
    for (const { name, mount } of devices) mounts.attachBelow(`show /dev/${name}`, mount, dev, name);
    const parts = {
      shm: ["tmpfs", { mode: "1777", size: "64m" }, HIDDEN_FROM_PROGRAMS],
      pts: ["devpts", { newinstance: true, ptmxmode: "0666", mode: "0620" }, attributes],
      mqueue: ["mqueue", {}, HIDDEN_FROM_PROGRAMS],
    } as const;
    for (const [name, [type, options, flags]] of Object.entries(parts)) {
      mounts.attachBelow(`show /dev/${name}`, mounts.fileSystem(`show /dev/${name}`, type, options, flags), dev, name);
    }
    for (const [name, target] of Object.entries(DEVICE_LINKS)) {
      program.must("show /dev", "symlinkat", program.text(target), dev, program.text(name));
    }
  }

  #startCommand(): void {
    const { program } = this;
    const { plan: { identity }, spec, processLimit } = this.#launch;
    const isInner = needsInnerNamespace(this.#world, identity);
    if (isInner) {
      program.must("make a user namespace", "unshare", linux.CLONE_NEWUSER);
      mapSingleId(program, this.#child, [identity.user, 0], [identity.group, 0], this.#spare);
    }
    dropRightsAndStart(program, {
      spec,
      command: spec.command,
      become: this.#world.ids && identity,
      isRoot: identity.user === 0,
      processLimit,
    }, this.#spare);
  }

  /** Waits for the first process or the end of this one. All other descriptors are closed to release what they hold. */
  #waitForEnd(): void {
    const { program } = this;
    const [watched, watchedFor, child, childFor] = this.#polled;
    const what = "watch the first process";
    program
      .keep(this.#child)
      .report(PROCESS, "answer")
      .attempt("dup3", this.#pair[1], LIFE, linux.O_CLOEXEC)
      .must(what, "pidfd_open", this.#child, 0).keep(this.#spare)
      .must(what, "dup3", this.#spare, FIRST_PROCESS, linux.O_CLOEXEC)
      .attempt("close_range", LIFE + 1, WATCH - 1, 0)
      .attempt("close_range", FIRST_PROCESS + 1, 0xffff_ffff, 0)
      // From here on, the end of the input is the signal.
      .attempt("prctl", linux.PR_SET_PDEATHSIG, 0)
      .set(watched, WATCH).set(watchedFor, ONLY_HANGUP)
      .set(child, FIRST_PROCESS).set(childFor, linux.POLLIN)
      .attempt("ppoll", { addressOf: watched }, 2, 0, 0, 0)
      .attempt("pidfd_send_signal", FIRST_PROCESS, linux.SIGKILL, 0, 0)
      .must("wait for the first process", "wait4", -1, { addressOf: this.#spare }, 0, 0)
      .exitAs(this.#spare);
  }
}

/** The attributes of all volumes: setuid bits have no effect, and devices do not work. */
const VOLUME = linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NODEV;

const DEVICE_LINKS = {
  ptmx: "pts/ptmx",
  fd: "/proc/self/fd",
  stdin: "/proc/self/fd/0",
  stdout: "/proc/self/fd/1",
  stderr: "/proc/self/fd/2",
};

/** Ends with the process of tiphys, even if that has already ended. */
export function endWithTiphys(program: KernelProgram): void {
  program
    .must("end with tiphys", "prctl", linux.PR_SET_PDEATHSIG, linux.SIGKILL)
    .attempt("getppid")
    .unless(Deno.pid, () => program.exit(DEATH));
}

/** Makes the process a member of control groups. */
export function joinGroups(program: KernelProgram, groups: readonly string[], spare: Slot): void {
  for (const group of groups) {
    program
      .must("join the control group", "openat", linux.AT_FDCWD, program.text(group), linux.O_WRONLY | linux.O_CLOEXEC)
      .keep(spare)
      .must("join the control group", "write", spare, program.text("0"), 1)
      .attempt("close", spare);
  }
}

/**
 * Changes the owner of output pipes to the container's user, since programs may open `/dev/stdout`. Other outputs may
 * be files or devices of the machine, and are unchanged.
 */
export function changeOutputOwner(
  program: KernelProgram,
  { ids }: Pick<LaunchWorld, "ids">,
  { user, group }: Identity,
): void {
  if (!ids) return;
  for (const stream of [1, 2]) {
    program.attempt("fcntl", stream, linux.F_GETPIPE_SZ).unless(-linux.EBADF, () => {
      program.attempt("fchown", stream, hostId(ids, user, [user]), hostId(ids, group, [group]));
    });
  }
}

/**
 * The ID on this machine for an ID in the container. IDs that are not ordinary follow the others, in the order of
 * {@link idMap}.
 */
function hostId({ first }: ContainerIds, id: number, requestedIds: readonly number[]): number {
  return first + (id < ORDINARY_IDS ? id : ORDINARY_IDS + unmappedIds(requestedIds).indexOf(id));
}

function unmappedIds(requestedIds: readonly number[]): number[] {
  return [...new Set(requestedIds.filter((id) => id >= ORDINARY_IDS))];
}

/**
 * The limits of a container's user namespace. All containers share the limits of the machine's user: usually 128
 * inotify instances.
 */
const NAMESPACE_LIMITS = { max_inotify_instances: "16" } as const;

/** The ID map of a namespace: all ordinary IDs, and the requested ones of the others. */
function idMap(ids: ContainerIds, requestedIds: readonly number[]): string {
  const rare = unmappedIds(requestedIds).map((id) => `${id} ${hostId(ids, id, requestedIds)} 1\n`);
  return [`0 ${ids.first} ${ORDINARY_IDS}\n`, ...rare].join("");
}

/** Maps a single identity in the new namespace, which requires no rights. */
function mapSingleId(
  program: KernelProgram,
  process: string | Slot,
  [user, ownUser]: readonly [number, number],
  [group, ownGroup]: readonly [number, number],
  spare: Slot,
): void {
  const what = "map the ids";
  const texts = { setgroups: "deny", gid_map: `${group} ${ownGroup} 1`, uid_map: `${user} ${ownUser} 1` };
  for (const [file, text] of Object.entries(texts)) {
    const [folder, path] = typeof process === "string" ? [linux.AT_FDCWD, process + file] : [process, file];
    program
      .must(what, "openat", folder, program.text(path), linux.O_WRONLY | linux.O_CLOEXEC).keep(spare)
      .must(what, "write", spare, program.text(text), text.length)
      .attempt("close", spare);
  }
}
