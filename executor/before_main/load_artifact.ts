/** Loading of an input artifact: download, unpack, set modes, move into place. */
import { StoreError } from "@tiphys/model/artifact";
import { hasLocationOrKey } from "@tiphys/model/artifact/location";
import {
  load,
  movesTrees,
  type NodeCache,
  type Packing,
  type Target,
  type TransferResult,
} from "@tiphys/artifacts/transfer";
import { type EntryLocation, Folder, resolveEntry } from "@tiphys/base/confined";
import { PATH } from "@tiphys/base/constants";
import { ARTIFACT_CACHE, cleanPath, mountedFolders } from "@tiphys/model/pod";
import { describeError, ExecutorError } from "../failure.ts";
import { checkInVolume } from "../after_main/main_files.ts";
import { inputLocation } from "../pod/places.ts";
import { ignoreIfNotOwner } from "../pod/shared_files.ts";
import { mountOf, type PodTemplate, type TemplateArtifact, writableVolumes } from "../pod/template.ts";
import { createTransfer, logTransfer } from "../pod/transfers.ts";
import { moveEntry } from "./move_entry.ts";
import { at, type World } from "../world.ts";

/** Default modes for artifacts of plugins: main must be able to read them as any user. */
const PLUGIN_FILE_MODE = 0o666;
const PLUGIN_FOLDER_MODE = 0o777;

/** An artifact that was downloaded and has not been moved into place yet. */
export interface FetchedArtifact {
  readonly artifact: TemplateArtifact;
  /** The temporary folder that contains it, held open, and its name there. */
  readonly folder: Folder;
  readonly name: string;
  readonly spot: Destination;
}

/** The destination of an artifact. */
interface Destination {
  /** The folder that the artifact must stay within. Only trusted processes can change its path. */
  readonly root: string;
  /** The path of the artifact below the root. */
  readonly path: string;
  /** The path of the temporary folder below the root, in the same file system as the destination. */
  readonly temporary: string;
  /** Whether the destination is in a volume of the user, where links are followed as main would follow them. */
  readonly isInVolume: boolean;
  /**
   * Set when the destination is a mount point, which can be filled but not replaced: a volume that may contain other
   * files of the user, or a folder for this artifact only.
   */
  readonly mount?: "volume" | "folder";
}

/**
 * Downloads and unpacks an artifact and sets its mode. Returns undefined for an optional artifact that does not exist.
 * @throws {ExecutorError} when it cannot be loaded. Partial files are removed.
 */
export async function fetchArtifact(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  stop: AbortSignal,
): Promise<FetchedArtifact | undefined> {
  if (!hasLocationOrKey(artifact)) {
    if (artifact.optional) return undefined;
    throw new ExecutorError(`required artifact '${artifact.name}' not supplied`, {
      stage: "inputs",
      artifact: artifact.name,
    });
  }
  try {
    const place = inputLocation(template, artifact);
    const driver = await world.driverFor(place);
    const spot = openDestination(world, template, artifact);
    // A driver that runs in another process and moves whole trees needs a folder by path, so it gets one whose path
    // only trusted processes can change.
    const { root, temporary } = movesTrees(driver)
      ? { root: at(world, PATH.inputArtifacts), temporary: SAME_FOLDER }
      : spot;
    const folder = openFolderBelow(template, root, temporary, spot.isInVolume && root === spot.root);
    try {
      const target: Target = {
        folder,
        name: temporaryName(template, artifact),
        path: temporary ? `${root}${temporary}` : root,
      };
      folder.remove(target.name); // This container may have run before.
      // A partial download can resume only in the folder of inputs, which nobody but this container writes to before
      // main runs.
      const resumes = !spot.isInVolume && root === spot.root;
      const transfer = {
        ...createTransfer(world, stop, artifact.name),
        resumes,
        ...await openCache(world, artifact.name),
      };
      const moved = await logTransfer(
        transfer,
        { what: "load", place },
        () => load(driver, place, { target, packing: packingOf(artifact), transfer }),
      );
      if (!movesTrees(driver) && differsFromReport(artifact, moved)) {
        transfer.log("differs from what its step saved: the key has been overwritten since");
      }
      applyModes(artifact, folder, target.name);
      return { artifact, folder, name: target.name, spot };
    } catch (error) {
      // The folder is closed only now, because a transfer may still use it until it notices `stop`.
      using _ = folder;
      folder.remove(temporaryName(template, artifact));
      throw error;
    }
  } catch (error) {
    stop.throwIfAborted();
    if (artifact.optional && error instanceof StoreError && error.kind === "missing") {
      world.log(`optional artifact ${artifact.name} does not exist`);
      return undefined;
    }
    throw loadError(world, artifact, error);
  }
}

