/** The entries of a tar as they come; a tar that is not read to its end is given up, with whatever it comes from. */
import { once } from "node:events";
import { Readable } from "node:stream";
import { extract, type Header } from "tar-stream";

/** An entry, whose content can be read until the next one is asked for. */
export interface TarEntry {
  readonly header: Header;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Yields the entries of an uncompressed tar. @throws for what is no tar, or ends too early. */
export async function* tarEntries(tar: ReadableStream<Uint8Array>): AsyncGenerator<TarEntry> {
  const entries = extract();
  const source = Readable.from(tar);
  source.on("error", (error) => entries.destroy(error));
  source.pipe(entries);
  try {
    for await (const entry of entries) {
      yield { header: entry.header, content: entry as AsyncIterable<Uint8Array> };
      entry.resume();
    }
  } finally {
    if (!source.closed) {
      source.destroy();
      await once(source, "close");
    }
  }
}
