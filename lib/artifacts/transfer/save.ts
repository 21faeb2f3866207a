/** Saves a file or folder to its place in a store: unchanged, or packed on the way. */
import { type EntryLocation, Folder, type Handle, openFile, resolveEntry } from "@tiphys/base/confined";
import { byteStream } from "@tiphys/base/net/byte_stream";
import { freeBuffer } from "@tiphys/base/net/chunks";
import type { Bytes, Source } from "@tiphys/base/net/net";
import {
  type ContentInfo,
  type Driver,
  type Place,
  StoreError,
  type TreeDriver,
  type WriteOptions,
} from "@tiphys/model/artifact";
import { tarGz, zip } from "../formats/mod.ts";
import { listItemsBelow } from "./folder_names.ts";
import { displayName, isTreeDriver, locationBelow, type Transfer, type TransferResult } from "./how.ts";
import { retryTransient } from "./retry.ts";
import { forEachConcurrently } from "./for_each_concurrently.ts";

/** The form in which content is sent: unchanged, or as an archive. */
export type SaveFormat =
  | { readonly kind: "none" }
  /** `name` is its name in the archive. `level` is the compression level from 0 to 9. */
  | { readonly kind: "tar"; readonly name: string; readonly level?: number; readonly with?: "zstd" }
  /** A tar.gz that is compressed with zstd instead while it is read. */
  | { readonly kind: "repacked"; readonly level?: number }
  | { readonly kind: "zip"; readonly name: string };

/** Number of bytes per read of a file. A smaller file is read synchronously. */
const READ_BYTES = 65_536;

/**
 * Saves an open file or folder to a place. A file is one object. A folder that is not packed is one object per file,
 * and an empty folder is an object whose key ends in a slash. A link in it is saved as the file that it refers to, if
 * that is in the same folder.
 * @throws {StoreError} for errors of the store.
 * @throws {Error} with the name of an entry that cannot be read or saved. Objects of a folder saved before remain.
 */
export async function save(
  driver: Driver | TreeDriver,
  location: Place,
  { held, packed, how: transfer }: { readonly held: Handle; readonly packed: SaveFormat; readonly how: Transfer },
): Promise<TransferResult> {
  if (isTreeDriver(driver)) return await saveTree(driver, location, { held, packed, how: transfer });
  if (!driver.can.save) throw cannotSaveError(location);
  const { isDirectory } = held.info();
  if (packed.kind === "none" && isDirectory) return await saveFolder(driver, location, held, transfer);
  if (packed.kind === "none") return await saveFile(driver, location, held, transfer);
  return await retryTransient(transfer, async () => {
    const { content, measures } = await measureContent(
      await archiveOf(held, packed, transfer),
      driver.can.digest !== true,
    );
    const written = await passStream(
      content,
      () => driver.write(location, content, transfer.stop, writeOptionsOf(driver, transfer)),
    );
    const { bytes, sha256 = written.sha256 } = measures();
    return fileResult(bytes, sha256, written);
  });
}

/** Checks for existing content only if it is likely. */
function writeOptionsOf({ can }: Driver, { mayExist = false }: Transfer): WriteOptions {
  return mayExist && can.skipsExisting ? { skipsExisting: true } : {};
}

function fileResult(bytes: number, sha256: string | undefined, { hasExisted }: ContentInfo): TransferResult {
  return {
    kind: "file",
    bytes,
    objects: 1,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(hasExisted ? { unsent: 1 } : {}),
  };
}

/** Returns Argo's message. */
function cannotSaveError({ store }: Place): StoreError {
  return new StoreError(`${store === "raw" ? "Raw" : store} output artifacts unsupported`, "final");
}

async function archiveOf(handle: Handle, packed: Exclude<SaveFormat, { kind: "none" }>, transfer: Transfer) {
  const warn = (line: string) => transfer.log(line);
  if (packed.kind === "zip") return await zip(handle, packed.name, { warn });
  const options = { warn, ...(packed.level === undefined ? {} : { level: packed.level }) };
  if (packed.kind === "tar" && packed.with === undefined) return await tarGz(handle, packed.name, options);
  const { tarZst, tarZstOf } = await import("../formats/tar_zst.ts");
  if (packed.kind === "tar") return await tarZst(handle, packed.name, options);
  const { size } = handle.info();
  return await tarZstOf(sourceOf(handle, size, "the repacked archive").open(0, size), packed.level);
}

