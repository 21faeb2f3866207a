/** Packs and unpacks archives by path, for tests. */
import { Folder, Handle, type TreeLimits } from "@tiphys/base/confined";
import type { TransientChunks } from "@tiphys/base/net";
import { tarGz, untar, unzip, zip } from "../mod.ts";
import { tarZst } from "../tar_zst.ts";

/** Limits that no small archive exceeds. */
export const TEST_LIMITS: TreeLimits = { entries: 10_000, bytes: 2 ** 30, ratio: 200, ratioFrom: 2 ** 30 };

type Pack = typeof tarGz | typeof tarZst | typeof zip;

function packer(pack: Pack) {
  return async (source: string, name: string, target: string, level?: number, warn?: (line: string) => void) => {
    using held = Handle.open(source, { follow: true });
    await Deno.writeFile(target, await pack(held, name, { level, warn }));
  };
}

export const packTarGzAt = packer(tarGz);
export const packTarZstAt = packer(tarZst);
export const packZipAt = packer(zip);

export async function untarAt(
  archive: string,
  folder: string,
  limits = TEST_LIMITS,
  warn?: (line: string) => void,
  atOnce?: number,
): Promise<void> {
  using held = Folder.open(folder);
  await untar(readThroughOneBuffer(archive, atOnce), held, { limits, warn });
}

/** Yields the bytes of a file like stores do: through one buffer that the next part overwrites. */
async function* readThroughOneBuffer(path: string, atOnce = 7 * 1024 + 512): TransientChunks {
  using file = await Deno.open(path);
  const buffer = new Uint8Array(atOnce);
  for (let read = await file.read(buffer); read !== null; read = await file.read(buffer)) {
    yield buffer.subarray(0, read);
    buffer.fill(0xff);
  }
}

export async function unzipAt(
  archive: string,
  folder: string,
  limits = TEST_LIMITS,
  warn?: (line: string) => void,
): Promise<void> {
  using file = await Deno.open(archive);
  using held = Folder.open(folder);
  await unzip(file, held, { limits, warn });
}
