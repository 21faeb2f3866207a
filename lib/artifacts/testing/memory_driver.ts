/** A store in memory: the shortest driver that fulfills the contract. */
import type { Bytes, Source } from "@tiphys/base/net";
import { type ContentInfo, type Driver, type Item, type Part, type Place, StoreError } from "@tiphys/model/artifact";

/** Contents by key. Drivers of the same map are one store. */
export type Objects = Map<string, { readonly content: Bytes; readonly etag: string }>;

/** A driver for a map. */
export class MemoryDriver implements Driver {
  readonly can = { save: true, folders: true, list: true, remove: true };

  constructor(readonly objects: Objects = new Map()) {}

  find({ key }: Place, stop: AbortSignal): Promise<ContentInfo> {
    return runUnlessStopped(stop, () => {
      const object = key.endsWith("/") ? undefined : this.objects.get(key);
      if (object) return { kind: "file", size: object.content.length, etag: object.etag };
      if (this.#keysBelow(key).length === 0) throw missingError(key);
      return { kind: "folder" };
    });
  }

  read({ key }: Place, { from = 0, to, etag }: Part, stop: AbortSignal): Promise<ReadableStream<Bytes>> {
    return runUnlessStopped(stop, () => {
      const object = this.objects.get(key);
      if (!object) throw missingError(key);
      if (etag !== undefined && etag !== object.etag) throw new StoreError(`${key} was changed`, "changed");
      if (from > 0 && from >= object.content.length) throw new StoreError(`${key} has no byte ${from}`, "final");
      return ReadableStream.from([object.content.slice(from, to)].filter((part) => part.length > 0));
    });
  }

  async *list({ key }: Place, stop: AbortSignal): AsyncGenerator<Item> {
    const prefix = folderOf(key);
    for (const below of this.#keysBelow(key)) {
      stop.throwIfAborted();
      const { content, etag } = this.objects.get(below)!;
      const name = below.slice(prefix.length);
      if (name === "") continue;
      if (name.replace(/\/$/, "").split("/").some((part) => part === "" || part === "." || part === "..")) {
        throw new StoreError(`The name ${JSON.stringify(name)} below ${prefix} cannot be a file`, "final");
      }
      yield { name, size: content.length, etag };
      await Promise.resolve();
    }
  }

  async write({ key }: Place, content: Source | ReadableStream<Bytes>, stop: AbortSignal): Promise<ContentInfo> {
    stop.throwIfAborted();
    const stream = content instanceof ReadableStream ? content : content.open(0, content.size);
    const parts: Bytes[] = [];
    for await (const part of stream) {
      stop.throwIfAborted();
      parts.push(part);
    }
    stop.throwIfAborted();
    const bytes = await new Blob(parts).bytes();
    const etag = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    this.objects.set(key, { content: bytes, etag });
    return { kind: key.endsWith("/") ? "folder" : "file", size: bytes.length, etag };
  }

  remove({ key }: Place, stop: AbortSignal): Promise<{ readonly removed: number }> {
    return runUnlessStopped(stop, () => {
      if (key === "") throw new StoreError("The key is empty, so nothing is deleted", "final");
      if (!key.endsWith("/") && this.objects.delete(key)) return { removed: 1 };
      const below = this.#keysBelow(key);
      for (const name of below) this.objects.delete(name);
      return { removed: below.length };
    });
  }

  #keysBelow(key: string): string[] {
    return [...this.objects.keys()].filter((name) => name.startsWith(folderOf(key))).sort();
  }
}

/** Returns the prefix of all keys below a key, which ends in a slash. */
function folderOf(key: string): string {
  return key.endsWith("/") ? key : `${key}/`;
}

function missingError(key: string): StoreError {
  return new StoreError(`There is no ${key}`, "missing");
}

async function runUnlessStopped<T>(stop: AbortSignal, act: () => T): Promise<T> {
  await Promise.resolve();
  stop.throwIfAborted();
  return act();
}
