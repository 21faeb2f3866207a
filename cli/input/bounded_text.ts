/** Reads text up to a limit, because a file, a pipe or a response may be endless. */

/** Maximum size of a file, the standard input, or a response, in bytes. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/**
 * Reads text to its end: UTF-8, or UTF-16 with a byte order mark, as PowerShell writes it.
 * @throws {Error} if it has more than `limit` bytes, or is not text.
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
  return decoded(await new Blob(chunks).bytes());
}

function decoded(bytes: Uint8Array<ArrayBuffer>): string {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
    ? "utf-16be"
    : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new Error("it is not text in UTF-8; binary files and other encodings are not supported");
}
