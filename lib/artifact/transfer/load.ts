/** Bringing an artifact from its store into a folder: as it is, or unpacked while it comes. */
import { type Folder, type Held, openFile, treeLimits, UnpackedTooMuchError, walk } from "../../confined/mod.ts";
import type { Passing } from "../../net/chunks.ts";
import type { Bytes } from "../../net/net.ts";
import { type Driver, type Found, type Item, type Place, StoreError, type TreeDriver } from "../driver.ts";
import { beginsLikeTarGz, beginsMarked, untar, unzip, ZSTD_MARK } from "../formats/mod.ts";
import { Checked } from "./checked.ts";
import { checkNames, itemsBelow } from "./folder_names.ts";
import { below, type Moved, movesTrees, nameOfPlace, type Transfer } from "./how.ts";
import type { Cached } from "./node_cache.ts";
import { retrying } from "./retry.ts";
import { sideBySide } from "./side_by_side.ts";
import { steadyRead } from "./steady_read.ts";

/** The target of a download: a name in a folder that is held. Nothing lies there yet. */
export interface Target {
  readonly folder: Folder;
  readonly name: string;
  /** The folder's path for other processes, where nobody else can change the way to it. */
  readonly path?: string;
}

/**
 * The form in which content comes: an archive of a kind, or content that is kept as it is; `unknown` is unpacked if it
 * looks like a tar.gz, or is a tar that was packed with zstd here.
 */
export type Packing = "none" | "tar" | "zip" | "unknown";

/** Files of fewer bytes are loaded anew by a container that is started again. */
const LEAST_TO_GO_ON = 16 << 20;

/** The most bytes that are read to tell an archive's kind: the header of a gzip file can hold a long name. */
const MOST_SNIFFED_BYTES = 65_536;

/** The bytes of the mark of an archive of zstd. */
const MARK_BYTES = ZSTD_MARK.length;

/**
 * Brings a file or a folder of a store to its target, whole or not at all: until then it is `NAME.tmp` beside it.
 * Files are made with the mode 0666 and folders with 0777, as the umask allows, unless an archive says otherwise.
 * @throws {StoreError} `missing` when there is nothing, and all that its driver says; nothing is left then.
 */
export async function load(
  driver: Driver | TreeDriver,
  place: Place,
  { target, packing, how }: { readonly target: Target; readonly packing: Packing; readonly how: Transfer },
): Promise<Moved> {
  const { folder, name } = target;
  const left = [`${name}.tmp`, `${name}.tmpdir`, ...how.goesOn ? [`${name}.part`] : []];
  const forget = () => left.forEach((one) => folder.remove(one));
  let mayGoOn = how.goesOn === true && !movesTrees(driver);
  let cache = how.cache;
  try {
    return await retrying(how, async () => {
      if (!mayGoOn) forget(); // An earlier try, or an earlier life of this process.
      const begin = { target, packing, how: { ...how, cache }, ...mayGoOn ? { forget } : {} };
      mayGoOn = false;
      cache = undefined; // What failed with it is tried without.
      const moved = movesTrees(driver) ? await loadTree(driver, place, begin) : await loadFound(driver, place, begin);
      Deno.renameSync(folder.at(`${name}.tmp`), folder.at(name));
      if (how.goesOn) folder.remove(`${name}.part`);
      return moved;
    });
  } catch (error) {
    forget();
    throw sayDiskFull(error, folder);
  }
}

interface Loading {
  readonly target: Target;
  readonly packing: Packing;
  readonly how: Transfer;
  /** Takes away what an earlier life of this process has left, which lies there still. */
  readonly forget?: () => void;
}

async function loadTree(driver: TreeDriver, place: Place, { target, packing, how }: Loading): Promise<Moved> {
  const { folder, name, path = folder.path } = target;
  await driver.load(place, `${path}/${name}.tmp`, how.stop);
  using held = folder.hold(`${name}.tmp`);
  if (!held) throw new StoreError(`${nameOfPlace(place)} has brought nothing`, "final");
  const { isFile, isDirectory, size } = held.info();
  if (!isFile && !isDirectory) {
    throw new StoreError(`${nameOfPlace(place)} has brought neither file nor folder`, "final");
  }
  if (isFile && packing !== "none") await unpackFile(held, { target, packing, how });
  return { kind: isFile ? "file" : "folder", bytes: isFile ? size : 0, objects: 1 };
}

/** Unpacks a file that the store's driver brought by itself: it may be an archive like any other. */
async function unpackFile(held: Held, { target, packing, how }: Loading): Promise<void> {
  const { folder, name } = target;
  Deno.renameSync(folder.at(`${name}.tmp`), folder.at(`${name}.tmpdir`));
  using file = openFile(held, name);
  await receive(readParts(file), { target, packing, how });
  folder.remove(`${name}.tmpdir`);
}

async function* readParts(file: Deno.FsFile): Passing {
  const part = new Uint8Array(65_536);
  for (let read = await file.read(part); read !== null; read = await file.read(part)) yield part.subarray(0, read);
}

