/**
 * Unpacks the layers of an image on top of each other into one folder. A tar cannot create, change or remove anything outside of
 * that folder: links are resolved as if the folder were `/`.
 */
import { lchownSync } from "node:fs";
import type { Header } from "tar-stream";
import { type EntryLocation, Folder, Tree, treeLimits } from "@tiphys/base/confined";
import { type ContainerIds, containerIds, ORDINARY_IDS } from "./container_ids.ts";
import { tarEntries } from "./tar_entries.ts";

const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";

/** The state of unpacking an image. */
export interface Unpacking {
  /** The mapped owners of files; undefined if the current user owns all files. */
  readonly ids: ContainerIds | undefined;
  /** Folders whose owner is set. Folders without an entry in the tar are created implicitly. */
  readonly settled: Set<string>;
  /** The tree of the folder, which must be disposed at the end. */
  readonly tree: Tree;
}

/** Starts unpacking to a new folder, which may use up to nine tenths of the free space. */
export async function beginUnpacking(root: string, ids = containerIds()): Promise<Unpacking> {
  await Deno.mkdir(root, { recursive: true, mode: 0o755 });
  using folder = Folder.open(root);
  if (ids) Deno.chownSync(folder.path, ...ownerOf(ids, {}));
  const tree = new Tree(folder, { limits: treeLimits(folder), kind: "image" });
  return { ids, settled: new Set(), tree };
}

/**
 * Returns the mapped owner of an entry, which is not a user of this machine. So set-uid programs have no rights outside.
 */
function ownerOf({ first }: ContainerIds, { uid = 0, gid = 0 }: Partial<Header>): [number, number] {
  // An entry whose owner is not mapped one to one belongs to `nobody`, the last but one ordinary ID.
  return [first + Math.min(uid, ORDINARY_IDS - 2), first + Math.min(gid, ORDINARY_IDS - 2)];
}

/** Sets root as the owner of the folders above an entry, unless their owner is set. */
function settleAbove({ ids, settled, tree }: Unpacking, parts: readonly string[]): void {
  if (!ids) return;
  for (let depth = parts.length - 1; depth > 0; depth--) {
    const path = parts.slice(0, depth).join("/");
    // The folders above it were checked together with it.
    if (settled.has(path)) return;
    settled.add(path);
    const at = `${tree.root.path}/${path}`;
    if ((Deno.lstatSync(at).uid ?? 0) < ids.first) lchownSync(at, ...ownerOf(ids, {}));
  }
}

/** Unpacks one layer: an uncompressed tar. */
export async function unpackLayer(unpacking: Unpacking, tar: ReadableStream<Uint8Array>): Promise<void> {
  const fresh = new Set<string>();
  for await (const { header, content } of tarEntries(tar)) await unpackEntry(unpacking, header, content, fresh);
}

/** Sets the final modes of folders. */
export function finishUnpacking({ tree }: Unpacking): void {
  tree.finish();
}

/** @param fresh the entries of this layer and their parent folders, which opaque folders of the same layer do not hide. */
async function unpackEntry(
  unpacking: Unpacking,
  header: Header,
  content: AsyncIterable<Uint8Array>,
  fresh: Set<string>,
): Promise<void> {
  const { tree, ids, settled } = unpacking;
  using place = tree.place(header.name);
  if (!place) return;
  const { parent, name, parts } = place;
  settleAbove(unpacking, parts);
  // A removed folder and the folders below it may be created again.
  if (name.startsWith(WHITEOUT) || settled.has(parts.join("/")) && header.type !== "directory") settled.clear();
  if (name === OPAQUE) return clear(tree, place, fresh);
  if (name.startsWith(WHITEOUT)) {
    const hidden = name.slice(WHITEOUT.length);
    if (!["", ".", ".."].includes(hidden)) {
      tree.remove({ ...place, name: hidden, parts: [...parts.slice(0, -1), hidden] });
    }
    return;
  }
  for (let depth = parts.length; depth > 0; depth--) fresh.add(parts.slice(0, depth).join("/"));
  const { mode } = header;
  switch (header.type) {
    case "directory": {
      tree.folder(place, mode ?? 0o755);
      if (ids) lchownSync(parent!.at(name), ...ownerOf(ids, header));
      return;
    }
    case "symlink":
      tree.link(place, header.linkname ?? "");
      if (ids) lchownSync(parent!.at(name), ...ownerOf(ids, header));
      return;
    case "link":
      return tree.hardLink(place, header.linkname ?? "");
    case "file":
    case "contiguous-file":
      return await tree.file(place, {
        mode: mode ?? 0o644,
        ...(header.mtime ? { mtime: Math.floor(header.mtime.getTime() / 1000) } : {}),
        content,
        // The owner is set before the mode, because changing the owner clears the set-uid bit.
        settle: ({ path }) => ids && Deno.chownSync(path, ...ownerOf(ids, header)),
      });
      // Devices and pipes are ignored: containers have their own /dev.
  }
}

/** Removes the entries of lower layers from a folder. */
function clear(tree: Tree, opaque: EntryLocation, fresh: ReadonlySet<string>): void {
  const below = opaque.parts.slice(0, -1);
  clearFolder(tree, opaque.parent!, below, fresh);
}

function clearFolder(tree: Tree, folder: Folder, path: readonly string[], fresh: ReadonlySet<string>): void {
  for (const name of folder.names()) {
    const parts = [...path, name];
    if (!fresh.has(parts.join("/"))) {
      tree.remove({ parent: folder, name, parts, byLink: false, hold: () => undefined, [Symbol.dispose]() {} });
    } else if (folder.look(name)?.isDirectory) {
      using inner = folder.folder(name);
      if (inner) clearFolder(tree, inner, parts, fresh);
    }
  }
}
