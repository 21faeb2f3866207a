/** Archives of tar that are packed with zstd, and marked as such. Loaded only where they are asked for. */
import type { Held } from "../../confined/held.ts";
import { gunzip } from "./gunzip.ts";
import type { PackOptions } from "./packable.ts";
import { tarGz } from "./tar.ts";
import { zstd } from "./zstd.ts";
import { ZSTD_MARK } from "./zstd_mark.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The archive of a held file or folder, which is called `name` in it: what it holds is what a tar.gz of it would. */
export async function tarZst(source: Held, name: string, options: PackOptions = {}): Promise<ReadableStream<Bytes>> {
  return marked(await tarGz(source, name, options, zstd));
}

/** The archive that a tar.gz becomes. */
export async function tarZstOf(tarGz: AsyncIterable<Uint8Array>, level?: number): Promise<ReadableStream<Bytes>> {
  return marked(ReadableStream.from(gunzip(tarGz)).pipeThrough(await zstd(level)));
}

function marked(packed: ReadableStream<Bytes>): ReadableStream<Bytes> {
  return packed.pipeThrough(
    new TransformStream<Bytes, Bytes>({ start: (stream) => stream.enqueue(ZSTD_MARK.slice()) }),
  );
}