/** Returns content that is counted and, if needed, summed on its way. */
async function measureContent(archive: ReadableStream<Bytes>, wantsDigest: boolean) {
  const hash = wantsDigest ? (await import("node:crypto")).createHash("sha256") : undefined;
  let bytes = 0;
  const content = archive.pipeThrough(
    new TransformStream<Bytes, Bytes>({
      transform(part, stream) {
        bytes += part.length;
        hash?.update(part);
        stream.enqueue(part);
      },
    }),
  );
  return { content, measures: () => ({ bytes, sha256: hash?.digest("hex") }) };
}

/** Passes a stream to `take`. If that fails before reading, the stream is cancelled, which closes its files. */
async function passStream<T>(content: ReadableStream<Bytes>, take: () => Promise<T>): Promise<T> {
  try {
    return await take();
  } catch (error) {
    if (!content.locked) await content.cancel(error).catch(() => {});
    throw error;
  }
}

async function saveFile(
  driver: Driver,
  location: Place,
  handle: Handle,
  transfer: Transfer,
  { wantsDigest = driver.can.digest !== true, writing = () => writeOptionsOf(driver, transfer) }: {
    readonly wantsDigest?: boolean;
    readonly writing?: (size: number) => WriteOptions;
  } = {},
): Promise<TransferResult> {
  using file = openFile(handle, displayName(location));
  const { size } = file.statSync();
  const source = sourceOf(handle, size, location.key, file);
  const digested = wantsDigest ? await (await import("./digested.ts")).withDigest(source) : undefined;
  const content = digested?.source ?? source;
  const written = await retryTransient(transfer, () => driver.write(location, content, transfer.stop, writing(size)));
  source.forget();
  transfer.onObject?.(size);
  return fileResult(size, written.sha256 ?? digested?.sha256(), written);
}

/**
 * Returns the content of an open file. A small file is read through `file`, which is open for that, and cached until
 * `forget` is called.
 */
export function sourceOf(
  handle: Handle,
  size: number,
  subject: string,
  file?: Deno.FsFile,
): Source & { forget(): void } {
  let all: Bytes | undefined;
  return {
    size,
    // Waiting for another thread takes longer than a small read.
    ...file && size <= READ_BYTES ? { whole: () => all ??= readWholeFile(file, size, subject) } : {},
    forget: () => all && freeBuffer(all.buffer),
    open(from, to) {
      const file = Deno.openSync(handle.path);
      let offset = from;
      const read = async (into?: Bytes): Promise<Bytes | undefined> => {
        if (offset >= to) return undefined;
        const part = into?.subarray(0, to - offset) ?? new Uint8Array(Math.min(READ_BYTES, to - offset));
        const count = await file.read(part);
        if (count === null) throw shorterFileError(subject);
        offset += count;
        return part.subarray(0, count);
      };
      let isOpen = true;
      const close = () => {
        if (isOpen) file.close();
        isOpen = false;
      };
      const next = async (into?: Bytes) => {
        try {
          const part = await read(into);
          if (!part) close();
          return part;
        } catch (error) {
          close();
          throw error;
        }
      };
      try {
        file.seekSync(from, Deno.SeekMode.Start);
        // A reader with its own buffer gets it filled repeatedly, so that no memory must be collected.
        return byteStream(next, close);
      } catch (error) {
        close();
        throw error;
      }
    },
  };
}

function readWholeFile(file: Deno.FsFile, size: number, subject: string): Bytes {
  file.seekSync(0, Deno.SeekMode.Start);
  const all = new Uint8Array(size);
  for (let offset = 0; offset < size;) {
    const read = file.readSync(all.subarray(offset));
    if (read === null) throw shorterFileError(subject);
    offset += read;
  }
  return all;
}

