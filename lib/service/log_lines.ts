/**
 * Splits a byte stream of a log into lines. Lines come in batches, one per chunk of the stream, because awaiting each
 * line would cost more than all other processing.
 */

/** A line, or a piece of a line that is too long. */
export interface ReadLine {
  readonly text: string;
  /** Whether the piece continues the previous one. */
  readonly isRest: boolean;
}

/** Maximum number of characters of a piece. */
const MAX_PIECE_LENGTH = 1 << 20;

/**
 * Yields the lines of a stream, including text after the last line feed. If the stream fails, yields the received text,
 * then throws.
 */
export async function* linesOfStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly ReadLine[]> {
  const decoder = new TextDecoder();
  let rest = "";
  let isRest = false;
  let trouble: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of chunks) {
      const [first = "", ...following] = decoder.decode(chunk, { stream: true }).split("\n");
      const batch: ReadLine[] = [];
      // Only the new text is searched: a long line may arrive in many small chunks.
      rest += first;
      for (const next of following) {
        pushPieces(batch, rest, isRest);
        isRest = false;
        rest = next;
      }
      while (rest.length > MAX_PIECE_LENGTH) {
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
  if (line.length <= MAX_PIECE_LENGTH) return void batch.push({ text: line, isRest });
  for (let from = 0, to = 0; from < line.length; from = to) {
    to = pieceEnd(line, from);
    batch.push({ text: line.slice(from, to), isRest: isRest || from > 0 });
  }
}

/** Returns the end of the piece that begins at `from`, without splitting a character. */
function pieceEnd(line: string, from: number): number {
  const end = from + MAX_PIECE_LENGTH;
  const last = line.charCodeAt(end - 1);
  return end < line.length && last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}
