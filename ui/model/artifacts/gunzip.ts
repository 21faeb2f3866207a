/** Decompresses the beginning of gzip data. */

/**
 * Decompresses up to `max` bytes, or one chunk more; `isAll` reports whether that is everything. Damaged or truncated
 * data is decompressed up to the damage.
 */
export async function gunzip(
  bytes: Uint8Array<ArrayBuffer>,
  max: number,
): Promise<{ content: Uint8Array<ArrayBuffer>; isAll: boolean }> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let isAll = false;
  try {
    while (size < max) {
      const { done, value } = await reader.read();
      if (done) {
        isAll = true;
        break;
      }
      chunks.push(value as Uint8Array<ArrayBuffer>);
      size += value.length;
    }
  } catch {
    // Partial data ends in the middle; the bytes before it are kept.
  }
  reader.cancel().catch(() => {});
  return { content: new Uint8Array(await new Blob(chunks).arrayBuffer()), isAll };
}