/**
 * Reports whether the loaded artifact differs from what the step that made it reported. Overwriting a key is allowed,
 * so this is a warning and not a failure; the store itself checks that the object is complete.
 */
function differsFromReport({ digest, size, objects }: TemplateArtifact, moved: TransferResult): boolean {
  const isFile = objects === undefined;
  if (isFile !== (moved.kind === "file")) return typeof size === "number";
  if (typeof size === "number" && size !== moved.bytes) return true;
  return isFile && digest !== undefined && moved.sha256 !== undefined && digest !== `sha256:${moved.sha256}`;
}

/** The artifact cache of this node, if the pod has one. */
async function openCache(world: World, artifact: string): Promise<{ readonly cache?: NodeCache }> {
  const max = Number(world.env(ARTIFACT_CACHE.limit) || NaN);
  if (!(max > 0)) return {};
  const { NodeCache } = await import("@tiphys/artifacts/transfer/node_cache");
  const log = (line: string) => world.log(`artifact ${artifact}: ${line}`);
  return {
    cache: new NodeCache({ path: at(world, ARTIFACT_CACHE.path), max, now: () => world.clock.now(), log }),
  };
}

/** The temporary folder is the root itself: the folder of inputs, which contains nothing else. */
const SAME_FOLDER = "";

/** The maximum length of an artifact's name that still leaves room for a prefix and suffix in a file name. */
const MAX_NAME_CHARACTERS = 60;

/**
 * The temporary name of an artifact. Names of artifacts never begin with a dot, so it is unique. A long name is
 * replaced by its index.
 */
function temporaryName({ inputs }: PodTemplate, { name }: TemplateArtifact): string {
  if (name.length <= MAX_NAME_CHARACTERS) return `.argo-${name}`;
  return `.argo.${inputs?.artifacts?.findIndex((other) => other.name === name)}`;
}

function packingOf({ archive }: TemplateArtifact): Packing {
  if (archive?.none) return "none";
  if (archive?.tar) return "tar";
  return archive?.zip ? "zip" : "unknown";
}

function loadError(world: World, { name }: TemplateArtifact, error: unknown): ExecutorError {
  return new ExecutorError(world.redact(`artifact ${name} failed to load: ${describeError(error)}`), {
    stage: "inputs",
    artifact: name,
    cause: error,
  });
}

function openDestination(world: World, template: PodTemplate, { name, path }: TemplateArtifact): Destination {
  const clean = path && cleanPath(path);
  const volume = clean && mountOf(template, clean);
  if (!clean || !volume) {
    const isMounted = mountedFolders(template).some((folder) => folder.name === name);
    return {
      root: at(world, PATH.inputArtifacts),
      path: name,
      temporary: SAME_FOLDER,
      isInVolume: false,
      mount: isMounted ? "folder" : undefined,
    };
  }
  const mounted = cleanPath(volume.mountPath);
  return {
    root: at(world, PATH.mainFileSystem),
    path: clean,
    temporary: mounted,
    isInVolume: true,
    mount: mounted === clean ? "volume" : undefined,
  };
}

/**
 * Opens a folder below a root, and creates missing folders with mode 0777 (the umask is 0). In a volume of the user,
 * links are followed as main would follow them.
 */
