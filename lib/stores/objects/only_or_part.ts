/** Marks whether a piece is the whole content: a small object is written at once, a large one in parts. */
import type { Bytes } from "@tiphys/base/net";

/** A piece of content. */
export interface Piece {
  readonly piece: Bytes;
  /** Whether the piece is the whole content. */
  readonly isOnly: boolean;
}

/** Yields pieces, marking a single one. Empty content is one empty piece. */
export async function* markSinglePiece(all: AsyncIterable<Bytes>): AsyncGenerator<Piece> {
  let first: Bytes | undefined;
  let count = 0;
  for await (const piece of all) {
    if (count++ === 0) {
      first = piece;
      continue;
    }
    if (first) yield { piece: first, isOnly: false };
    first = undefined;
    yield { piece, isOnly: false };
  }
  if (count < 2) yield { piece: first ?? new Uint8Array(), isOnly: true };
}
