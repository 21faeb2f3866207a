/** An input artifact on its way into the pod: fetched, unpacked, and put in its place. */
import {
  hasLocationOrKey,
  load,
  type Moved,
  movesTrees,
  type NodeCache,
  type Packing,
  StoreError,
  type Target,
} from "../../lib/artifact/mod.ts";
import { Folder, type Found, walk } from "../../lib/confined/mod.ts";
import { PATH } from "../../lib/constants.ts";
import { ARTIFACT_CACHE } from "../../lib/pod/artifact_cache.ts";
import { mountedFolders } from "../../lib/pod/artifact_paths.ts";
import { cleanPath } from "../../lib/pod/paths.ts";
import { describe, ExecutorError } from "../failure.ts";
import { inVolume } from "../after_main/main_files.ts";
import { inputPlace } from "../pod/places.ts";
import { unlessNotOurs } from "../pod/shared_files.ts";
import { mountOf, type PodTemplate, type TemplateArtifact, writableVolumes } from "../pod/template.ts";
import { told, transferOf } from "../pod/transfers.ts";
import { moveEntry } from "./move_entry.ts";
import { at, type World } from "../world.ts";

/** The modes of a plugin's artifact that asks for none: a main of any user must be able to read it. */
const PLUGIN_FILE_MODE = 0o666;
const PLUGIN_FOLDER_MODE = 0o777;

/** An artifact that was fetched and waits beside its place. */
export interface Fetched {
  readonly artifact: TemplateArtifact;
  /** The folder in which it lies for now, held open, and below that its name there. */
  readonly folder: Folder;
  readonly name: string;
  readonly spot: Spot;
}

/** The place in the pod where an artifact belongs. */
interface Spot {
  /** The folder that the artifact may not leave, whose path nobody else can change. */
  readonly root: string;
  /** The path of the artifact below the root. */
  readonly path: string;
  /** The path of the folder in which it waits, below the root and in the same file system as its place. */
  readonly beside: string;
  /** The place is in a volume of the user, whose links are those of main. */
  readonly isInVolume: boolean;
  /**
   * That place is mounted, so that it can be filled but not replaced: a volume with the user's own files beside it, or a
   * folder for this artifact alone.
   */
  readonly mount?: "volume" | "folder";
}

/**
 * Fetches an artifact, unpacked, with its mode; undefined for an optional one that is not there.
 * @throws {ExecutorError} when it cannot be had. Nothing of it is left then.
 */
export async function fetchArtifact(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  stop: AbortSignal,
): Promise<Fetched | undefined> {
  if (!hasLocationOrKey(artifact)) {
    if (artifact.optional) return undefined;
    throw new ExecutorError(`required artifact '${artifact.name}' not supplied`, {
      stage: "inputs",
      artifact: artifact.name,
    });
  }
  try {
    const place = inputPlace(template, artifact);
    const driver = await world.driverFor(place);
    const spot = spotOf(world, template, artifact);
    // Another process, which brings a tree, finds the folder by a path that nobody else can change.
    const { root, beside } = movesTrees(driver) ? { root: at(world, PATH.inputArtifacts), beside: OWN } : spot;
    const folder = folderBelow(template, root, beside, spot.isInVolume && root === spot.root);
    try {
      const target: Target = {
        folder,
        name: waitingName(template, artifact),
        path: beside ? `${root}${beside}` : root,
      };
      folder.remove(target.name); // An earlier life of this container.
      // Nothing but inputs is put into their own folder, by nobody but this container before main runs.
      const goesOn = !spot.isInVolume && root === spot.root;
      const transfer = { ...transferOf(world, stop, artifact.name), goesOn, ...await cacheOf(world, artifact.name) };
      const moved = await told(
        transfer,
        { what: "load", place },
        () => load(driver, place, { target, packing: packingOf(artifact), how: transfer }),
      );
      if (!movesTrees(driver) && isOther(artifact, moved)) {
        transfer.log("it is not what its step saved: it has been written anew since");
      }
      settleModes(artifact, folder, target.name);
      return { artifact, folder, name: target.name, spot };
    } catch (error) {
      // The folder is closed only now: a transfer that does not hear that it is to stop goes on with it.
      using _ = folder;
      folder.remove(waitingName(template, artifact));
      throw error;
    }
  } catch (error) {
    stop.throwIfAborted();
    if (artifact.optional && error instanceof StoreError && error.kind === "missing") {
      world.log(`the optional artifact ${artifact.name} is not there`);
      return undefined;
    }
    throw notLoaded(world, artifact, error);
  }
}

/**
 * Whether something else was loaded than the step that made the artifact has reported. To write a key anew is allowed,
 * so it is no failure; whether what lies there now is whole, its store knows.
 */
function isOther({ digest, size, objects }: TemplateArtifact, moved: Moved): boolean {
  const isFile = objects === undefined;
  if (isFile !== (moved.kind === "file")) return typeof size === "number";
  if (typeof size === "number" && size !== moved.bytes) return true;
  return isFile && digest !== undefined && moved.sha256 !== undefined && digest !== `sha256:${moved.sha256}`;
}

/** The cache of this node, where the pod has one. */
async function cacheOf(world: World, artifact: string): Promise<{ readonly cache?: NodeCache }> {
  const most = Number(world.env(ARTIFACT_CACHE.limit) || NaN);
  if (!(most > 0)) return {};
  const { NodeCache } = await import("../../lib/artifact/transfer/node_cache.ts");
  const log = (line: string) => world.log(`artifact ${artifact}: ${line}`);
  return { cache: new NodeCache({ path: at(world, ARTIFACT_CACHE.path), most, now: () => world.clock.now(), log }) };
}

