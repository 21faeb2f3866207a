/**
 * Mounts through descriptors only. A source is opened first, as a detached mount. Then the mount point is opened below
 * the root of the container, whose links cannot lead outside, and the mount is moved there. So no path is resolved
 * twice, and none outside, whatever a container writes meanwhile.
 */
import type { KernelProgram, Slot } from "@tiphys/portable/elf";
import * as linux from "./kernel_words.ts";

/** An open file: its number, or the slot with its number. */
export type Descriptor = number | Slot;

const EMPTY_PATH_BOTH = linux.MOVE_MOUNT_F_EMPTY_PATH | linux.MOVE_MOUNT_T_EMPTY_PATH;
const FIRST_OF_SOURCES = 100;
const ATTRIBUTES_BYTES = 32;
const HOW_BYTES = 24;

/** Adds mount calls to a program. */
export class MountCalls {
  readonly #program: KernelProgram;
  readonly #parent: Slot;
  readonly #next: Slot;
  readonly #place: Slot;
  readonly #made: Slot;
  #sources = FIRST_OF_SOURCES;

  constructor(program: KernelProgram) {
    this.#program = program;
    [this.#parent, this.#next, this.#place, this.#made] = [
      program.slot(),
      program.slot(),
      program.slot(),
      program.slot(),
    ];
  }

