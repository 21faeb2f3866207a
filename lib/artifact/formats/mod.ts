/**
 * The archives that artifacts travel in, as streams: what is packed goes straight into an upload, and what comes down is
 * unpacked as it comes. All that is unpacked is made by `lib/confined`, which no entry leads out of.
 *
 * - `packable.ts`: the files, folders and links that go into an archive
 * - `tar.ts`, `untar.ts`, `tar_header.ts`; `zip.ts`, `unzip.ts`; `gzip.ts`
 * - `tar_zst.ts`, `zstd.ts`: archives of zstd, loaded where they are asked for; `zstd_mark.ts`: how they begin
 */
export { gunzip, isGzip } from "./gunzip.ts";
export { tarGz } from "./tar.ts";
export { beginsLikeTarGz, untar, type UntarOptions } from "./untar.ts";
export { unzip } from "./unzip.ts";
export { zip } from "./zip.ts";
export { beginsMarked, ZSTD_MARK } from "./zstd_mark.ts";
