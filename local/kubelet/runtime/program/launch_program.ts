/**
 * The program that makes a container and becomes it. Nothing else runs on the way: no shell, no tool of the machine, nothing of
 * the image.
 *
 * 1. The keeper, outside of the container, opens all that the container is to see of this machine, as mounts that lie nowhere.
 * 2. It enters a user namespace, in which it has no rights over the machine any more, and all other namespaces.
 * 3. Its child, the container's first process, puts the root together below a descriptor, makes it its root, and begins.
 * 4. The keeper waits for the child, and for the end of its own standard input, which tiphys holds: whichever comes first, no
 *    child is left, and it ends as that did. A program can put off the signal that tells it of its parent's death, so that
 *    alone would not do.
 */
import { KernelProgram, type Slot } from "@tiphys/portable/elf";
import type { ContainerIds } from "../../../image/container_ids.ts";
import { ORDINARY_IDS } from "../../../image/container_ids.ts";
import type { ContainerPlan, Identity } from "../container_plan.ts";
import type { MachineKernel } from "../machine.ts";
import type { ContainerSpec, Mount } from "../runtime.ts";
import { begin, goFirst, keepLife, LIFE, lifePipe, liveWith, PROCESS, REPORT } from "./begin_calls.ts";
import * as linux from "./kernel_words.ts";
import { type Descriptor, MountCalls } from "./mount_calls.ts";

/** The settings that all containers of a back end have in common. */
export interface LaunchWorld {
  /** Undefined: containers have our own identity, whatever number it is shown under. */
  readonly ids: ContainerIds | undefined;
  /**
   * The place for what a container writes: its folder, or memory where the file system of the folder cannot be the
   * upper layer of an overlay.
   */
  readonly scratch: "folder" | "memory";
  readonly kernel: MachineKernel;
}

/** The settings of one container. */
export interface Launch {
  readonly plan: ContainerPlan;
  readonly spec: ContainerSpec;
  /** Files of control groups that take the numbers of their members. */
  readonly groups: readonly string[];
  /** The number of processes that each user of the container may have, where no control group counts them. */
  readonly processLimit: number | undefined;
}

/** Everything of the machine that a container will see, as mounts that lie nowhere. */
interface Opened {
  readonly root: Descriptor;
  readonly layers: readonly { readonly path: string; readonly mount: Descriptor }[];
  readonly sys: Descriptor;
  readonly devices: readonly { readonly name: string; readonly mount: Descriptor }[];
  /** The mounts that cover parts of `/proc` and `/sys`. */
  readonly masks: readonly { readonly path: string; readonly of: "proc" | "sys"; readonly mount: Descriptor }[];
  readonly volumes: readonly { readonly mount: Mount; readonly opened: Descriptor }[];
}

const DEATH = 127;
/**
 * The descriptors at which the keeper holds its input and the first process: below all descriptors of what is shown.
 */
const WATCH = 98;
const FIRST_PROCESS = 99;
const NOTHING_BUT_ITS_END = 0;
const HIDDEN_FROM_PROGRAMS = linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NODEV | linux.MOUNT_ATTR_NOEXEC;
const READ_ONLY = linux.MOUNT_ATTR_RDONLY;

/** Makes the program. `spec.folder` has `state`, to be written, `root`, and `lower`, `upper`, `work`, `scratch`, `empty` as far as they are needed. */
export function launchProgram(world: LaunchWorld, launch: Launch): KernelProgram {
  return new LaunchCalls(world, launch).program;
}

/** Whether a container runs as the identity that its user namespace shows, or needs one more for it. */
export function needsInner({ ids }: Pick<LaunchWorld, "ids">, { user, group }: Identity): boolean {
  return ids === undefined && (user !== 0 || group !== 0);
}

class LaunchCalls {
  readonly program = new KernelProgram();
  readonly #mounts = new MountCalls(this.program);
  readonly #spare: Slot = this.program.slot();
  readonly #pair: readonly [Slot, Slot] = [this.program.slot(), this.program.slot()];
  readonly #child: Slot = this.program.slot();
  /** Two of the kernel's `pollfd`, of two words each: next to each other. */
  readonly #polled = [this.program.slot(), this.program.slot(), this.program.slot(), this.program.slot()] as const;
  readonly #world: LaunchWorld;
  readonly #launch: Launch;

