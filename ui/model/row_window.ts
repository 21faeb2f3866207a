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

/** Rows from one to before another. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** The window with those of its rows that are there, where a table holds a part of its rows; the others are room. */
export function windowOfHeld(count: number, window: RowRange, held: RowRange, row: number): RowWindow {
  const from = Math.min(Math.max(window.from, held.from), held.to);
  const to = Math.min(Math.max(window.to, from), held.to);
  return { from, to, above: from * row, below: (count - to) * row };
}

/** The rows that a table holds at a time of a list that is as long as it may be. */
export const HELD_ROWS = 200;
/** The rows that it shows room for: browsers cut elements that are taller than some 16 million pixels. */
export const MOST_ROWS = 300_000;
/** Rows beside the window that are to be there before somebody scrolls to them. */
const NEAR = 20;

/**
 * The first row of those that are to be held for a window, which lies in their middle; undefined where what is held will do:
 * it has the window and the rows near it, as far as there are any.
 */
export function firstHeldFor(count: number, window: RowRange, held: RowRange): number | undefined {
  const [from, to] = [Math.max(0, window.from - NEAR), Math.min(count, window.to + NEAR)];
  if (held.from <= from && held.to >= to) return undefined;
  const middle = Math.floor((window.from + window.to - HELD_ROWS) / 2);
  const first = Math.max(0, Math.min(middle, count - HELD_ROWS));
  return first === held.from ? undefined : first;
}
