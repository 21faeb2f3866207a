/** Bounded reading of kubeconfigs, and of the files that they name: a path may be that of a device, which has no end. */
import { joinedBytes } from "@tiphys/base/joined_bytes";

/**
 * Reads a text file.
 * @throws {Error} for a file of more than `limit` bytes, which is not read to its end.
 */
export async function readSmallFile(path: string, limit: number): Promise<string> {
  using file = await Deno.open(path);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of file.readable) {
    bytes += part.length;
    if (bytes > limit) throw new Error(`it has more than ${limit} bytes`);
    parts.push(part);
  }
  return new TextDecoder().decode(joinedBytes(parts));
}
