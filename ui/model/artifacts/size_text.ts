/** Formats file sizes. */

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Formats a size: `1.2 MiB`. */
export function sizeText(bytes: number): string {
  let [value, at] = [bytes, 0];
  while (value >= 1024 && at < UNITS.length - 1) [value, at] = [value / 1024, at + 1];
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[at]}`;
}
