/**
 * Unpacks the layers of an image, one over the other, into one folder. Whatever a tar says, nothing is written outside
 * of that folder: every parent is looked up within it.
 */
import { chmodSync, lchownSync } from "node:fs";
import { Readable } from "node:stream";
import { extract, type Header } from "tar-stream";
import { scopedPath } from "./scoped_path.ts";

const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";

/** What must wait until the last layer is there. */
export interface Unpacking {
  readonly root: string;
  /** Whether owners are kept: root may, others own all themselves. */
  readonly keepOwners: boolean;
  /** Modes of folders, which might forbid what later layers write into them. */
  readonly folderModes: Map<string, number>;
}

/** Begins in a new folder. */
export async function beginUnpacking(root: string): Promise<Unpacking> {
  await Deno.mkdir(root, { recursive: true, mode: 0o755 });
  return { root, keepOwners: Deno.uid() === 0, folderModes: new Map() };
}

/** Unpacks one layer: an uncompressed tar. */
export async function unpackLayer(unpacking: Unpacking, tar: ReadableStream<Uint8Array>): Promise<void> {
  const fresh = new Set<string>();
  const entries = extract();
  const source = Readable.from(tar);
  source.on("error", (error) => entries.destroy(error));
  source.pipe(entries);
  for await (const entry of entries) {
    await unpackEntry(unpacking, entry.header, entry as AsyncIterable<Uint8Array>, fresh);
    entry.resume();
  }
}

/** Gives folders their modes, the deepest first; not those that a later entry took away, or put a link in the way of. */
export function finishUnpacking({ root, folderModes }: Unpacking): void {
  const deepestFirst = [...folderModes].toSorted(([a], [b]) => b.split("/").length - a.split("/").length);
  for (const [path, mode] of deepestFirst) {
    const isStillIt = scopedPath(root, path.slice(root.length), { followLast: false }) === path && isFolder(path);
    if (isStillIt) chmodSync(path, mode);
  }
}

/** `fresh` has what this layer brought, and the folders that hold it: its own opaque folders do not hide these. */
async function unpackEntry(
  unpacking: Unpacking,
  header: Header,
  content: AsyncIterable<Uint8Array>,
  fresh: Set<string>,
): Promise<void> {
  const { root } = unpacking;
  const path = scopedPath(root, header.name, { followLast: false });
  if (path === `${root}/`) return;
  const parent = path.slice(0, path.lastIndexOf("/"));
  const name = path.slice(parent.length + 1);
  if (name === OPAQUE) return await clear(parent, fresh);
  if (name.startsWith(WHITEOUT)) {
    const hidden = name.slice(WHITEOUT.length);
    if (!["", ".", ".."].includes(hidden)) await removeIfThere(`${parent}/${hidden}`);
    return;
  }
  await makeParents(root, parent);
  for (let at = path; at !== root; at = at.slice(0, at.lastIndexOf("/"))) fresh.add(at);
  switch (header.type) {
    case "directory":
      await makeFolder(unpacking, path, header);
      break;
    case "symlink":
      await removeIfThere(path);
      await Deno.symlink(header.linkname ?? "", path);
      break;
    case "link":
      await removeIfThere(path);
      await Deno.link(scopedPath(root, header.linkname ?? "", { followLast: false }), path);
      return;
    case "file":
    case "contiguous-file":
      await removeIfThere(path);
      await writeFile(path, content);
      break;
    default:
      // Devices and pipes: /dev is the container's own.
      return;
  }
  if (unpacking.keepOwners) lchownSync(path, header.uid ?? 0, header.gid ?? 0);
  // After the owner, whose change takes the set-uid bit away.
  if (header.type === "symlink" || header.type === "directory") return;
  chmodSync(path, (header.mode ?? 0o644) & 0o7777);
  if (header.mtime) await Deno.utime(path, header.mtime, header.mtime);
}

async function makeFolder({ folderModes }: Unpacking, path: string, { mode }: Header): Promise<void> {
  if (!isFolder(path)) {
    await removeIfThere(path);
    await Deno.mkdir(path, { mode: 0o755 });
  }
  folderModes.set(path, (mode ?? 0o755) & 0o7777);
}

/** Makes the folders that a tar leaves out; a file in their place gives way. */
async function makeParents(root: string, folder: string): Promise<void> {
  if (folder === root || isFolder(folder)) return;
  await makeParents(root, folder.slice(0, folder.lastIndexOf("/")));
  await removeIfThere(folder);
  await Deno.mkdir(folder, { mode: 0o755 });
}

async function writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  for await (const chunk of content) {
    for (let rest = chunk; rest.length > 0;) rest = rest.subarray(await file.write(rest));
  }
}

/** Takes what lower layers have in a folder. */
async function clear(folder: string, fresh: ReadonlySet<string>): Promise<void> {
  if (!isFolder(folder)) return;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (!fresh.has(path)) await removeIfThere(path);
    else if (isDirectory) await clear(path, fresh);
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) && !(error instanceof Deno.errors.NotADirectory)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return Deno.lstatSync(path).isDirectory;
  } catch {
    return false;
  }
}
