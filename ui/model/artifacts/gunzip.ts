/** The beginning of what bytes of gzip hold. */

/** Unpacks so many bytes, or a piece more; `isAll` where that is all. What is damaged, or breaks off, is unpacked up to there. */
export async function gunzip(
  bytes: Uint8Array<ArrayBuffer>,
  most: number,
): Promise<{ content: Uint8Array<ArrayBuffer>; isAll: boolean }> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let isAll = false;
  try {
    while (size < most) {
      const { done, value } = await reader.read();
      if (done) {
        isAll = true;
        break;
      }
      chunks.push(value as Uint8Array<ArrayBuffer>);
      size += value.length;
    }
  } catch {
    // A file that was read in part breaks off in its middle; the bytes before that are there.
  }
  reader.cancel().catch(() => {});
  return { content: new Uint8Array(await new Blob(chunks).arrayBuffer()), isAll };
}
