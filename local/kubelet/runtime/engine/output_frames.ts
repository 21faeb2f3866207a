/** Parses the frames in which an engine sends both output streams of a process. */

/** Receives output. The next chunk is passed on after the previous call has resolved. */
type FrameSink = (stream: "stdout" | "stderr", chunk: Uint8Array) => Promise<void> | void;

/** The size of a frame's header: one byte for the stream, three unused ones, four for the length. */
const HEADER_BYTES = 8;
const STDERR = 2;

/**
 * Passes on output until the stream ends, each chunk as it arrives even if its frame is incomplete.
 * @throws the error of the sink. Nothing is read after it.
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
