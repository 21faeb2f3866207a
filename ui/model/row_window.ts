/** The visible part of a long table: the rows near the screen, and the space of all others. Pure. */

/** Rows from `from` up to but not including `to`, and the pixels above and below them. */
export interface RowWindow {
  readonly from: number;
  readonly to: number;
  readonly above: number;
  readonly below: number;
}

/** Tables up to this length are rendered completely, so that the browser's search finds all of it. */
const ALL_AT_MOST = 100;
/**
 * Rows rendered outside the screen, so that rows exist before they are scrolled to, and few windows are computed
 * meanwhile.
 */
const BESIDE = 10;

/** The table on the screen, in pixels. `top` is the position of its first row, negative when it is scrolled away. */
export interface TableOnScreen {
  readonly top: number;
  readonly screen: number;
  readonly row: number;
}

/** Returns the window of a table with `count` rows. */
export function rowWindow(count: number, { top, screen, row }: TableOnScreen): RowWindow {
  if (count <= ALL_AT_MOST || row <= 0) return { from: 0, to: Math.min(count, ALL_AT_MOST), above: 0, below: 0 };
  // Rounded to whole steps, so that the window is stable while scrolling.
  const first = Math.floor(-top / row / BESIDE) * BESIDE - BESIDE;
  const from = Math.max(0, Math.min(count - 1, first));
  const to = Math.min(count, Math.max(from, first) + Math.ceil(screen / row) + 3 * BESIDE);
  return { from, to, above: from * row, below: (count - to) * row };
}

/** Rows from `from` up to but not including `to`. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Restricts a window to the rows that are loaded, if a table holds only a part of its rows; the others are empty space.
 */
export function windowOfLoadedRows(count: number, window: RowRange, held: RowRange, row: number): RowWindow {
  const from = Math.min(Math.max(window.from, held.from), held.to);
  const to = Math.min(Math.max(window.to, from), held.to);
  return { from, to, above: from * row, below: (count - to) * row };
}

/** The maximum number of rows of a long list that are loaded at a time. */
export const LOADED_ROWS = 200;
/** For how many rows space is reserved: browsers cut elements taller than about 16 million pixels. */
export const MAX_ROWS = 300_000;
/** Rows outside the window that are loaded before they are scrolled to. */
const NEAR = 20;

/**
 * Returns the first row to load so that the window is in the middle of the loaded rows, or undefined if the loaded rows
 * already cover the window and the rows near it.
 */
export function firstRowToLoad(count: number, window: RowRange, held: RowRange): number | undefined {
  const [from, to] = [Math.max(0, window.from - NEAR), Math.min(count, window.to + NEAR)];
  if (held.from <= from && held.to >= to) return undefined;
  const middle = Math.floor((window.from + window.to - LOADED_ROWS) / 2);
  const first = Math.max(0, Math.min(middle, count - LOADED_ROWS));
  return first === held.from ? undefined : first;
}