  /** Opens a folder or file of this machine as a detached mount, including mounts below it. */
  openSource(
    operation: string,
    path: string,
    attributes: number,
    options: { readonly recursive: boolean },
  ): Descriptor {
    const flags = linux.OPEN_TREE_CLONE | linux.O_CLOEXEC | (options.recursive ? linux.AT_RECURSIVE : 0);
    this.#program.must(operation, "open_tree", linux.AT_FDCWD, this.#program.text(path), flags).keep(this.#made);
    this.setAttributes(operation, this.#made, attributes);
    return this.#keepDescriptor(operation);
  }

  /** Creates a file system. An option without a value is `true`. */
  fileSystem(
    operation: string,
    type: string,
    options: Readonly<Record<string, string | true>>,
    attributes: number,
  ): Descriptor {
    const program = this.#program;
    program.must(operation, "fsopen", program.text(type), linux.FSOPEN_CLOEXEC).keep(this.#next);
    for (const [name, value] of Object.entries(options)) {
      const [command, text] = value === true
        ? [linux.FSCONFIG_SET_FLAG, 0] as const
        : [linux.FSCONFIG_SET_STRING, program.text(value)] as const;
      program.must(operation, "fsconfig", this.#next, command, program.text(name), text, 0);
    }
    program
      .must(operation, "fsconfig", this.#next, linux.FSCONFIG_CMD_CREATE, 0, 0, 0)
      .must(operation, "fsmount", this.#next, linux.FSMOUNT_CLOEXEC, attributes).keep(this.#made)
      .attempt("close", this.#next);
    return this.#keepDescriptor(operation);
  }

  /** Adds attributes to a mount and all mounts below it. */
  setAttributes(operation: string, mount: Descriptor, attributes: number): void {
    const set = this.#program.words([attributes, 0, linux.MS_PRIVATE, 0]);
    const all = linux.AT_EMPTY_PATH | linux.AT_RECURSIVE;
    this.#program.must(operation, "mount_setattr", mount, this.#program.text(""), all, set, ATTRIBUTES_BYTES);
  }

  /** Adds attributes to a single mount. */
  setOwnAttributes(operation: string, mount: Descriptor, attributes: number): void {
    const set = this.#program.words([attributes, 0, 0, 0]);
    this.#program.must(
      operation,
      "mount_setattr",
      mount,
      this.#program.text(""),
      linux.AT_EMPTY_PATH,
      set,
      ATTRIBUTES_BYTES,
    );
  }

  /** Attaches a mount at the path of another descriptor. */
  attach(operation: string, mount: Descriptor, place: Descriptor): void {
    const empty = this.#program.text("");
    this.#program.must(operation, "move_mount", mount, empty, place, empty, EMPTY_PATH_BOTH);
  }

  /** Opens a path below a folder, which is treated as the root. */
  open(
    operation: string,
    root: Descriptor,
    path: string,
    into: Slot,
    flags = 0,
    resolve = linux.RESOLVE_IN_ROOT,
  ): void {
    const how = this.#program.words([
      linux.O_PATH | linux.O_CLOEXEC | flags,
      0,
      resolve | linux.RESOLVE_NO_MAGICLINKS,
    ]);
    this.#program.must(operation, "openat2", root, this.#program.text(path), how, HOW_BYTES).keep(into);
  }

  /** Attaches a mount at a path below a root. Creates missing folders, and the mount point itself. */
  attachBelow(operation: string, mount: Descriptor, root: Descriptor, path: string): void {
    const program = this.#program;
    const names = path.split("/").filter((name) => name !== "");
    const last = names.at(-1)!;
    this.#openFolders(operation, root, names.slice(0, -1), 0o755, linux.RESOLVE_IN_ROOT);
    const here = names.length === 1 ? root : this.#parent;
    const isFolder = () =>
      program.attempt("openat", mount, program.text("."), linux.O_PATH | linux.O_DIRECTORY | linux.O_CLOEXEC)
        .keep(this.#next);
    isFolder().when(-linux.ENOTDIR, () => {
      program.attempt("mknodat", here, program.text(last), linux.S_IFREG | 0o644, 0);
    });
    this.#close(this.#next);
    isFolder().unless(-linux.ENOTDIR, () => {
      program.attempt("mkdirat", here, program.text(last), 0o755);
    });
    this.#close(this.#next);
    this.open(operation, root, names.join("/"), this.#place);
    this.attach(operation, mount, this.#place);
    this.#close(this.#place);
    if (names.length > 1) this.#close(this.#parent);
  }

  /** Creates the missing folders of a path below a root, including the last one. */
  makeFolders(operation: string, root: Descriptor, path: string, mode: number, resolve = linux.RESOLVE_IN_ROOT): void {
    const names = path.split("/").filter((name) => name !== "" && name !== ".");
    this.#openFolders(operation, root, names, mode, resolve);
    if (names.length > 0) this.#close(this.#parent);
  }

  /**
   * Opens a path below a volume as a detached mount. A mount can only be cloned while it is attached, so the volume is
   * temporarily attached at `lent`.
   */
  openMountBelow(
    operation: string,
    volume: Descriptor,
    path: string,
    lent: Descriptor,
    attributes: number,
  ): Descriptor {
    const program = this.#program;
    this.attach(operation, volume, lent);
    this.openBelow(operation, volume, path, this.#place);
    const flags = linux.OPEN_TREE_CLONE | linux.O_CLOEXEC | linux.AT_EMPTY_PATH | linux.AT_RECURSIVE;
    program.must(operation, "open_tree", this.#place, program.text(""), flags).keep(this.#made);
    this.#close(this.#place);
    this.setAttributes(operation, this.#made, attributes);
    program
      .must(operation, "fchdir", volume)
      .must(operation, "umount2", program.text("."), linux.MNT_DETACH)
      .must(operation, "chdir", program.text("/"));
    return this.#keepDescriptor(operation);
  }

  /**
   * Opens a path below a volume. Creates it as a folder if it does not exist, unless the volume is fixed. Links are
   * allowed within the volume.
   */
  openBelow(operation: string, volume: Descriptor, path: string, into: Slot, { isFixed = false } = {}): void {
    const program = this.#program;
    const names = path.split("/").filter((name) => name !== "" && name !== ".");
    if (isFixed) return this.open(operation, volume, names.join("/"), into, 0, linux.RESOLVE_BENEATH);
    this.#openFolders(operation, volume, names.slice(0, -1), 0o777, linux.RESOLVE_BENEATH);
    program.attempt("mkdirat", names.length === 1 ? volume : this.#parent, program.text(names.at(-1)!), 0o777);
    if (names.length > 1) this.#close(this.#parent);
    this.open(operation, volume, names.join("/"), into, 0, linux.RESOLVE_BENEATH);
  }

  /** Adds attributes to a path of a mount. */
  addAttributes(operation: string, root: Descriptor, path: string, attributes: number): void {
    const program = this.#program;
    this.open(operation, root, path, this.#place, linux.O_NOFOLLOW);
    const flags = linux.OPEN_TREE_CLONE | linux.O_CLOEXEC | linux.AT_EMPTY_PATH | linux.AT_RECURSIVE;
    program.must(operation, "open_tree", this.#place, program.text(""), flags).keep(this.#made);
    this.setAttributes(operation, this.#made, attributes);
    this.attach(operation, this.#made, this.#place);
    this.#close(this.#place);
    this.#close(this.#made);
  }

  /** Attaches a mount over a path of another one. */
  coverPath(operation: string, root: Descriptor, path: string, mount: Descriptor): void {
    this.open(operation, root, path, this.#place, linux.O_NOFOLLOW);
    this.attach(operation, mount, this.#place);
    this.#close(this.#place);
  }

  /** Opens, creating if necessary, each folder in turn. The last one remains open in `#parent`, if there is any. */
  #openFolders(operation: string, root: Descriptor, names: readonly string[], mode: number, resolve: number): void {
    const program = this.#program;
    for (const [index, name] of names.entries()) {
      program.attempt("mkdirat", index === 0 ? root : this.#parent, program.text(name), mode);
      if (index > 0) this.#close(this.#parent);
      this.open(operation, root, names.slice(0, index + 1).join("/"), this.#parent, linux.O_DIRECTORY, resolve);
    }
  }

  /** Moves the descriptor that was created last to a fixed number. */
  #keepDescriptor(operation: string): Descriptor {
    const number = this.#sources++;
    this.#program.must(operation, "dup3", this.#made, number, linux.O_CLOEXEC);
    this.#close(this.#made);
    return number;
  }

  #close(slot: Slot): void {
    this.#program.attempt("close", slot);
  }
}