  constructor(world: LaunchWorld, launch: Launch) {
    this.#world = world;
    this.#launch = launch;
    this.#startKeeper();
    const opened = this.#openAll();
    this.#giveUpMachine();
    lifePipe(this.program, this.#pair);
    this.program.fork("start the first process", () => {
      keepLife(this.program, this.#pair);
      liveWith(this.program, this.#spare);
      this.#putTogether(opened);
      this.#begin();
    });
    this.#keep();
  }

  /** A process of its own kind: in its own session, in its control groups, ending when we do. */
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
    liveWithUs(program);
    const what = "set the input aside";
    program
      .must(what, "dup3", 0, WATCH, linux.O_CLOEXEC)
      .must(what, "openat", linux.AT_FDCWD, program.text("/dev/null"), linux.O_CLOEXEC).keep(this.#spare)
      .must(what, "dup3", this.#spare, 0, 0)
      .attempt("close", this.#spare);
    goFirst(program, this.#spare);
    program.attempt("setsid").attempt("umask", 0).must("enter the folder", "chdir", program.text(spec.folder));
    joinGroups(program, groups, this.#spare);
    ownOutput(program, this.#world, this.#launch.plan.identity);
    const { ids } = this.#world;
    if (ids === undefined) {
      program.must("make a user namespace", "unshare", linux.CLONE_NEWUSER | linux.CLONE_NEWNS);
      mapOwn(program, "/proc/self/", [0, Deno.uid()!], [0, Deno.gid()!], this.#spare);
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
  #openAll(): Opened {
    const { kernel, ids } = this.#world;
    const { plan } = this.#launch;
    const mounts = this.#mounts;
    const root = this.#openRoot();
    const layers = plan.layers.map(({ path, kind }) => ({
      path,
      mount: kind === "overlay"
        ? this.#overlay(`show ${path}`, path, `upper${path}`, `work${path}`)
        : mounts.source(`show ${path}`, path, READ_ONLY, { recursive: true }),
    }));
    const sys = mounts.source("show /sys", "/sys", HIDDEN_FROM_PROGRAMS | READ_ONLY, { recursive: ids === undefined });
    const devices = kernel.devices.map((name) => ({
      name,
      mount: mounts.source(
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
        ? mounts.source(`hide /${of}/${path}`, "empty", HIDDEN_FROM_PROGRAMS | READ_ONLY, { recursive: false })
        : mounts.source(`hide /${of}/${path}`, "/dev/null", linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NOEXEC, {
          recursive: false,
        }),
    }));
    const volumes = plan.mounts.map((mount) => ({
      mount,
      opened: mounts.source(
        `open the volume for ${mount.target}`,
        mount.source,
        // A missing folder below a volume is made first, unless the volume is fixed.
        VOLUME | (mount.readOnly && (!mount.below || mount.isFixed) ? READ_ONLY : 0),
        { recursive: true },
      ),
    }));
    return { root, layers, sys, devices, masks, volumes };
  }

  #openRoot(): Descriptor {
    const { root } = this.#launch.plan;
    const what = "show the root";
    if (root.kind === "folder") {
      return this.#mounts.source(what, root.path, linux.MOUNT_ATTR_NODEV, { recursive: false });
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

  #overlay(what: string, lower: string, upper: string, work: string): Descriptor {
    const options = {
      lowerdir: lower,
      upperdir: upper,
      workdir: work,
      ...(this.#world.ids === undefined && { userxattr: true as const }),
    };
    return this.#mounts.fileSystem(what, "overlay", options, linux.MOUNT_ATTR_NODEV);
  }

  /** Enters namespaces in which we have no rights over the machine. */
  #giveUpMachine(): void {
    const { program } = this;
    const { ids } = this.#world;
    const others = linux.CLONE_NEWPID | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS | linux.CLONE_NEWCGROUP;
    const what = "make the namespaces";
    if (ids === undefined) {
      program.must(what, "unshare", others);
      return;
    }
    // The limits of a user namespace count for each of its users. One that lies between ours and the container's, and in which
    // the container is one user, counts for the container as a whole.
    const own = `0 0 1\n${ids.first} ${ids.first} ${ids.count}\n`;
    this.#mapAll({ uid_map: own, gid_map: own }, () => program.must(what, "unshare", linux.CLONE_NEWUSER));
    this.#limitNamespace();
    const { user, group, groups } = this.#launch.plan.identity;
    this.#mapAll({ uid_map: idMap(ids, [user]), gid_map: idMap(ids, [group, ...groups]) }, () => {
      program.must(what, "unshare", linux.CLONE_NEWUSER | linux.CLONE_NEWNS | others);
    });
    program
      .must("become root of the container", "setgroups", 0, 0)
      .must("become root of the container", "setgid", 0)
      .must("become root of the container", "setuid", 0);
    // The change took the death signal away.
    liveWithUs(program);
  }

  /** Limits what the users of the namespace that was just made take of the kernel, where it can be told. */
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

  /** Ids can only be given to a namespace from outside: a child stays there for it. */
  #mapAll(maps: Readonly<Record<"uid_map" | "gid_map", string>>, unshare: () => void): void {
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

  /** Puts the root together, in the order in which things lie over each other. */
  #putTogether({ root, layers, sys, devices, masks, volumes }: Opened): void {
    const { program } = this;
    const { plan, spec } = this.#launch;
    const mounts = this.#mounts;
    program.must(
      "show the root",
      "move_mount",
      root,
      program.text(""),
      linux.AT_FDCWD,
      program.text("/"),
      linux.MOVE_MOUNT_F_EMPTY_PATH,
    );
    for (const { path, mount } of layers) mounts.place(`show ${path}`, mount, root, path);
    this.#showProc(root, masks.filter(({ of }) => of === "proc"));
    this.#lay("/sys", sys, root);
    for (const { path, mount } of masks.filter(({ of }) => of === "sys")) {
      mounts.cover(`hide /sys/${path}`, sys, path, mount);
    }
    this.#showDevices(root, devices);
    for (const { mount: { target, below, readOnly }, opened } of volumes) {
      const what = below
        ? `mount ${JSON.stringify(below)} of the volume at ${target}`
        : `mount the volume at ${target}`;
      const attributes = VOLUME | (readOnly ? READ_ONLY : 0);
      const mount = below ? mounts.below(what, opened, below, root, attributes) : opened;
      mounts.place(what, mount, root, target);
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

  /** Puts a mount at the top of the root, where no link of the image may lead it elsewhere. */
  #lay(path: string, mount: Descriptor, root: Descriptor): void {
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

  #showProc(root: Descriptor, masks: readonly { readonly path: string; readonly mount: Descriptor }[]): void {
    const mounts = this.#mounts;
    const proc = mounts.fileSystem("show /proc", "proc", {}, HIDDEN_FROM_PROGRAMS);
    this.#lay("/proc", proc, root);
    for (const path of this.#world.kernel.readOnly) {
      mounts.restrict(`make /proc/${path} read-only`, proc, path, HIDDEN_FROM_PROGRAMS | READ_ONLY);
    }
    for (const { path, mount } of masks) mounts.cover(`hide /proc/${path}`, proc, path, mount);
    if (needsInner(this.#world, this.#launch.plan.identity)) {
      // Opened here, before anything of the pod's may lie over it.
      mounts.open("open the process", proc, "1", this.#child, linux.O_DIRECTORY);
    }
  }

  #showDevices(root: Descriptor, devices: readonly { readonly name: string; readonly mount: Descriptor }[]): void {
    const { program } = this;
    const mounts = this.#mounts;
    const attributes = linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NOEXEC;
    const dev = mounts.fileSystem("show /dev", "tmpfs", { mode: "0755", size: "64m" }, attributes);
    this.#lay("/dev", dev, root);
    for (const { name, mount } of devices) mounts.place(`show /dev/${name}`, mount, dev, name);
    const parts = {
      shm: ["tmpfs", { mode: "1777", size: "64m" }, HIDDEN_FROM_PROGRAMS],
      pts: ["devpts", { newinstance: true, ptmxmode: "0666", mode: "0620" }, attributes],
      mqueue: ["mqueue", {}, HIDDEN_FROM_PROGRAMS],
    } as const;
    for (const [name, [type, options, flags]] of Object.entries(parts)) {
      mounts.place(`show /dev/${name}`, mounts.fileSystem(`show /dev/${name}`, type, options, flags), dev, name);
    }
    for (const [name, target] of Object.entries(DEVICE_LINKS)) {
      program.must("show /dev", "symlinkat", program.text(target), dev, program.text(name));
    }
  }

  #begin(): void {
    const { program } = this;
    const { plan: { identity }, spec, processLimit } = this.#launch;
    const isInner = needsInner(this.#world, identity);
    if (isInner) {
      program.must("make a user namespace", "unshare", linux.CLONE_NEWUSER);
      mapOwn(program, this.#child, [identity.user, 0], [identity.group, 0], this.#spare);
    }
    begin(program, {
      spec,
      command: spec.command,
      become: this.#world.ids && identity,
      isRoot: identity.user === 0,
      processLimit,
    }, this.#spare);
  }

  /** Waits for the first process, or for our end; all else is closed, so that things only it held go with it. */
  #keep(): void {
    const { program } = this;
    const [watched, watchedFor, child, childFor] = this.#polled;
    const what = "watch the first process";
    program
      .keep(this.#child)
      .tell(PROCESS, "answer")
      .attempt("dup3", this.#pair[1], LIFE, linux.O_CLOEXEC)
      .must(what, "pidfd_open", this.#child, 0).keep(this.#spare)
      .must(what, "dup3", this.#spare, FIRST_PROCESS, linux.O_CLOEXEC)
      .attempt("close_range", LIFE + 1, WATCH - 1, 0)
      .attempt("close_range", FIRST_PROCESS + 1, 0xffff_ffff, 0)
      // From here on the end of the input tells.
      .attempt("prctl", linux.PR_SET_PDEATHSIG, 0)
      .set(watched, WATCH).set(watchedFor, NOTHING_BUT_ITS_END)
      .set(child, FIRST_PROCESS).set(childFor, linux.POLLIN)
      .attempt("ppoll", { addressOf: watched }, 2, 0, 0, 0)
      .attempt("pidfd_send_signal", FIRST_PROCESS, linux.SIGKILL, 0, 0)
      .must("wait for the first process", "wait4", -1, { addressOf: this.#spare }, 0, 0)
      .exitAs(this.#spare);
  }
}

/** The attributes of every volume: a program in it runs as the user who started it, and devices in it do not work. */
const VOLUME = linux.MOUNT_ATTR_NOSUID | linux.MOUNT_ATTR_NODEV;

const DEVICE_LINKS = {
  ptmx: "pts/ptmx",
  fd: "/proc/self/fd",
  stdin: "/proc/self/fd/0",
  stdout: "/proc/self/fd/1",
  stderr: "/proc/self/fd/2",
};

/** Ends with the process of tiphys, also when that has ended already. */
export function liveWithUs(program: KernelProgram): void {
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
 * A program may open its output anew, by `/dev/stdout`: its pipes are its user's. An output that is no pipe may be a
 * file or a device of the machine, and stays whose it is.
 */
export function ownOutput(program: KernelProgram, { ids }: Pick<LaunchWorld, "ids">, { user, group }: Identity): void {
  if (!ids) return;
  for (const stream of [1, 2]) {
    program.attempt("fcntl", stream, linux.F_GETPIPE_SZ).unless(-linux.EBADF, () => {
      program.attempt("fchown", stream, outside(ids, user, [user]), outside(ids, group, [group]));
    });
  }
}

/**
 * The id of this machine that stands for a container's: ids that are not ordinary follow the others, in the order of
 * {@link idMap}.
 */
function outside({ first }: ContainerIds, id: number, wanted: readonly number[]): number {
  return first + (id < ORDINARY_IDS ? id : ORDINARY_IDS + rareIds(wanted).indexOf(id));
}

function rareIds(wanted: readonly number[]): number[] {
  return [...new Set(wanted.filter((id) => id >= ORDINARY_IDS))];
}

/**
 * The limits of a container's user namespace. All containers count towards what the machine's user may have: 128 instances of
 * inotify as a rule.
 */
const NAMESPACE_LIMITS = { max_inotify_instances: "16" } as const;

/** The lines that give a namespace its ids: all ordinary ones, and of the others those that are wanted. */
function idMap(ids: ContainerIds, wanted: readonly number[]): string {
  const rare = rareIds(wanted).map((id) => `${id} ${outside(ids, id, wanted)} 1\n`);
  return [`0 ${ids.first} ${ORDINARY_IDS}\n`, ...rare].join("");
}

/** Shows one identity under a number, in the namespace that was just made, which anybody may do. */
function mapOwn(
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
