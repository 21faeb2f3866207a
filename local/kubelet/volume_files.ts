/** Writes the content of volumes that are made of API objects. */

import type { Content } from "./lookup.ts";
import { removeTree } from "./runtime/remove_tree.ts";
import { SetupError } from "./setup_error.ts";

/** One file of such a volume. */
export interface VolumeFile {
  /** Below the volume's folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** Which keys become which files. */
export interface KeySelection {
  readonly items?: readonly { readonly key: string; readonly path: string; readonly mode?: number | undefined }[];
  readonly defaultMode?: number | undefined;
  readonly optional?: boolean | undefined;
}

const DEFAULT_MODE = 0o644;

/** The files of a ConfigMap or Secret: all of it, or the named keys. Throws SetupError when one is missing. */
export function contentFiles(content: Content | undefined, selection: KeySelection, what: string): VolumeFile[] {
  const { items, defaultMode = DEFAULT_MODE, optional } = selection;
  if (!content) {
    if (optional) return [];
    throw new SetupError("ContainerCreating", `${what} not found`);
  }
  if (!items?.length) return [...content].map(([path, bytes]) => ({ path, bytes, mode: defaultMode }));
  return items.flatMap(({ key, path, mode }) => {
    const bytes = content.get(key);
    if (bytes) return [{ path, bytes, mode: mode ?? defaultMode }];
    if (optional) return [];
    throw new SetupError("ContainerCreating", `${what} references non-existent key: ${key}`);
  });
}

/** Writes files into a folder. Throws SetupError for a path that leads out of it. */
export async function writeVolumeFiles(folder: string, files: readonly VolumeFile[]): Promise<void> {
  for (const { path, bytes, mode } of files) {
    const parts = path.split("/");
    if (path.startsWith("/") || parts.includes("..")) {
      throw new SetupError("ContainerCreating", `Expected a path within the volume, got ${JSON.stringify(path)}`);
    }
    await Deno.mkdir([folder, ...parts.slice(0, -1)].join("/"), { recursive: true });
    const file = `${folder}/${path}`;
    // An earlier try may have left it, with a mode that forbids writing.
    await removeTree(file);
    await Deno.writeFile(file, bytes);
    await Deno.chmod(file, mode);
  }
}