function shorterFileError(subject: string): Error {
  return new Error(`${subject} became shorter while it was read`);
}

/** A file below the saved folder. `real` is the path of its content. */
interface Leaf {
  readonly name: string;
  readonly real: string;
  readonly isFolder: boolean;
}

async function saveFolder(
  driver: Driver,
  location: Place,
  handle: Handle,
  transfer: Transfer,
): Promise<TransferResult> {
  if (!driver.can.folders) {
    throw new StoreError(
      `${location.store} artifacts cannot be a directory with archive none; use archive tar`,
      "final",
    );
  }
  using root = Folder.open(handle.path);
  let bytes = 0;
  let objects = 0;
  let unsent = 0;
  const names = new Set<string>();
  const before = writeOptionsOf(driver, transfer).skipsExisting
    ? await listSizes(driver, location, transfer)
    : undefined;
  await forEachConcurrently(listLeaves(root), transfer.objects, async (leaf) => {
    const place = locationBelow(location, leaf.name);
    names.add(leaf.name);
    objects++;
    if (leaf.isFolder) {
      await retryTransient(
        transfer,
        () => driver.write(place, { size: 0, open: () => ReadableStream.from<Bytes>([]) }, transfer.stop),
      );
      transfer.onObject?.(0);
      return;
    }
    using way = resolveEntry(root, leaf.real, { links: "refuse", last: true });
    using file = way.hold();
    if (!file) throw deletedFileError(way);
    // The sum is updated after the save, because other files are saved concurrently.
    const writing = (size: number) => before?.get(leaf.name) === size ? { skipsExisting: true } : {};
    const saved = await saveFile(driver, place, file, transfer, { wantsDigest: false, writing });
    bytes += saved.bytes;
    unsent += saved.unsent ?? 0;
  });
  await logOtherObjects(driver, location, names, transfer);
  return { kind: "folder", bytes, objects, ...(unsent > 0 ? { unsent } : {}) };
}

/** Maximum number of objects of a folder whose sizes are kept while it is saved. */
const MAX_KEPT_SIZES = 100_000;

/**
 * Returns the sizes of objects below a place. Existing content is checked only for objects with the size of the file.
 */
async function listSizes(driver: Driver, location: Place, transfer: Transfer): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  if (!driver.can.list) return sizes;
  try {
    for await (const { name, size } of listItemsBelow(driver, location, transfer)) {
      if (size !== undefined) sizes.set(name, size);
      if (sizes.size >= MAX_KEPT_SIZES) break;
    }
  } catch {
    transfer.stop.throwIfAborted(); // A writer need not have the permission to list. Everything is sent then.
  }
  return sizes;
}

/** Returns the error for a deleted file. */
function deletedFileError({ parts }: EntryLocation): Error {
  return new Error(`${parts.join("/")} was removed while the folder was saved`);
}

/**
 * Logs the number of objects that existed in the folder before: they are kept, and readers of the folder will see them.
 */
async function logOtherObjects(
  driver: Driver,
  location: Place,
  saved: ReadonlySet<string>,
  transfer: Transfer,
): Promise<void> {
  if (!driver.can.list) return;
  let others = 0;
  try {
    for await (const { name } of listItemsBelow(driver, location, transfer)) if (!saved.has(name)) others++;
  } catch {
    return; // A writer need not have the permission to list.
  }
  if (others > 0) transfer.log(`${others} other objects that already existed below ${displayName(location)} are kept`);
}

/** Yields all files of a folder, and its empty folders with a trailing slash. */
function* listLeaves(root: Folder, folder = root, above = ""): Generator<Leaf> {
  const names = folder.names();
  if (names.length === 0 && above !== "") yield { name: above, real: above, isFolder: true };
  for (const child of names) {
    const name = `${above}${child}`;
    const info = folder.stat(child);
    if (!info) throw new Error(`${JSON.stringify(name)} was removed, or its name is not UTF-8`);
    if (info.isFile) yield { name, real: name, isFolder: false };
    else if (info.isDirectory) {
      using inner = folder.openFolder(child);
      if (!inner) throw new Error(`${name} was removed while the folder was saved`);
      yield* listLeaves(root, inner, `${name}/`);
    } else if (info.isSymlink) yield { name, real: resolveLinkTarget(root, name), isFolder: false };
    else throw new Error(`${name} is a pipe, socket or device, which cannot be saved`);
  }
}

