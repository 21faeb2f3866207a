/** Tar archives compressed with zstd, which begin with a mark. Loaded on demand. */
import type { Handle } from "@tiphys/base/confined/handle";
import { gunzip } from "./gunzip.ts";
import type { PackOptions } from "./packable.ts";
import { tarGz } from "./tar.ts";
import { zstd } from "./zstd.ts";
import { ZSTD_MARK } from "@tiphys/base/zstd_mark";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Returns the archive of a file or folder, with the same content as a tar.gz. It has the name `name` in the archive.
 */
export async function tarZst(source: Handle, name: string, options: PackOptions = {}): Promise<ReadableStream<Bytes>> {
  return prependMark(await tarGz(source, name, options, zstd));
}

/** Converts a tar.gz archive. */
export async function tarZstOf(tarGz: AsyncIterable<Uint8Array>, level?: number): Promise<ReadableStream<Bytes>> {
  return prependMark(ReadableStream.from(gunzip(tarGz)).pipeThrough(await zstd(level)));
}

function prependMark(packed: ReadableStream<Bytes>): ReadableStream<Bytes> {
  return packed.pipeThrough(
    new TransformStream<Bytes, Bytes>({ start: (stream) => stream.enqueue(ZSTD_MARK.slice()) }),
  );
}
