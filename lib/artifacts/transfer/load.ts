/** Loads an artifact from its store into a folder: unchanged, or unpacked as it arrives. */
import { type Folder, type Handle, openFile, resolveEntry, treeLimits, UnpackLimitError } from "@tiphys/base/confined";
import type { TransientChunks } from "@tiphys/base/net/chunks";
import type { Bytes } from "@tiphys/base/net/net";
import {
  type ContentInfo,
  type Driver,
  type Item,
  type Place,
  StoreError,
  type TreeDriver,
} from "@tiphys/model/artifact";
import { looksLikeTarGz, startsWithZstdMark, untar, unzip, ZSTD_MARK } from "../formats/mod.ts";
import { CheckedContent } from "./checked.ts";
import { checkNames, listItemsBelow } from "./folder_names.ts";
import { displayName, isTreeDriver, locationBelow, type Transfer, type TransferResult } from "./how.ts";
import type { CachedContent } from "./node_cache.ts";
import { retryTransient } from "./retry.ts";
import { forEachConcurrently } from "./for_each_concurrently.ts";
import { readOneVersion } from "./steady_read.ts";

/** The target of a download: a name in an open folder. It does not exist yet. */
export interface Target {
  readonly folder: Folder;
  readonly name: string;
  /**
   * Path of the folder to pass to child processes. Set only if no other user can replace a parent folder; the default
   * is the path of the open handle.
   */
  readonly path?: string;
}

/**
 * The form of the content: an archive of a kind, or content that is kept unchanged. `unknown` is unpacked if it looks
 * like a tar.gz, or is a tar that was compressed with zstd here.
 */
export type Packing = "none" | "tar" | "zip" | "unknown";

/** Smaller files are loaded again from scratch when a container is restarted. */
const MIN_RESUMED_BYTES = 16 << 20;

/**
 * Maximum number of bytes that are read to detect an archive, because the header of a gzip file can contain a long
 * name.
 */
const MAX_SNIFFED_BYTES = 65_536;

/** Length of the mark of a zstd archive in bytes. */
const MARK_BYTES = ZSTD_MARK.length;

/**
 * Loads a file or folder of a store to its target, completely or not at all: until then it is `NAME.tmp` next to it.
 * Files are created with mode 0666 and folders with 0777, subject to the umask, unless an archive specifies modes.
 * @throws {StoreError} `missing` when nothing exists there, and errors of its driver. Nothing is left then.
 */
export async function load(
  driver: Driver | TreeDriver,
  location: Place,
  { target, packing, transfer }: { readonly target: Target; readonly packing: Packing; readonly transfer: Transfer },
): Promise<TransferResult> {
  const { folder, name } = target;
  const left = [`${name}.tmp`, `${name}.tmpdir`, ...transfer.resumes ? [`${name}.part`] : []];
  const removeLeftovers = () => left.forEach((path) => folder.remove(path));
  let mayGoOn = transfer.resumes === true && !isTreeDriver(driver);
  let cache = transfer.cache;
  try {
    return await retryTransient(transfer, async () => {
      if (!mayGoOn) removeLeftovers(); // Left by an earlier attempt, or an earlier process.
      const begin = {
        target,
        packing,
        transfer: { ...transfer, cache },
        ...mayGoOn ? { forget: removeLeftovers } : {},
      };
      mayGoOn = false;
      cache = undefined; // After a failure with the cache, the next attempt does without.
      const moved = isTreeDriver(driver)
        ? await loadTree(driver, location, begin)
        : await loadContent(driver, location, begin);
      Deno.renameSync(folder.pathOf(`${name}.tmp`), folder.pathOf(name));
      if (transfer.resumes) folder.remove(`${name}.part`);
      return moved;
    });
  } catch (error) {
    removeLeftovers();
    throw withFreeSpace(error, folder);
  }
}

interface LoadOptions {
  readonly target: Target;
  readonly packing: Packing;
  readonly transfer: Transfer;
  /** Removes leftovers of an earlier process. */
  readonly forget?: () => void;
}

