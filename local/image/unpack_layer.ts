/**
 * Unpacks the layers of an image, one over the other, into one folder. Whatever a tar says, nothing is made, changed or
 * removed outside of that folder: its links are read as if the folder were `/`.
 */
import { lchownSync } from "node:fs";
import type { Header } from "tar-stream";
import { Folder, type Found, Tree, treeLimits } from "@tiphys/base/confined";
import { type ContainerIds, containerIds, ORDINARY_IDS } from "./container_ids.ts";
import { tarEntries } from "./tar_entries.ts";

const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";

/** The state that is kept from the first layer of an image to the last. */
export interface Unpacking {
  /** The owner of all that belongs to the ids of the image; undefined where all is our own. */
  readonly ids: ContainerIds | undefined;
  /** Folders that are known to have their owner: those that a tar leaves out are made on the way. */
  readonly settled: Set<string>;
  /** The folder as a tree, to be disposed of at the end. */
  readonly tree: Tree;
}

/** Begins in a new folder, which may be filled to nine tenths of what is free there. */
export async function beginUnpacking(root: string, ids = containerIds()): Promise<Unpacking> {
  await Deno.mkdir(root, { recursive: true, mode: 0o755 });
  using folder = Folder.open(root);
  if (ids) Deno.chownSync(folder.path, ...ownerOf(ids, {}));
  const tree = new Tree(folder, { limits: treeLimits(folder), kind: "image" });
  return { ids, settled: new Set(), tree };
}

/**
 * The owner of an entry here, an id for containers only: a program that runs as its owner is no user of this machine.
 */
function ownerOf({ first }: ContainerIds, { uid = 0, gid = 0 }: Partial<Header>): [number, number] {
  // An entry whose owner has no id of its own belongs to the last ordinary one but one: `nobody`.
  return [first + Math.min(uid, ORDINARY_IDS - 2), first + Math.min(gid, ORDINARY_IDS - 2)];
}

/** Gives the folders above an entry to root, unless they have their owner. */
function settleAbove({ ids, settled, tree }: Unpacking, parts: readonly string[]): void {
  if (!ids) return;
  for (let depth = parts.length - 1; depth > 0; depth--) {
    const path = parts.slice(0, depth).join("/");
    // The folders above it have been looked at with it.
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

/** Gives folders their last modes. */
export function finishUnpacking({ tree }: Unpacking): void {
  tree.finish();
}

/** `fresh` has what this layer brought, and the folders that hold it: its own opaque folders do not hide these. */
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
  // A folder that is taken away may be made anew, also those that lay below it.
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
        // The owner comes before the mode: a change of the owner takes the set-uid bit away.
        settle: ({ path }) => ids && Deno.chownSync(path, ...ownerOf(ids, header)),
      });
      // Devices and pipes: /dev is the container's own.
  }
}

/** Removes from a folder what lower layers have in it. */
function clear(tree: Tree, opaque: Found, fresh: ReadonlySet<string>): void {
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