function openFolderBelow(template: PodTemplate, root: string, path: string, isInVolume: boolean): Folder {
  Deno.mkdirSync(root, { recursive: true });
  using top = Folder.open(root);
  if (path === "") return top.reopen();
  using found = walkTo(template, top, path, isInVolume, true);
  try {
    return found.parent!.openFolder(found.name) ?? found.parent!.createFolder(found.name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotADirectory)) throw error;
    throw new Error(`${path} is not a folder`, { cause: error });
  }
}

/** Walks to a path. In a volume, links are followed as main would follow them; elsewhere they are refused. */
function walkTo(template: PodTemplate, root: Folder, path: string, isInVolume: boolean, last: boolean): EntryLocation {
  if (!isInVolume) return resolveEntry(root, path, { links: "refuse", last, make: 0o777 });
  // Check before creating: no folder may be created where a link leads out of the volumes, or into a volume that is
  // read-only for main.
  const volumes = writableVolumes(template);
  checkInVolume(volumes, path, resolveEntry(root, path, { links: "follow", last }))[Symbol.dispose]();
  return checkInVolume(volumes, path, resolveEntry(root, path, { links: "follow", last, make: 0o777 }));
}

function applyModes({ mode, recurseMode, plugin }: TemplateArtifact, folder: Folder, name: string): void {
  if (mode !== undefined) changeMode(folder, name, recurseMode === true, () => mode);
  else if (plugin) changeMode(folder, name, true, (isFolder) => isFolder ? PLUGIN_FOLDER_MODE : PLUGIN_FILE_MODE);
}

function changeMode(parent: Folder, name: string, below: boolean, modeOf: (isFolder: boolean) => number): void {
  using held = parent.openEntry(name);
  const { isDirectory, isSymlink } = held?.info() ?? { isDirectory: false, isSymlink: true };
  if (!held || isSymlink) return;
  // Entries inside are changed first, because the folder's own mode may deny access to them.
  if (below && isDirectory) {
    using folder = Folder.open(held.path);
    for (const child of folder.names()) changeMode(folder, child, below, modeOf);
  }
  Deno.chmodSync(held.path, modeOf(isDirectory));
}

/** Moves a fetched artifact to its destination, replaces what was there, and closes its temporary folder. */
export function placeArtifact(
  world: World,
  template: PodTemplate,
  { artifact, folder, name, spot }: FetchedArtifact,
): void {
  const { root, path, isInVolume, mount } = spot;
  using _ = folder;
  try {
    if (mount) {
      using to = openFolderBelow(template, root, path, isInVolume);
      return moveContents(folder, name, to, { mount, place: `${root}/${path}` });
    }
    using top = Folder.open(root);
    using to = walkTo(template, top, path, isInVolume, false);
    to.parent!.remove(to.name);
    moveEntry({ folder, name }, { folder: to.parent!, name: to.name });
  } catch (error) {
    throw loadError(world, artifact, error);
  }
}

/** A destination that is a mount point. */
interface MountPoint {
  readonly mount: "volume" | "folder";
  readonly place: string;
}

/** Moves the contents of a fetched folder into a mount point. */
function moveContents(folder: Folder, name: string, to: Folder, { mount, place }: MountPoint): void {
  using from = openContents(folder, name, { mount, place });
  if (mount === "folder") {
    for (const old of to.names()) to.remove(old); // This container may have run before.
    const { mode } = from.info();
    if (mode !== null) ignoreIfNotOwner(() => Deno.chmodSync(to.path, mode & 0o7777));
  }
  for (const child of from.names()) {
    to.remove(child);
    moveEntry({ folder: from, name: child }, { folder: to, name: child });
  }
  folder.remove(name);
}

function openContents(folder: Folder, name: string, { mount, place }: MountPoint): Folder {
  try {
    return folder.openFolder(name)!;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotADirectory)) throw error;
    throw new Error(`${place} is a mounted ${mount} and cannot be replaced by a file`, { cause: error });
  }
}
