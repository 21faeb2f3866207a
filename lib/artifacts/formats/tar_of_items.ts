/** Packs files from a store as tar.gz, one after the other, without writing them to disk. */
import type { Bytes } from "@tiphys/base/net/net";
import { gzip } from "./gzip.ts";
import { TAR_BLOCK, tarHeaders } from "./tar.ts";

/** A file or an empty folder, whose name ends in a slash. */
export interface PackedItem {
  readonly name: string;
  readonly size: number;
  content(): Promise<ReadableStream<Bytes>>;
}

const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/**
 * Returns the tar.gz archive of items below a folder `name`. Stores have no modes and times, so all items have the
 * same. The stream fails when content has a different size than listed.
 */
export async function tarGzOfItems(
  items: AsyncIterable<PackedItem>,
  name: string,
  mtime: Date,
): Promise<ReadableStream<Bytes>> {
  return ReadableStream.from(entries(items, name, mtime)).pipeThrough(await gzip());
}

async function* entries(items: AsyncIterable<PackedItem>, top: string, mtime: Date): AsyncGenerator<Bytes> {
  yield* tarHeaders(`${top}/`, "5", 0, { mode: FOLDER_MODE, mtime });
  for await (const item of items) {
    const name = `${top}/${item.name}`;
    if (name.endsWith("/")) yield* tarHeaders(name, "5", 0, { mode: FOLDER_MODE, mtime });
    else {
      yield* tarHeaders(name, "0", item.size, { mode: FILE_MODE, mtime });
      let left = item.size;
      for await (const part of await item.content()) {
        left -= part.length;
        if (left < 0) break;
        yield part;
      }
      if (left !== 0) throw new Error(`${item.name} has another size than the ${item.size} bytes that were listed`);
      yield new Uint8Array((TAR_BLOCK - item.size % TAR_BLOCK) % TAR_BLOCK);
    }
  }
  yield new Uint8Array(2 * TAR_BLOCK);
}