async function loadTree(
  driver: TreeDriver,
  location: Place,
  { target, packing, transfer }: LoadOptions,
): Promise<TransferResult> {
  const { folder, name, path = folder.path } = target;
  await driver.load(location, `${path}/${name}.tmp`, transfer.stop);
  using held = folder.openEntry(`${name}.tmp`);
  if (!held) throw new StoreError(`${displayName(location)} loaded nothing`, "final");
  const { isFile, isDirectory, size } = held.info();
  if (!isFile && !isDirectory) {
    throw new StoreError(`${displayName(location)} loaded neither a file nor a folder`, "final");
  }
  if (isFile && packing !== "none") await unpackFile(held, { target, packing, transfer });
  return { kind: isFile ? "file" : "folder", bytes: isFile ? size : 0, objects: 1 };
}

/** Unpacks a file that the store's driver loaded itself, which may be an archive like any other. */
async function unpackFile(handle: Handle, { target, packing, transfer }: LoadOptions): Promise<void> {
  const { folder, name } = target;
  Deno.renameSync(folder.pathOf(`${name}.tmp`), folder.pathOf(`${name}.tmpdir`));
  using file = openFile(handle, name);
  await writeReceived(readParts(file), { target, packing, transfer });
  folder.remove(`${name}.tmpdir`);
}

async function* readParts(file: Deno.FsFile): TransientChunks {
  const part = new Uint8Array(65_536);
  for (let read = await file.read(part); read !== null; read = await file.read(part)) yield part.subarray(0, read);
}

async function loadContent(driver: Driver, location: Place, loading: LoadOptions): Promise<TransferResult> {
  const { transfer, target: { folder, name }, packing, forget } = loading;
  const found = await driver.find(location, transfer.stop);
  using cached = found.kind === "file" ? await transfer.cache?.findCached(location, found, transfer.stop) : undefined;
  const isLarge = found.kind === "file" && (found.size ?? 0) >= MIN_RESUMED_BYTES;
  const half = !cached && transfer.resumes && isLarge && packing !== "tar"
    ? await import("./half_loaded.ts")
    : undefined;
  const mark = await half?.contentMark(location, found);
  using left = forget && mark && found.size !== undefined
    ? half?.openPartialFile(folder, name, mark, found.size)
    : undefined;
  if (!left) forget?.();
  if (found.kind === "folder") return await loadFolder(driver, location, loading);
  if (cached) return await loadFromCache(cached, { info: found, place: location }, loading);
  const there = left?.info().size ?? 0;
  checkFreeSpace(folder, found, there);
  if (mark && !left) half?.writeMark(folder, name, mark);
  if (left) {
    transfer.log(`resuming after ${there} of ${found.size} bytes, which an earlier process loaded`);
  }
  using filling = left ? undefined : await transfer.cache?.fill(location, found);
  const rest = readOneVersion(driver, location, found, transfer, there);
  const content = left && half
    ? half.appendToStored(left, { bytes: there, rest, stop: transfer.stop })
    : filling?.storeWhileReading(rest) ?? rest;
  const checked = await CheckedContent.open(content, found, displayName(location));
  await writeReceived(checked.content(), loading, left);
  const moved = fileResult(await checked.finish());
  await filling?.finish();
  return moved;
}

/** Loads a file from the cache. A damaged entry is removed, and the file is loaded from its store the next time. */
async function loadFromCache(
  cached: CachedContent,
  { info, place }: { readonly info: ContentInfo; readonly place: Place },
  loading: LoadOptions,
): Promise<TransferResult> {
  const { transfer, target: { folder } } = loading;
  checkFreeSpace(folder, info);
  transfer.log("it is in the cache of this node");
  // The store's digest is a better proof than the entry's checksum.
  const expected = info.sha256 === undefined ? { ...info, crc32: cached.crc32 } : info;
  const checked = await CheckedContent.open(cached.content, expected, `${displayName(place)} in the cache`);
  try {
    await writeReceived(checked.content(), loading);
    return fileResult(await checked.finish());
  } catch (error) {
    if (!transfer.stop.aborted && !isTargetError(error)) cached.removeEntry();
    throw error;
  }
}

