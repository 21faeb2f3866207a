/** The lines of a log, as bytes come. */

/** A line, or, of a line that is too long to be held, a piece. */
export interface ReadLine {
  readonly text: string;
  /** The piece goes on with the line that came before. */
  readonly isRest: boolean;
}

/** Characters of a line that are held; a longer one comes in pieces. */
const MAX_LINE = 1 << 20;

/** The lines of a stream; what stands behind the last line feed is one too. A stream that breaks ends with what had come, then throws. */
export async function* linesOfStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadLine> {
  const decoder = new TextDecoder();
  let rest = "";
  let isRest = false;
  let trouble: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        let from = 0;
        for (; line.length - from > MAX_LINE; from += MAX_LINE) {
          yield { text: line.slice(from, from + MAX_LINE), isRest };
          isRest = true;
        }
        yield { text: from === 0 ? line : line.slice(from), isRest };
        isRest = false;
      }
      while (rest.length > MAX_LINE) {
        yield { text: rest.slice(0, MAX_LINE), isRest };
        rest = rest.slice(MAX_LINE);
        isRest = true;
      }
    }
  } catch (error) {
    trouble = { error };
  }
  if (rest !== "") yield { text: rest, isRest };
  if (trouble) throw trouble.error;
}
