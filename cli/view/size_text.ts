/** Formats sizes: `512 B`, `4.2 MB`. */

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** Formats a number of bytes in the largest decimal unit that does not exceed it. */
export function sizeText(bytes: number): string {
  const unit = UNITS.findLastIndex((_, index) => bytes >= 1000 ** index);
  return unit < 1 ? `${bytes} B` : `${(bytes / 1000 ** unit).toFixed(1)} ${UNITS[unit]}`;
}
