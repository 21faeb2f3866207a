/** Formats file sizes. */

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Formats a size: `1.2 MiB`. */
export function sizeText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
