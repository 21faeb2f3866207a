/** Reads the entries of a tar. If it is not read to its end, its source is canceled. */
import { once } from "node:events";
import { Readable } from "node:stream";
import { extract, type Header } from "tar-stream";

/** An entry. Its content can be read until the next entry is requested. */
export interface TarEntry {
  readonly header: Header;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Yields the entries of an uncompressed tar. @throws for an invalid or truncated tar. */
export async function* tarEntries(tar: ReadableStream<Uint8Array>): AsyncGenerator<TarEntry> {
  const entries = boundedExtract();
  const source = Readable.from(tar);
  source.on("error", (error) => entries.destroy(error));
  source.pipe(entries);
  try {
    for await (const entry of entries) {
      checkRecords(entry.header);
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

/**
 * Maximum size of an extended header in bytes: its records are decoded at once. Linux's extended attributes have up to
 * 64 KiB.
 */
const MAX_EXTENDED_BYTES = 128 * 1024;

/** A parser that rejects large extended headers before it decodes them. The parser's own maximum is 4 MiB. */
function boundedExtract() {
  const entries = extract() as ReturnType<typeof extract> & ExtendedHeaders;
  const decode = entries._decodeLongHeader;
  entries._decodeLongHeader = function (bytes) {
    if (bytes.length > MAX_EXTENDED_BYTES) {
      throw new Error(
        `The extended header ${
          this._header.name.slice(0, 100)
        } has ${bytes.length} bytes, more than the maximum of ${MAX_EXTENDED_BYTES}`,
      );
    }
    decode.call(this, bytes);
  };
  return entries;
}

/** The step of the parser that decodes an extended header. */
interface ExtendedHeaders {
  readonly _header: Header;
  _decodeLongHeader(this: ExtendedHeaders, bytes: Uint8Array): void;
}

/** Maximum number of pax records of an entry. Global records are copied for each entry. */
const MAX_RECORDS = 1_000;

function checkRecords({ name, pax }: Header): void {
  const count = Object.keys(pax ?? {}).length;
  if (count <= MAX_RECORDS) return;
  throw new Error(
    `${name.slice(0, 100)} has ${count} extended header records, more than the maximum of ${MAX_RECORDS}`,
  );
}
