/** A driver for HDFS: real files and folders, written under a temporary name and then renamed. */
import type { Bytes, Source } from "@tiphys/base/net";
import { storeStream } from "@tiphys/base/byte_streams";
import { type ContentInfo, type Driver, type Item, type Part, type Place, StoreError } from "@tiphys/model/artifact";
import { parseReportedSize } from "@tiphys/artifacts/reported_size";
import type { Hdfs, Status } from "./hdfs.ts";

/** Maximum depth of listed folders. */
const MAX_DEPTH = 512;

/** Creates the driver. Existing files are replaced only if `overwrites` is set. */
export function hdfsDriver(hdfs: Hdfs, { overwrites }: { readonly overwrites: boolean }): Driver {
  async function find({ key }: Place, stop: AbortSignal): Promise<ContentInfo> {
    const status = await hdfs.status(pathOf(key), stop);
    if (!status) throw new StoreError(`hdfs: no key found of name ${key}`, "missing");
    if (status.type === "DIRECTORY") return { kind: "folder" };
    if (key.endsWith("/")) throw new StoreError(`hdfs: ${key} is a file, not a folder`, "missing");
    return { kind: "file", size: parseReportedSize(status.length, `hdfs: querying ${key}`)!, etag: etagOf(status) };
  }

  async function read({ key }: Place, { from = 0, to, etag }: Part, stop: AbortSignal): Promise<ReadableStream<Bytes>> {
    if (to !== undefined && to <= from) return new Blob([]).stream();
    const path = pathOf(key);
    const status = await hdfs.status(path, stop);
    // A key that ends in a slash was written as an empty folder.
    if (status?.type === "DIRECTORY" && key.endsWith("/")) return new Blob([]).stream();
    if (!status || status.type === "DIRECTORY") throw new StoreError(`hdfs: no file found of name ${key}`, "missing");
    if (etag !== undefined && etagOf(status) !== etag) throw new StoreError(`hdfs: ${key} has changed`, "changed");
    if (from > 0 && from >= status.length) {
      throw new StoreError(`hdfs: ${key} has no byte ${from}`, "final");
    }
    const end = Math.min(to ?? status.length, status.length);
    // The file is read up to its recorded length; bytes that are appended meanwhile are ignored.
    const body = await hdfs.open(path, { from, length: end - from }, stop);
    // The data node opens the current file, which may be another one with the same name.
    const opened = await hdfs.status(path, stop);
    if (opened && etagOf(opened) === etagOf(status)) return body;
    await body.cancel();
    throw new StoreError(`hdfs: ${key} has changed while it was opened`, "changed");
  }

  async function* list({ key }: Place, stop: AbortSignal): AsyncGenerator<Item> {
    const root = pathOf(key);
    if ((await hdfs.status(root, stop))?.type !== "DIRECTORY") return;
    yield* listBelow(root, "", 0, stop);
  }

  async function* listBelow(root: string, prefix: string, depth: number, stop: AbortSignal): AsyncGenerator<Item> {
    if (depth > MAX_DEPTH) throw new StoreError(`hdfs: ${root} has folders more than ${MAX_DEPTH} deep`, "final");
    const entries = await hdfs.list(prefix === "" ? root : `${root}/${prefix}`, stop);
    if (entries.length === 0 && prefix !== "") yield { name: `${prefix}/`, size: 0 };
    const sorted = entries.map((entry) => ({ ...entry, order: sortKey(entry) })).sort((a, b) =>
      a.order < b.order ? -1 : 1
    );
    for (const entry of sorted) {
      const name = prefix === "" ? entry.pathSuffix : `${prefix}/${entry.pathSuffix}`;
      if (/(^|\/)\.\.?(\/|$)|\0/.test(name)) {
        throw new StoreError(`hdfs: ${name} cannot be a path below its folder`, "final");
      }
      if (entry.type === "DIRECTORY") yield* listBelow(root, name, depth + 1, stop);
      else yield { name, size: parseReportedSize(entry.length, `hdfs: listing ${root}`)!, etag: etagOf(entry) };
    }
  }

  async function write(
    { key }: Place,
    content: Source | ReadableStream<Bytes>,
    stop: AbortSignal,
  ): Promise<ContentInfo> {
    const path = pathOf(key);
    if (path === "/") throw new StoreError("hdfs: the path is empty", "final");
    if (key.endsWith("/")) {
      await hdfs.makeFolder(path, stop);
      return { kind: "folder" };
    }
    const before = await hdfs.status(path, stop);
    if (before?.type === "DIRECTORY") throw new StoreError(`hdfs: ${key} is a folder`, "final");
    if (before && !overwrites) throw new StoreError(`hdfs: ${key} exists, and force is not set`, "final");
    const slash = path.lastIndexOf("/");
    const aside = `${path.slice(0, slash)}/.tiphys-${crypto.randomUUID()}`;
    await using kept = await storeStream(content, stop);
    try {
      await hdfs.makeFolder(path.slice(0, slash) || "/", stop);
      await hdfs.create(aside, kept.source, stop);
      const written = await hdfs.status(aside, stop);
      if (written?.length !== kept.source.size) {
        throw new StoreError(`hdfs: ${key} has ${written?.length ?? 0} of ${kept.source.size} bytes`, "transient");
      }
      if (!await hdfs.rename(aside, path, overwrites, stop)) {
        throw new StoreError(`hdfs: ${key} exists, and force is not set`, "final");
      }
      return { kind: "file", size: kept.source.size };
    } catch (error) {
      await hdfs.remove(aside, AbortSignal.timeout(5000)).catch(() => {}); // The original error is more important.
      throw error;
    }
  }

  async function remove({ key }: Place, stop: AbortSignal): Promise<{ readonly removed: number }> {
    const path = pathOf(key);
    if (path === "/") throw new StoreError("hdfs: the path is empty", "final");
    let removed = 1;
    if ((await hdfs.status(path, stop))?.type === "DIRECTORY") {
      removed = 0;
      for await (const { name } of list({ store: "hdfs", key, settings: {} }, stop)) if (!name.endsWith("/")) removed++;
    }
    return { removed: await hdfs.remove(path, stop) ? removed : 0 };
  }

  return {
    can: { save: true, folders: true, list: true, remove: true },
    find,
    read,
    list,
    write,
    remove,
    close: () => hdfs.close?.(),
  };
}

/** Returns an absolute path without a slash at its end. */
function pathOf(key: string): string {
  const parts = key.split("/").filter((part) => part !== "");
  if (parts.some((part) => part === "." || part === "..")) {
    throw new StoreError(`hdfs: the path ${key} has . or .. in it`, "final");
  }
  return `/${parts.join("/")}`;
}

function etagOf({ modificationTime, length }: Status): string {
  return `${modificationTime}-${length}`;
}

/** Returns a sort key: keys are in the order of whole paths, in which a folder's name is followed by a slash. */
function sortKey({ pathSuffix, type }: Status): string {
  const path = type === "DIRECTORY" ? `${pathSuffix}/` : pathSuffix;
  return Array.from(new TextEncoder().encode(path), (byte) => String.fromCharCode(byte)).join("");
}