async function loadFound(driver: Driver, place: Place, loading: Loading): Promise<Moved> {
  const { how, target: { folder, name }, packing, forget } = loading;
  const found = await driver.find(place, how.stop);
  using cached = found.kind === "file" ? await how.cache?.take(place, found, how.stop) : undefined;
  const isLarge = found.kind === "file" && (found.size ?? 0) >= LEAST_TO_GO_ON;
  const half = !cached && how.goesOn && isLarge && packing !== "tar" ? await import("./half_loaded.ts") : undefined;
  const mark = await half?.markOf(place, found);
  using left = forget && mark && found.size !== undefined ? half?.leftOf(folder, name, mark, found.size) : undefined;
  if (!left) forget?.();
  if (found.kind === "folder") return await loadFolder(driver, place, loading);
  if (cached) return await loadCached(cached, { found, place }, loading);
  const there = left?.info().size ?? 0;
  checkRoom(folder, found, there);
  if (mark && !left) half?.writeMark(folder, name, mark);
  if (left) {
    how.log(`going on after ${there} of ${found.size} bytes, which were loaded before this process was started`);
  }
  using filling = left ? undefined : await how.cache?.fill(place, found);
  const rest = steadyRead(driver, place, found, how, there);
  const content = left && half
    ? half.after(left, { bytes: there, rest, stop: how.stop })
    : filling?.through(rest) ?? rest;
  const checked = await Checked.open(content, found, nameOfPlace(place));
  await receive(checked.content(), loading, left);
  const moved = loadedFile(await checked.finish());
  await filling?.finish();
  return moved;
}

/** Loads a file from the cache; what is not whole there is taken away, and loaded from its store the next time. */
async function loadCached(
  cached: Cached,
  { found, place }: { readonly found: Found; readonly place: Place },
  loading: Loading,
): Promise<Moved> {
  const { how, target: { folder } } = loading;
  checkRoom(folder, found);
  how.log("it lies in the cache of this node");
  // A digest that its store keeps says more than the sum of the entry.
  const expected = found.sha256 === undefined ? { ...found, crc32: cached.crc32 } : found;
  const checked = await Checked.open(cached.content, expected, `${nameOfPlace(place)} in the cache`);
  try {
    await receive(checked.content(), loading);
    return loadedFile(await checked.finish());
  } catch (error) {
    if (!how.stop.aborted && !isOfThisPod(error)) cached.forget();
    throw error;
  }
}

