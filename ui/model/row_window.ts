/** The window of a long table: the rows near the screen, and the room that the others would take. Pure. */

/** Rows from one to before another, and the pixels above and below them. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
  readonly above: number;
  readonly below: number;
}

/** A table up to this length is there as a whole: the browser then finds words in all of it. */
const ALL_AT_MOST = 100;
/** Rows beside the screen, so that they are there when somebody scrolls, and few windows are made while they do. */
const BESIDE = 10;

/** The table on the screen, in pixels: `top` is where its first row would begin, negative when it is scrolled away. */
export interface TableOnScreen {
  readonly top: number;
  readonly screen: number;
  readonly row: number;
}

/** The window of so many rows. */
export function rowWindow(count: number, { top, screen, row }: TableOnScreen): RowWindow {
  if (count <= ALL_AT_MOST || row <= 0) return { from: 0, to: Math.min(count, ALL_AT_MOST), above: 0, below: 0 };
  // Whole steps, so that a window stays the same over many pixels.
  const first = Math.floor(-top / row / BESIDE) * BESIDE - BESIDE;
  const from = Math.max(0, Math.min(count - 1, first));
  const to = Math.min(count, Math.max(from, first) + Math.ceil(screen / row) + 3 * BESIDE);
  return { from, to, above: from * row, below: (count - to) * row };
}