/** Error codes of a full disk. */
const DISK_FULL_CODES = new Set<unknown>(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Whether a load failed because of the target's disk or limits, independent of the content. */
function isTargetError(error: unknown): boolean {
  return error instanceof UnpackLimitError || DISK_FULL_CODES.has((error as { code?: string }).code);
}

function fileResult({ bytes, sha256 }: { readonly bytes: number; readonly sha256?: string }): TransferResult {
  return { kind: "file", bytes, objects: 1, ...(sha256 === undefined ? {} : { sha256 }) };
}

/** Writes received content to `NAME.tmp`. `left` is the part that exists already. */
async function writeReceived(
  content: TransientChunks,
  { target, packing, transfer }: LoadOptions,
  handle?: Handle,
): Promise<void> {
  const { folder, name } = target;
  const { start, whole } = packing === "unknown" ? await readStart(content) : { start: undefined, whole: content };
  const kind = start ? isMarkedArchive(start) || await looksLikeTarGz(start) ? "tar" : "none" : packing;
  const warn = (line: string) => transfer.log(line);
  if (kind === "none") return void await writeFile(folder, `${name}.tmp`, whole, handle);
  if (kind === "zip") {
    await writeFile(folder, `${name}.tmp`, whole, handle);
    using held = folder.openEntry(`${name}.tmp`)!;
    using archive = openFile(held, name);
    // The file is replaced by a folder; its descriptor keeps it readable.
    folder.remove(`${name}.tmp`);
    using made = folder.createFolder(`${name}.tmp`);
    await unzip(archive, made, { limits: treeLimits(made, transfer.env), warn });
  } else {
    // The partial file turned out to be an archive.
    if (handle) folder.remove(`${name}.tmp`);
    using made = folder.createFolder(`${name}.tmp`);
    await untar(whole, made, { limits: treeLimits(made, transfer.env), warn });
  }
  replaceByOnlyEntry(target);
}

/** Makes the only entry of an unpacked archive the artifact itself. */
function replaceByOnlyEntry({ folder, name }: Target): void {
  using made = folder.openFolder(`${name}.tmp`)!;
  const [only, ...others] = made.names();
  if (only === undefined || others.length > 0) return;
  Deno.renameSync(folder.pathOf(`${name}.tmp`), folder.pathOf(`${name}.tmpdir`));
  Deno.renameSync(made.pathOf(only), folder.pathOf(`${name}.tmp`));
  folder.remove(`${name}.tmpdir`);
}

/** Returns the first bytes, and the whole content. The first bytes are copied, because the buffer is reused. */
async function readStart(content: TransientChunks): Promise<{ start: Uint8Array; whole: TransientChunks }> {
  const parts: Bytes[] = [];
  let length = 0;
  while (length < MAX_SNIFFED_BYTES) {
    const { value, done } = await content.next();
    if (done) break;
    parts.push(value.slice());
    length += value.length;
    if (!isGzipStart(parts) && !needsMoreForMark(parts, length)) break;
  }
  const start = new Uint8Array(Math.min(length, MAX_SNIFFED_BYTES));
  let offset = 0;
  for (const part of parts) {
    start.set(part.subarray(0, start.length - offset), offset);
    offset += Math.min(part.length, start.length - offset);
  }
  async function* replay(): TransientChunks {
    try {
      yield* parts;
      for (let next = await content.next(); !next.done; next = await content.next()) yield next.value;
    } finally {
      await content.return(undefined);
    }
  }
  return { start, whole: replay() };
}

function isGzipStart(parts: readonly Bytes[]): boolean {
  const first = parts.flatMap((part) => [...part.subarray(0, 2)]).slice(0, 2);
  return first[0] === 0x1f && (first.length < 2 || first[1] === 0x8b);
}

function isMarkedArchive(start: Uint8Array): boolean {
  return start.length >= MARK_BYTES && startsWithZstdMark(start);
}

/** Whether more content is needed to determine whether it is marked. */
function needsMoreForMark(parts: readonly Bytes[], length: number): boolean {
  return length < MARK_BYTES && startsWithZstdMark(Uint8Array.from(parts.flatMap((part) => [...part])));
}

async function loadFolder(driver: Driver, location: Place, { target, transfer }: LoadOptions): Promise<TransferResult> {
  const { folder, name } = target;
  if (!driver.can.list) {
    throw new StoreError(`folders of stores of the kind ${location.store} cannot be loaded`, "final");
  }
  const items: Item[] = [];
  for await (const item of listItemsBelow(driver, location, transfer)) items.push(item);
  checkNames(location, items);
  checkFreeSpace(folder, { size: items.reduce((sum, { size = 0 }) => sum + size, 0) });
  let bytes = 0;
  using made = folder.createFolder(`${name}.tmp`);
  await forEachConcurrently(items, transfer.objects, async (item) => {
    if (item.name.endsWith("/")) return makeFolders(made, item.name);
    const { name, size, etag } = item;
    const found: ContentInfo = {
      kind: "file",
      ...size === undefined ? {} : { size },
      ...etag === undefined ? {} : { etag },
    };
    let tries = 0;
    const loaded = await retryTransient(transfer, () => {
      const isAgain = tries++ > 0;
      return loadItem(driver, locationBelow(location, name), { made, name, info: found, isAgain, transfer });
    });
    // The sum is updated after the load, because other files are loaded concurrently.
    bytes += loaded;
  });
  return { kind: "folder", bytes, objects: items.length };
}

/** Loads one file of a folder. Resolves to its size. */
async function loadItem(
  driver: Driver,
  location: Place,
  { made, name, info, isAgain, transfer }: {
    readonly made: Folder;
    readonly name: string;
    readonly info: ContentInfo;
    readonly isAgain: boolean;
    readonly transfer: Transfer;
  },
): Promise<number> {
  using way = resolveEntry(made, name, { links: "refuse", make: 0o777 });
  if (isAgain) way.parent!.remove(way.name);
  return await writeFile(way.parent!, way.name, readOneVersion(driver, location, info, transfer));
}

function makeFolders(root: Folder, name: string): void {
  using way = resolveEntry(root, name, { links: "refuse", make: 0o777 });
  way.parent!.ensureFolder(way.name)[Symbol.dispose]();
}

/** Writes a new file, or continues the part in `left`. Resolves to its size. */
async function writeFile(
  folder: Folder,
  name: string,
  content: AsyncIterable<Bytes>,
  handle?: Handle,
): Promise<number> {
  using file = handle ? Deno.openSync(handle.path, { write: true }) : folder.createAndOpen(name);
  const there = handle ? file.seekSync(0, Deno.SeekMode.End) : 0;
  let size = 0;
  for await (const part of content) {
    const isThere = Math.min(part.length, Math.max(0, there - size));
    for (let done = isThere; done < part.length;) done += file.writeSync(part.subarray(done));
    size += part.length;
  }
  return size;
}

/** Rejects content that is larger than the free space of the disk before it is loaded. */
function checkFreeSpace(folder: Folder, { size }: Pick<ContentInfo, "size">, there = 0): void {
  const free = folder.freeBytes();
  if (size === undefined || free === undefined || size - there <= free) return;
  throw new UnpackLimitError(`it has ${size} bytes, and ${free} are free at ${displayPath(folder)}`);
}

/** Returns the error, with the free space if the disk was full. */
function withFreeSpace(error: unknown, folder: Folder): unknown {
  if ((error as { code?: string }).code !== "ENOSPC") return error;
  const { message } = error as Error;
  return new Error(`${message}: ${folder.freeBytes() ?? "no"} bytes are free at ${displayPath(folder)}`, {
    cause: error,
  });
}

/** Returns the path of a folder as seen by this process, for messages only. */
function displayPath(folder: Folder): string {
  try {
    return Deno.readLinkSync(folder.path);
  } catch {
    return folder.path;
  }
}