/** Errors of a disk that takes no more. */
const FULL = new Set<unknown>(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Whether a load failed for the disk or the limits of where it went to, which says nothing of what came. */
function isOfThisPod(error: unknown): boolean {
  return error instanceof UnpackedTooMuchError || FULL.has((error as { code?: string }).code);
}

function loadedFile({ bytes, sha256 }: { readonly bytes: number; readonly sha256?: string }): Moved {
  return { kind: "file", bytes, objects: 1, ...(sha256 === undefined ? {} : { sha256 }) };
}

/** Makes `NAME.tmp` of what comes; `left` is what it is already, and comes first. */
async function receive(content: Passing, { target, packing, how }: Loading, left?: Held): Promise<void> {
  const { folder, name } = target;
  const { start, whole } = packing === "unknown" ? await peek(content) : { start: undefined, whole: content };
  const kind = start ? isMarked(start) || await beginsLikeTarGz(start) ? "tar" : "none" : packing;
  const warn = (line: string) => how.log(line);
  if (kind === "none") return void await writeFile(folder, `${name}.tmp`, whole, left);
  if (kind === "zip") {
    await writeFile(folder, `${name}.tmp`, whole, left);
    using held = folder.hold(`${name}.tmp`)!;
    using archive = openFile(held, name);
    // The file itself gives way: it is held by its descriptor.
    folder.remove(`${name}.tmp`);
    using made = folder.makeFolder(`${name}.tmp`);
    await unzip(archive, made, { limits: treeLimits(made, how.env), warn });
  } else {
    // What is a part of a file so far turns out to be an archive.
    if (left) folder.remove(`${name}.tmp`);
    using made = folder.makeFolder(`${name}.tmp`);
    await untar(whole, made, { limits: treeLimits(made, how.env), warn });
  }
  onlyEntry(target);
}

/** Makes the only entry of an unpacked archive the artifact itself. */
function onlyEntry({ folder, name }: Target): void {
  using made = folder.folder(`${name}.tmp`)!;
  const [only, ...others] = made.names();
  if (only === undefined || others.length > 0) return;
  Deno.renameSync(folder.at(`${name}.tmp`), folder.at(`${name}.tmpdir`));
  Deno.renameSync(made.at(only), folder.at(`${name}.tmp`));
  folder.remove(`${name}.tmpdir`);
}

/** The first bytes, and all of them. Those that were looked at are kept as copies: what comes next overwrites them. */
async function peek(content: Passing): Promise<{ start: Uint8Array; whole: Passing }> {
  const parts: Bytes[] = [];
  let length = 0;
  while (length < MOST_SNIFFED_BYTES) {
    const { value, done } = await content.next();
    if (done) break;
    parts.push(value.slice());
    length += value.length;
    if (!startsGzip(parts) && !mayBeMarked(parts, length)) break;
  }
  const start = new Uint8Array(Math.min(length, MOST_SNIFFED_BYTES));
  let at = 0;
  for (const part of parts) {
    start.set(part.subarray(0, start.length - at), at);
    at += Math.min(part.length, start.length - at);
  }
  async function* whole(): Passing {
    try {
      yield* parts;
      for (let next = await content.next(); !next.done; next = await content.next()) yield next.value;
    } finally {
      await content.return(undefined);
    }
  }
  return { start, whole: whole() };
}

function startsGzip(parts: readonly Bytes[]): boolean {
  const first = parts.flatMap((part) => [...part.subarray(0, 2)]).slice(0, 2);
  return first[0] === 0x1f && (first.length < 2 || first[1] === 0x8b);
}

function isMarked(start: Uint8Array): boolean {
  return start.length >= MARK_BYTES && beginsMarked(start);
}

/** Whether more of the content must be seen to tell whether it is marked. */
function mayBeMarked(parts: readonly Bytes[], length: number): boolean {
  return length < MARK_BYTES && beginsMarked(Uint8Array.from(parts.flatMap((part) => [...part])));
}

async function loadFolder(driver: Driver, place: Place, { target, how }: Loading): Promise<Moved> {
  const { folder, name } = target;
  if (!driver.can.list) throw new StoreError(`folders of stores of the kind ${place.store} cannot be loaded`, "final");
  const items: Item[] = [];
  for await (const item of itemsBelow(driver, place, how)) items.push(item);
  checkNames(place, items);
  checkRoom(folder, { size: items.reduce((sum, { size = 0 }) => sum + size, 0) });
  let bytes = 0;
  using made = folder.makeFolder(`${name}.tmp`);
  await sideBySide(items, how.objects, async (item) => {
    if (item.name.endsWith("/")) return makeFolders(made, item.name);
    const { name, size, etag } = item;
    const found: Found = { kind: "file", ...size === undefined ? {} : { size }, ...etag === undefined ? {} : { etag } };
    let tries = 0;
    const loaded = await retrying(how, () => {
      const isAgain = tries++ > 0;
      return loadItem(driver, below(place, name), { made, name, found, isAgain, how });
    });
    // The sum is read when the file is loaded, not before: others are loaded meanwhile.
    bytes += loaded;
  });
  return { kind: "folder", bytes, objects: items.length };
}

/** Loads one file of a folder; resolves to its size. */
async function loadItem(
  driver: Driver,
  place: Place,
  { made, name, found, isAgain, how }: {
    readonly made: Folder;
    readonly name: string;
    readonly found: Found;
    readonly isAgain: boolean;
    readonly how: Transfer;
  },
): Promise<number> {
  using way = walk(made, name, { links: "refuse", make: 0o777 });
  if (isAgain) way.parent!.remove(way.name);
  return await writeFile(way.parent!, way.name, steadyRead(driver, place, found, how));
}

function makeFolders(root: Folder, name: string): void {
  using way = walk(root, name, { links: "refuse", make: 0o777 });
  way.parent!.ensureFolder(way.name)[Symbol.dispose]();
}

/** Writes a file that is not there, or goes on with what is `left` of it; resolves to its size. */
async function writeFile(
  folder: Folder,
  name: string,
  content: AsyncIterable<Bytes>,
  left?: Held,
): Promise<number> {
  using file = left ? Deno.openSync(left.path, { write: true }) : folder.createOpen(name);
  const there = left ? file.seekSync(0, Deno.SeekMode.End) : 0;
  let size = 0;
  for await (const part of content) {
    const isThere = Math.min(part.length, Math.max(0, there - size));
    for (let done = isThere; done < part.length;) done += file.writeSync(part.subarray(done));
    size += part.length;
  }
  return size;
}

/** Refuses content that is larger than the free space of the disk before any of it is loaded. */
function checkRoom(folder: Folder, { size }: Pick<Found, "size">, there = 0): void {
  const free = folder.freeBytes();
  if (size === undefined || free === undefined || size - there <= free) return;
  throw new UnpackedTooMuchError(`it has ${size} bytes, and ${free} are free at ${whereIs(folder)}`);
}

/** The error, with what is free where it happened when the disk was full. */
function sayDiskFull(error: unknown, folder: Folder): unknown {
  if ((error as { code?: string }).code !== "ENOSPC") return error;
  const { message } = error as Error;
  return new Error(`${message}: ${folder.freeBytes() ?? "no"} bytes are free at ${whereIs(folder)}`, { cause: error });
}

/** The path of a folder as this process has it: for words only. */
function whereIs(folder: Folder): string {
  try {
    return Deno.readLinkSync(folder.path);
  } catch {
    return folder.path;
  }
}
