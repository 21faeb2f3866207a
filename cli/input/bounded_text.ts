/** Text that is read up to a limit: a file, a pipe or a server may have no end. */

/** Bytes of one file, of the standard input, or of what an address answers. */
export const MOST_INPUT_BYTES = 64 * 1024 * 1024;

/**
 * Reads a stream of UTF-8 to its end.
 * @throws {Error} when there is more than `limit` bytes.
 */
export async function boundedText(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit = MOST_INPUT_BYTES,
): Promise<string> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit) throw new Error(`it has more than the ${limit} bytes that are read`);
    chunks.push(chunk);
  }
  return await new Blob(chunks).text();
}
