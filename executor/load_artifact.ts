/** One input artifact on its way into the pod: fetched, unpacked, and put in its place (spec/pods 5). */
import { isTarGz, untar, unzip } from "../lib/artifact/mod.ts";
import { hasStore } from "../lib/artifact_stores.ts";
import { PATH } from "../lib/constants.ts";
import { mountedFolders } from "../lib/pod/artifact_paths.ts";
import { cleanPath } from "../lib/pod/paths.ts";
import { describe, ExecutorError } from "./failure.ts";
import { retryTransient } from "./retry_transient.ts";
import { mountOf, type PodTemplate, type TemplateArtifact } from "./template.ts";
import { at, type World } from "./world.ts";

/** What a plugin brings must be readable for a main of any user, when nobody asked for a mode. */
const PLUGIN_FILE_MODE = 0o666;
const PLUGIN_FOLDER_MODE = 0o777;

/** An artifact that was fetched and waits beside its place. */
export interface Fetched {
  readonly artifact: TemplateArtifact;
  /** Where it lies for now. */
  readonly from: string;
  /** Where it belongs. */
  readonly to: string;
  /**
   * That place is mounted, so that it can be filled but not replaced: a volume with the user's own files beside it, or a
   * folder for this artifact alone.
   */
  readonly mount?: "volume" | "folder";
}

/**
 * Fetches an artifact, unpacked, with its mode; undefined for an optional one that is not there.
 * @throws {ExecutorError} when it cannot be had.
 */
export async function fetchArtifact(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
  stop: AbortSignal,
): Promise<Fetched | undefined> {
  const location = hasStore(artifact) ? artifact : undefined;
  if (!location) {
    if (artifact.optional) return undefined;
    throw new ExecutorError(`required artifact '${artifact.name}' not supplied`, {
      stage: "inputs",
      artifact: artifact.name,
    });
  }
  const { beside, to, mount } = placeOf(world, template, artifact);
  try {
    // What exists already belongs to others and keeps its mode; what is made now is open to everybody (umask 0).
    await Deno.mkdir(parentOf(beside), { recursive: true });
    const driver = await world.driverFor(location);
    await retryTransient(world, async () => {
      await remove(`${beside}.tmp`); // An earlier try, or an earlier life of this container.
      await driver.load(location, `${beside}.tmp`, stop);
    }, stop);
    const from = await unpack(artifact, beside);
    await settleModes(artifact, from);
    return { artifact, from, to, mount };
  } catch (error) {
    stop.throwIfAborted();
    if (artifact.optional && error instanceof Deno.errors.NotFound) {
      world.log(`the optional artifact ${artifact.name} is not there`);
      return undefined;
    }
    throw new ExecutorError(`artifact ${artifact.name} failed to load: ${describe(error)}`, {
      stage: "inputs",
      artifact: artifact.name,
      cause: error,
    });
  }
}

/** Where an artifact belongs, and a path in the same file system where it can wait, out of the way of all others. */
function placeOf(
  world: World,
  template: PodTemplate,
  artifact: TemplateArtifact,
): Pick<Fetched, "to" | "mount"> & { beside: string } {
  const path = artifact.path && cleanPath(artifact.path);
  const volume = path && mountOf(template, path);
  if (!path || !volume) {
    const to = at(world, `${PATH.inputArtifacts}/${artifact.name}`);
    const isMounted = mountedFolders(template).some(({ name }) => name === artifact.name);
    return { beside: to, to, mount: isMounted ? "folder" : undefined };
  }
  const root = cleanPath(volume.mountPath);
  return {
    beside: at(world, `${PATH.mainFileSystem}${root}/.argo-${artifact.name}`),
    to: at(world, `${PATH.mainFileSystem}${path}`),
    mount: root === path ? "volume" : undefined,
  };
}

/** Unpacks what was fetched as the artifact says, or as it looks; the answer is where the result lies. */
async function unpack(artifact: TemplateArtifact, beside: string): Promise<string> {
  const fetched = `${beside}.tmp`;
  const folder = `${beside}.tmpdir`;
  const how = await archiveOf(artifact, fetched);
  if (how === "none") return fetched;
  await remove(folder);
  await Deno.mkdir(folder);
  await (how === "zip" ? unzip : untar)(fetched, folder);
  await remove(fetched);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  if (names.length !== 1) return folder;
  await Deno.rename(`${folder}/${names[0]}`, fetched);
  await remove(folder);
  return fetched;
}

async function archiveOf({ archive }: TemplateArtifact, fetched: string): Promise<"none" | "tar" | "zip"> {
  if (archive?.none) return "none";
  if (archive?.tar) return "tar";
  if (archive?.zip) return "zip";
  const { isFile } = await Deno.stat(fetched);
  return isFile && await isTarGz(fetched) ? "tar" : "none";
}

async function settleModes({ mode, recurseMode, plugin }: TemplateArtifact, path: string): Promise<void> {
  if (mode !== undefined) await changeMode(path, recurseMode === true, () => mode);
  else if (plugin) await changeMode(path, true, (isFolder) => isFolder ? PLUGIN_FOLDER_MODE : PLUGIN_FILE_MODE);
}

async function changeMode(path: string, below: boolean, modeOf: (isFolder: boolean) => number): Promise<void> {
  const { isDirectory, isSymlink } = await Deno.lstat(path);
  if (isSymlink) return;
  // Below first: the folder's own mode may close it.
  if (below && isDirectory) {
    for await (const { name } of Deno.readDir(path)) await changeMode(`${path}/${name}`, below, modeOf);
  }
  await Deno.chmod(path, modeOf(isDirectory));
}

/** Puts a fetched artifact where it belongs, in the place of what was there. */
export async function placeArtifact({ artifact, from, to, mount }: Fetched): Promise<void> {
  try {
    if (mount === "folder") await makeEmpty(to);
    if (mount) return await fill(from, to, mount);
    await Deno.mkdir(parentOf(to), { recursive: true });
    await remove(to);
    await Deno.rename(from, to);
  } catch (error) {
    throw new ExecutorError(`artifact ${artifact.name} failed to load: ${describe(error)}`, {
      stage: "inputs",
      artifact: artifact.name,
      cause: error,
    });
  }
}

/** The folder of a mount, as no earlier life of this container has left anything in it. */
async function makeEmpty(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const { name } of [...Deno.readDirSync(folder)]) await remove(`${folder}/${name}`);
}

/** What is mounted cannot be replaced: the folder's content is moved into it. */
async function fill(from: string, to: string, mount: "volume" | "folder"): Promise<void> {
  const { isDirectory, mode } = await Deno.stat(from);
  if (!isDirectory) throw new Error(`${to} is a ${mount}, which a file cannot replace`);
  if (mount === "folder" && mode !== null) await giveMode(to, mode & 0o7777);
  for (const { name } of [...Deno.readDirSync(from)]) {
    await remove(`${to}/${name}`);
    await Deno.rename(`${from}/${name}`, `${to}/${name}`);
  }
  await remove(from);
}

/** A folder that the kubelet made before us is open to everybody, and stays so for an executor that is not root. */
async function giveMode(folder: string, mode: number): Promise<void> {
  try {
    await Deno.chmod(folder, mode);
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable)) throw error;
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

async function remove(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