/** Returns the path below the folder of the file that a link refers to, directly or through other links. */
function resolveLinkTarget(root: Folder, name: string): string {
  const refused = (reason: string) =>
    new Error(`${name} is a link ${reason}: pack the folder as tar, which keeps links`);
  let freeName = name;
  for (let followed = 0; followed <= 40; followed++) {
    using way = walkTo(root, freeName, refused);
    const target = way.parent?.readLink(way.name);
    if (target === undefined) {
      const info = way.parent?.stat(way.name);
      if (!info) throw refused("with a missing target");
      if (!info.isFile) throw refused("to something else than a file");
      return freeName;
    }
    const next = resolveTarget(way.parts.slice(0, -1), target);
    if (next === undefined) throw refused("that leads out of the folder");
    freeName = next;
  }
  throw refused("that refers to itself");
}

function walkTo(root: Folder, path: string, refused: (reason: string) => Error): EntryLocation {
  try {
    return resolveEntry(root, path, { links: "refuse" });
  } catch (error) {
    throw Object.assign(refused("through another link"), { cause: error });
  }
}

function resolveTarget(folder: readonly string[], target: string): string | undefined {
  if (target.startsWith("/")) return undefined;
  const parts = [...folder];
  for (const part of target.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.length > 0 ? parts.join("/") : undefined;
}

async function saveTree(
  driver: TreeDriver,
  location: Place,
  { held, packed, how: transfer }: { held: Handle; packed: SaveFormat; how: Transfer },
): Promise<TransferResult> {
  if (!driver.save) throw cannotSaveError(location);
  const folder = await Deno.makeTempDir({ prefix: "argo-artifact-" });
  try {
    // In a new folder, because another process must find it by its path.
    const path = `${folder}/${packed.kind === "none" ? "content" : "archive"}`;
    const moved = await copyToTemporary(held, path, { packed, place: location, how: transfer });
    await retryTransient(transfer, () => driver.save!(path, location, transfer.stop));
    return moved;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Copies a file or folder to a temporary path, in the form in which it is sent. */
async function copyToTemporary(
  handle: Handle,
  path: string,
  { packed, place, how: transfer }: { packed: SaveFormat; place: Place; how: Transfer },
): Promise<TransferResult> {
  if (packed.kind !== "none") {
    const { content, measures } = await measureContent(await archiveOf(handle, packed, transfer), true);
    await Deno.writeFile(path, content);
    const { bytes, sha256 } = measures();
    return { kind: "file", bytes, objects: 1, ...(sha256 === undefined ? {} : { sha256 }) };
  }
  const { isFile, size } = handle.info();
  if (isFile) {
    await Deno.writeFile(path, sourceOf(handle, size, place.key).open(0, size));
    return { kind: "file", bytes: size, objects: 1 };
  }
  using root = Folder.open(handle.path);
  await Deno.mkdir(path);
  let bytes = 0;
  let objects = 0;
  for (const leaf of listLeaves(root)) {
    bytes += await copyLeaf(root, leaf, path);
    objects++;
  }
  return { kind: "folder", bytes, objects };
}

/** Copies a file, or creates an empty folder. Resolves to its size. */
async function copyLeaf(root: Folder, leaf: Leaf, path: string): Promise<number> {
  const to = `${path}/${leaf.name}`;
  await Deno.mkdir(leaf.isFolder ? to : to.slice(0, to.lastIndexOf("/")), { recursive: true });
  if (leaf.isFolder) return 0;
  using way = resolveEntry(root, leaf.real, { links: "refuse", last: true });
  using file = way.hold();
  if (!file) throw deletedFileError(way);
  const { size } = file.info();
  await Deno.writeFile(to, sourceOf(file, size, leaf.name).open(0, size));
  return size;
}
