/**
 * The archive formats of artifacts, as streams: packed content goes directly into an upload, and downloaded content is
 * unpacked as it arrives. `lib/base/confined` creates all unpacked files, so no entry can escape the target folder.
 *
 * - `packable.ts`: the files, folders and links to pack
 * - `tar.ts`, `untar.ts`, `tar_header.ts`; `zip.ts`, `unzip.ts`; `gzip.ts`
 * - `tar_zst.ts`, `zstd.ts`: archives compressed with zstd, loaded on demand
 */
export { gunzip, isGzip } from "./gunzip.ts";
export { tarGz } from "./tar.ts";
export { looksLikeTarGz, untar, type UntarOptions } from "./untar.ts";
export { unzip } from "./unzip.ts";
export { zip } from "./zip.ts";
export { startsWithZstdMark, ZSTD_MARK } from "@tiphys/base/zstd_mark";
