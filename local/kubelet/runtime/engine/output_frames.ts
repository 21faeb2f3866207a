/** The frames in which an engine sends what the processes of a container write: both streams in one. */

/** Receives what the processes write; the next piece waits until it has taken one. */
type FrameSink = (stream: "stdout" | "stderr", chunk: Uint8Array) => Promise<void> | void;

/** The header of a frame: one byte for the stream, three that say nothing, four for the length. */
const HEADER_BYTES = 8;
const STDERR = 2;

/**
 * Hands on what comes until the stream ends; each chunk as it comes, also when its frame is not whole.
 * @throws what the sink does: nothing is read after that.
 */
export async function readOutput(stream: ReadableStream<Uint8Array>, output: FrameSink): Promise<void> {
  let header: number[] = [];
  let left = 0;
  for await (let chunk of stream) {
    while (chunk.length > 0) {
      if (left === 0) {
        const missing = HEADER_BYTES - header.length;
        header.push(...chunk.subarray(0, missing));
        chunk = chunk.subarray(missing);
        if (header.length < HEADER_BYTES) break;
        left = new DataView(Uint8Array.from(header).buffer).getUint32(4);
        if (left === 0) header = [];
        continue;
      }
      const part = chunk.subarray(0, left);
      await output(header[0] === STDERR ? "stderr" : "stdout", part);
      chunk = chunk.subarray(part.length);
      left -= part.length;
      if (left === 0) header = [];
    }
  }
}
