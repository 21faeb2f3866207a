/**
 * Bounded reading of kubeconfigs, and of the files that they name: a path may be that of a device, which has no end.
 */
import { joinedBytes } from "@tiphys/base/joined_bytes";

/**
 * Time limit for reading a file. A pipe, such as that of `--kubeconfig <(COMMAND)`, may take as long as its command.
 */
const READ_MILLIS = 30_000;

/**
 * Reads a text file, or a pipe.
 * @throws {Error} for a file of more than `limit` bytes, which is not read to its end, and for a pipe that is not
 *   written and closed before the signal is aborted: after 30 seconds by default.
 */
export async function readSmallFile(
  path: string,
  limit: number,
  signal: AbortSignal = AbortSignal.timeout(READ_MILLIS),
): Promise<string> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(new Error("it cannot be read in time: it is a pipe that nobody writes or closes"));
  signal.addEventListener("abort", onAbort);
  try {
    // Opening a pipe waits for its writer and cannot be canceled.
    return await Promise.race([late, read(path, limit)]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function read(path: string, limit: number): Promise<string> {
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
