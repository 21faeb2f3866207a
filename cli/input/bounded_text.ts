/** Reads text up to a limit, because a file, a pipe or a response may be endless. */

/** Maximum size of a file, the standard input, or a response, in bytes. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/**
 * Reads a UTF-8 stream to its end.
 * @throws {Error} if it has more than `limit` bytes.
 */
export async function boundedText(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit = MAX_INPUT_BYTES,
): Promise<string> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit) throw new Error(`it is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return await new Blob(chunks).text();
}