/** The folder of inputs itself, below which nothing but inputs lies. */
const OWN = "";

/** The most characters of an artifact's name that leave room for what is put before and behind it. */
const MOST_NAME_CHARACTERS = 60;

/** No artifact has a name that begins with a dot. One with a long name is known by its number. */
function waitingName({ inputs }: PodTemplate, { name }: TemplateArtifact): string {
  if (name.length <= MOST_NAME_CHARACTERS) return `.argo-${name}`;
  return `.argo.${inputs?.artifacts?.findIndex((other) => other.name === name)}`;
}

function packingOf({ archive }: TemplateArtifact): Packing {
  if (archive?.none) return "none";
  if (archive?.tar) return "tar";
  return archive?.zip ? "zip" : "unknown";
}

function notLoaded(world: World, { name }: TemplateArtifact, error: unknown): ExecutorError {
  return new ExecutorError(world.redact(`artifact ${name} failed to load: ${describe(error)}`), {
    stage: "inputs",
    artifact: name,
    cause: error,
  });
}

function spotOf(world: World, template: PodTemplate, { name, path }: TemplateArtifact): Spot {
  const clean = path && cleanPath(path);
  const volume = clean && mountOf(template, clean);
  if (!clean || !volume) {
    const isMounted = mountedFolders(template).some((folder) => folder.name === name);
    return {
      root: at(world, PATH.inputArtifacts),
      path: name,
      beside: OWN,
      isInVolume: false,
      mount: isMounted ? "folder" : undefined,
    };
  }
  const mounted = cleanPath(volume.mountPath);
  return {
    root: at(world, PATH.mainFileSystem),
    path: clean,
    beside: mounted,
    isInVolume: true,
    mount: mounted === clean ? "volume" : undefined,
  };
}

/**
 * A folder below a root, in a volume of the user by the ways of main. What exists keeps its mode; what is made now is
 * open to everybody (umask 0).
 */
function folderBelow(template: PodTemplate, root: string, path: string, isInVolume: boolean): Folder {
  Deno.mkdirSync(root, { recursive: true });
  using top = Folder.open(root);
  if (path === "") return top.again();
  using found = wayTo(template, top, path, isInVolume, true);
  try {
    return found.parent!.folder(found.name) ?? found.parent!.makeFolder(found.name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotADirectory)) throw error;
    throw new Error(`${path} is no folder`, { cause: error });
  }
}

/** Links on the way to a place in a volume are those of main; everywhere else there are none. */
function wayTo(template: PodTemplate, root: Folder, path: string, isInVolume: boolean, last: boolean): Found {
  if (!isInVolume) return walk(root, path, { links: "refuse", last, make: 0o777 });
  // No folder is made where a link leads outside of the volumes, or into one that main may only read.
  const volumes = writableVolumes(template);
  inVolume(volumes, path, walk(root, path, { links: "follow", last }))[Symbol.dispose]();
  return inVolume(volumes, path, walk(root, path, { links: "follow", last, make: 0o777 }));
}

function settleModes({ mode, recurseMode, plugin }: TemplateArtifact, folder: Folder, name: string): void {
  if (mode !== undefined) changeMode(folder, name, recurseMode === true, () => mode);
  else if (plugin) changeMode(folder, name, true, (isFolder) => isFolder ? PLUGIN_FOLDER_MODE : PLUGIN_FILE_MODE);
}

function changeMode(parent: Folder, name: string, below: boolean, modeOf: (isFolder: boolean) => number): void {
  using held = parent.hold(name);
  const { isDirectory, isSymlink } = held?.info() ?? { isDirectory: false, isSymlink: true };
  if (!held || isSymlink) return;
  // The entries below come first: the folder's own mode may close it.
  if (below && isDirectory) {
    using folder = Folder.open(held.path);
    for (const child of folder.names()) changeMode(folder, child, below, modeOf);
  }
  Deno.chmodSync(held.path, modeOf(isDirectory));
}

/** Puts a fetched artifact where it belongs, in the place of what was there, and lets go of it. */
export function placeArtifact(world: World, template: PodTemplate, { artifact, folder, name, spot }: Fetched): void {
  const { root, path, isInVolume, mount } = spot;
  using _ = folder;
  try {
    if (mount) {
      using to = folderBelow(template, root, path, isInVolume);
      return fill(folder, name, to, { mount, place: `${root}/${path}` });
    }
    using top = Folder.open(root);
    using to = wayTo(template, top, path, isInVolume, false);
    to.parent!.remove(to.name);
    moveEntry({ folder, name }, { folder: to.parent!, name: to.name });
  } catch (error) {
    throw notLoaded(world, artifact, error);
  }
}

/** A place that is mounted. */
interface Mounted {
  readonly mount: "volume" | "folder";
  readonly place: string;
}

/** Moves the content of a fetched folder into a folder that is mounted and so cannot be replaced. */
function fill(folder: Folder, name: string, to: Folder, { mount, place }: Mounted): void {
  using from = filler(folder, name, { mount, place });
  if (mount === "folder") {
    for (const old of to.names()) to.remove(old); // An earlier life of this container.
    const { mode } = from.info();
    if (mode !== null) unlessNotOurs(() => Deno.chmodSync(to.path, mode & 0o7777));
  }
  for (const child of from.names()) {
    to.remove(child);
    moveEntry({ folder: from, name: child }, { folder: to, name: child });
  }
  folder.remove(name);
}

function filler(folder: Folder, name: string, { mount, place }: Mounted): Folder {
  try {
    return folder.folder(name)!;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotADirectory)) throw error;
    throw new Error(`${place} is a ${mount}, which a file cannot replace`, { cause: error });
  }
}
