/** Tarballs of release files: the same files give the same bytes. */
import { Buffer } from "node:buffer";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";

/** The time that npm gives to all files of a package. */
const MTIME = new Date("1985-10-26T08:15:00Z");

/** The options of a tarball. */
export interface TarballOptions {
  /** The folder of all files in the tarball. */
  readonly prefix: string;
  /** The paths of programs; other files are not executable. */
  readonly programs?: readonly string[];
}

/** Writes files, by their paths in the tarball, to a compressed tarball. */
export async function writeTarball(
  tarball: string,
  files: ReadonlyMap<string, Uint8Array>,
  { prefix, programs = [] }: TarballOptions,
): Promise<void> {
  const archive = pack();
  for (const path of [...files.keys()].sort()) {
    const header = { name: `${prefix}/${path}`, mode: programs.includes(path) ? 0o755 : 0o644, mtime: MTIME };
    archive.entry(header, Buffer.from(files.get(path)!));
  }
  archive.finalize();
  await pipeline(archive, createGzip({ level: 9 }), createWriteStream(tarball));
}

/** The files below a folder, by their paths in it; links are followed. */
export async function filesBelow(folder: string, below = ""): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for await (const { name } of Deno.readDir(`${folder}/${below}`)) {
    const path = `${below}${name}`;
    if ((await Deno.stat(`${folder}/${path}`)).isDirectory) {
      for (const [inside, content] of await filesBelow(folder, `${path}/`)) files.set(inside, content);
    } else files.set(path, await Deno.readFile(`${folder}/${path}`));
  }
  return files;
}
