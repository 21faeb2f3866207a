/** A driver of an object store: files and folders made of a bucket's objects. */
import type { Bytes, Source } from "@tiphys/base/net";
import { Pages } from "@tiphys/artifacts/pages";
import { type ContentInfo, type Driver, type Item, type Part, type Place, StoreError } from "@tiphys/model/artifact";

/** An object of a bucket. */
export interface ObjectInfo {
  readonly key: string;
  readonly size?: number;
  readonly etag?: string;
  /** Whether it represents a folder although its key does not end in a slash. */
  readonly isFolder?: boolean;
}

/** Objects in order of their keys, and the token of the next page. */
export interface Page {
  readonly objects: readonly ObjectInfo[];
  readonly next?: string | undefined;
}

/** The requests that a bucket of an object store supports. */
export interface Bucket {
  /** Used in messages: `gcs bucket "b"`. */
  readonly title: string;
  /** Returns an object; undefined when it does not exist, or its existence is unknown. */
  head(key: string, stop: AbortSignal): Promise<ObjectInfo | undefined>;
  /**
   * Returns at most `limit` objects whose keys begin with a prefix. Only the last page may lack `next`; others may be
   * short or empty.
   */
  page(prefix: string, next: string | undefined, limit: number, stop: AbortSignal): Promise<Page>;
  get(key: string, part: Part, stop: AbortSignal): Promise<ReadableStream<Bytes>>;
  put(key: string, content: Source | ReadableStream<Bytes>, stop: AbortSignal): Promise<ContentInfo>;
  /** Deletes objects. Returns how many existed, as far as the store reports it. */
  remove(keys: readonly string[], stop: AbortSignal): Promise<number>;
}

/** Number of objects that are listed, and deleted, at once. */
export const PAGE_SIZE = 1000;

/** Creates the driver of a bucket. */
export function objectDriver(bucket: Bucket): Driver {
  return {
    can: { save: true, folders: true, list: true, remove: true },
    async find({ key }, stop) {
      const info = key === "" || key.endsWith("/") ? undefined : await bucket.head(key, stop);
      if (info && !info.isFolder) return toContentInfo(info);
      if (info || await hasObjectBelow(bucket, key, stop)) return { kind: "folder" };
      throw new StoreError(`${bucket.title}: no key found of name ${key}`, "missing");
    },
    read: ({ key }, part, stop) => bucket.get(key, part, stop),
    list: (location, stop) => list(bucket, location, stop),
    write: ({ key }, content, stop) => {
      if (key === "" || key === "/") return Promise.reject(noKeyError(bucket));
      return bucket.put(key, content, stop);
    },
    remove: (location, stop) => remove(bucket, location, stop),
  };
}

function toContentInfo({ size, etag }: ObjectInfo): ContentInfo {
  return { kind: "file", ...size === undefined ? {} : { size }, ...etag === undefined ? {} : { etag } };
}

function noKeyError({ title }: Bucket): StoreError {
  return new StoreError(`${title}: the key is empty`, "final");
}

/** Returns the prefix of all keys below a folder. It ends in a slash, so siblings do not match. */
function prefixOf(key: string): string {
  return key === "" || key.endsWith("/") ? key : `${key}/`;
}

async function hasObjectBelow(bucket: Bucket, key: string, stop: AbortSignal): Promise<boolean> {
  for await (const { length } of pages(bucket, prefixOf(key), stop, 1)) if (length > 0) return true;
  return false;
}

async function* pages(
  bucket: Bucket,
  prefix: string,
  stop: AbortSignal,
  limit = PAGE_SIZE,
): AsyncGenerator<readonly ObjectInfo[]> {
  const followed = new Pages(`${bucket.title}: listing ${prefix}`);
  let next: string | undefined;
  do {
    const page = await bucket.page(prefix, next, limit, stop);
    yield page.objects;
    next = followed.nextToken(page.next, page.objects.length);
  } while (next !== undefined);
}

async function* list(bucket: Bucket, { key }: Place, stop: AbortSignal): AsyncGenerator<Item> {
  const prefix = prefixOf(key);
  for await (const objects of pages(bucket, prefix, stop)) {
    for (const object of objects) {
      const { size = 0, etag, isFolder } = object;
      const name = object.key.slice(prefix.length);
      if (name === "") continue;
      checkName(bucket, object.key, name);
      yield {
        name: isFolder && !name.endsWith("/") ? `${name}/` : name,
        size,
        ...etag === undefined ? {} : { etag },
      };
    }
  }
}

/** Rejects a name that would lead elsewhere on disk. Objects are never omitted silently. */
function checkName({ title }: Bucket, key: string, name: string): void {
  const parts = (name.endsWith("/") ? name.slice(0, -1) : name).split("/");
  if (!parts.some((part) => part === "" || part === "." || part === ".." || part.includes("\0"))) return;
  throw new StoreError(`${title}: the key ${JSON.stringify(key)} cannot be a path below its folder`, "final");
}

async function remove(bucket: Bucket, { key }: Place, stop: AbortSignal): Promise<{ readonly removed: number }> {
  if (key === "" || key === "/") throw noKeyError(bucket);
  if (!key.endsWith("/")) {
    const info = await bucket.head(key, stop);
    if (info && !info.isFolder) return { removed: await bucket.remove([key], stop) };
  }
  let removed = 0;
  const folders: string[] = [];
  for await (const objects of pages(bucket, prefixOf(key), stop)) {
    folders.push(...objects.filter(({ isFolder }) => isFolder).map((object) => object.key));
    const files = objects.filter(({ isFolder }) => !isFolder).map((object) => object.key);
    if (files.length > 0) removed += await bucket.remove(files, stop);
  }
  // An object that represents a folder is deleted after its content, the deepest first.
  if (!key.endsWith("/") && folders.length > 0) folders.unshift(key);
  for (const folder of folders.reverse()) await bucket.remove([folder], stop);
  return { removed };
}
