/** Writes the content of volumes that contain API objects. */

import { giveToRoot, type RootId } from "./belonging.ts";
import type { Content } from "./lookup.ts";
import { removeTree } from "../../image/remove_tree.ts";
import { SetupError } from "../setup_error.ts";

/** A file of such a volume. */
export interface VolumeFile {
  /** The path within the volume. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** The keys to write as files, with their paths and modes. */
export interface KeySelection {
  readonly items?: readonly { readonly key: string; readonly path: string; readonly mode?: number | undefined }[];
  readonly defaultMode?: number | undefined;
  readonly optional?: boolean | undefined;
}

const DEFAULT_MODE = 0o644;

/**
 * Returns the files of a ConfigMap or Secret: all keys, or the named ones.
 * @throws {SetupError} if something is missing.
 */
export function contentFiles(content: Content | undefined, selection: KeySelection, subject: string): VolumeFile[] {
  const { items, defaultMode = DEFAULT_MODE, optional } = selection;
  if (!content) {
    if (optional) return [];
    throw new SetupError("ContainerCreating", `${subject} not found`);
  }
  if (!items?.length) return [...content].map(([path, bytes]) => ({ path, bytes, mode: defaultMode }));
  return items.flatMap(({ key, path, mode }) => {
    const bytes = content.get(key);
    if (bytes) return [{ path, bytes, mode: mode ?? defaultMode }];
    if (optional) return [];
    throw new SetupError("ContainerCreating", `${subject} references non-existent key: ${key}`);
  });
}

/**
 * Writes files into a folder that nobody else writes to.
 * @throws {SetupError} if a path leads outside, or is not a valid path of a file.
 */
export async function writeVolumeFiles(
  folder: string,
  files: readonly VolumeFile[],
  rootId?: RootId,
): Promise<void> {
  for (const { path, bytes, mode } of files) {
    const parts = path.split("/");
    if (path.includes("\0") || parts.some((part) => ["", ".", ".."].includes(part))) {
      throw new SetupError("ContainerCreating", `Expected a path within the volume, got ${JSON.stringify(path)}`);
    }
    if (!Number.isInteger(mode) || mode < 0 || mode > 0o777) {
      throw new SetupError("ContainerCreating", `Expected the mode of ${JSON.stringify(path)} to be 0 to 0777 (octal)`);
    }
    for (const [index] of parts.slice(0, -1).entries()) {
      makeFolder([folder, ...parts.slice(0, index + 1)].join("/"), rootId);
    }
    const file = `${folder}/${path}`;
    // A file of an earlier attempt may exist, with a mode that forbids writing.
    await removeTree(file);
    await Deno.writeFile(file, bytes, { createNew: true });
    giveToRoot(file, rootId);
    await Deno.chmod(file, mode);
  }
}

function makeFolder(path: string, rootId: RootId): void {
  try {
    Deno.mkdirSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    if (!Deno.lstatSync(path).isDirectory) {
      throw new SetupError(
        "ContainerCreating",
        `Two files of the volume have conflicting paths: ${JSON.stringify(path)}`,
      );
    }
    return;
  }
  Deno.chmodSync(path, 0o755);
  giveToRoot(path, rootId);
}
