/**
 * The lines of a log, as bytes come. They come in batches, those of one piece of the stream together: a log has so many lines
 * that to wait for each costs more than all that is done with it.
 */

/** A line, or, of a line that is too long to be held, a piece. */
export interface ReadLine {
  readonly text: string;
  /** The piece goes on with the line that came before. */
  readonly isRest: boolean;
}

/** Characters of a line that are held; a longer one comes in pieces. */
const MAX_LINE = 1 << 20;

/** The lines of a stream; what stands behind the last line feed is one too. A stream that breaks ends with what had come, then throws. */
export async function* linesOfStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly ReadLine[]> {
  const decoder = new TextDecoder();
  let rest = "";
  let isRest = false;
  let trouble: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      const batch: ReadLine[] = [];
      for (const line of lines) {
        pushPieces(batch, line, isRest);
        isRest = false;
      }
      while (rest.length > MAX_LINE) {
        const to = pieceEnd(rest, 0);
        batch.push({ text: rest.slice(0, to), isRest });
        rest = rest.slice(to);
        isRest = true;
      }
      if (batch.length > 0) yield batch;
    }
  } catch (error) {
    trouble = { error };
  }
  if (rest !== "") yield [{ text: rest, isRest }];
  if (trouble) throw trouble.error;
}

function pushPieces(batch: ReadLine[], line: string, isRest: boolean): void {
  if (line.length <= MAX_LINE) return void batch.push({ text: line, isRest });
  for (let from = 0, to = 0; from < line.length; from = to) {
    to = pieceEnd(line, from);
    batch.push({ text: line.slice(from, to), isRest: isRest || from > 0 });
  }
}

/** The end of the piece that begins there: no character is cut in two. */
function pieceEnd(line: string, from: number): number {
  const end = from + MAX_LINE;
  const last = line.charCodeAt(end - 1);
  return end < line.length && last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}
