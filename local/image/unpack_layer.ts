/**
 * Unpacks the layers of an image on top of each other into one folder. A tar cannot create, change or remove anything
 * outside of that folder: links are resolved as if the folder were `/`.
 */
import { lchownSync } from "node:fs";
import type { Header } from "tar-stream";
import { type EntryLocation, Folder, Tree, treeLimits, UnpackCounter } from "@tiphys/base/confined";
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
  /** Counts the unpacked bytes of all layers, including headers and padding. */
  readonly counter: UnpackCounter;
}

/** Starts unpacking to a new folder, which may use up to nine tenths of the free space. */
export async function beginUnpacking(root: string, ids = containerIds()): Promise<Unpacking> {
  await Deno.mkdir(root, { recursive: true, mode: 0o755 });
  using folder = Folder.open(root);
  if (ids) Deno.chownSync(folder.path, ...ownerOf(ids, {}));
  const limits = treeLimits(folder, (name) => Deno.env.get(name));
  return {
    ids,
    settled: new Set(),
    tree: new Tree(folder, { limits, kind: "image" }),
    counter: new UnpackCounter(limits),
  };
}

/**
 * Returns the mapped owner of an entry, which is not a user of this machine. So set-uid programs have no rights
 * outside.
 */
function ownerOf({ first }: ContainerIds, { uid = 0, gid = 0 }: Partial<Header>): [number, number] {
  return [first + ordinaryId(uid), first + ordinaryId(gid)];
}

/** Returns an ID that is mapped one to one: for another number, also a negative one or NaN, that of `nobody`. */
function ordinaryId(id: number): number {
  const nobody = ORDINARY_IDS - 2;
  return id >= 0 && id < nobody ? id : nobody;
}

/** Sets root as the owner of the folders above an entry, unless their owner is set. */
function setParentOwners({ ids, settled, tree }: Unpacking, parts: readonly string[]): void {
  if (!ids) return;
  for (let depth = parts.length - 1; depth > 0; depth--) {
    const path = parts.slice(0, depth).join("/");
    // The folders above it were checked together with it.
    if (settled.has(path)) return;
    settled.add(path);
    const target = `${tree.root.path}/${path}`;
    if ((Deno.lstatSync(target).uid ?? 0) < ids.first) lchownSync(target, ...ownerOf(ids, {}));
  }
}

/**
 * Unpacks one layer: an uncompressed tar. `packed` returns the number of compressed bytes of all layers read so far.
 * @throws {UnpackLimitError} also for bytes that are not stored, such as zeros behind the end.
 */
export async function unpackLayer(
  unpacking: Unpacking,
  tar: ReadableStream<Uint8Array>,
  packed?: () => number,
): Promise<void> {
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      unpacking.counter.countBytes(chunk.length, packed?.());
      controller.enqueue(chunk);
    },
  });
  const layer: Layer = { fresh: new Set(), cleared: new Set(), rests: new WorkBreaks() };
  for await (const { header, content } of tarEntries(tar.pipeThrough(counted))) {
    await layer.rests.take();
    await unpackEntry(unpacking, header, content, layer);
  }
}

/** Time of work on files after which other work of this process has its turn, in milliseconds. */
const WORK_MILLIS = 10;

/** Interrupts the synchronous work on the files of a layer, because the embedded API runs in the same thread. */
class WorkBreaks {
  #since = performance.now();

  async take(): Promise<void> {
    if (performance.now() - this.#since < WORK_MILLIS) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    this.#since = performance.now();
  }
}

/** The paths of one layer, and the interruptions of its work. */
interface Layer {
  /** Its entries and their parent folders, which opaque folders of the same layer do not hide. */
  readonly fresh: Set<string>;
  /** Its opaque folders: nothing of lower layers is left in them, so another mark has no effect. */
  readonly cleared: Set<string>;
  readonly rests: WorkBreaks;
}

/** Sets the final modes of folders. */
export function finishUnpacking({ tree }: Unpacking): void {
  tree.finish();
}

async function unpackEntry(
  unpacking: Unpacking,
  header: Header,
  content: AsyncIterable<Uint8Array>,
  layer: Layer,
): Promise<void> {
  const { tree, ids, settled } = unpacking;
  using place = tree.locate(header.name);
  if (!place) return;
  const { parent, name, parts } = place;
  setParentOwners(unpacking, parts);
  // A removed folder and the folders below it may be created again.
  if (name.startsWith(WHITEOUT) || settled.has(parts.join("/")) && header.type !== "directory") settled.clear();
  if (name === OPAQUE) return await clearOpaqueFolder(tree, place, layer);
  if (name.startsWith(WHITEOUT)) {
    const hidden = name.slice(WHITEOUT.length);
    if (!["", ".", ".."].includes(hidden)) {
      tree.remove({ ...place, name: hidden, parts: [...parts.slice(0, -1), hidden] });
    }
    return;
  }
  for (let depth = parts.length; depth > 0; depth--) layer.fresh.add(parts.slice(0, depth).join("/"));
  const { mode } = header;
  switch (header.type) {
    case "directory": {
      tree.folder(place, mode ?? 0o755);
      if (ids) lchownSync(parent!.pathOf(name), ...ownerOf(ids, header));
      return;
    }
    case "symlink":
      tree.link(place, header.linkname ?? "");
      if (ids) lchownSync(parent!.pathOf(name), ...ownerOf(ids, header));
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
async function clearOpaqueFolder(tree: Tree, opaque: EntryLocation, layer: Layer): Promise<void> {
  const below = opaque.parts.slice(0, -1);
  for (let depth = 0; depth <= below.length; depth++) {
    if (layer.cleared.has(below.slice(0, depth).join("/"))) return;
  }
  await clearFolder(tree, opaque.parent!, below, layer);
  layer.cleared.add(below.join("/"));
}

async function clearFolder(tree: Tree, folder: Folder, path: readonly string[], layer: Layer): Promise<void> {
  for (const name of folder.names()) {
    await layer.rests.take();
    const parts = [...path, name];
    const joined = parts.join("/");
    if (!layer.fresh.has(joined)) {
      tree.remove({ parent: folder, name, parts, isThroughLink: false, hold: () => undefined, [Symbol.dispose]() {} });
    } else if (!layer.cleared.has(joined) && folder.stat(name)?.isDirectory) {
      using inner = folder.openFolder(name);
      if (inner) await clearFolder(tree, inner, parts, layer);
    }
  }
}
