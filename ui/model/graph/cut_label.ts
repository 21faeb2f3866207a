/**
 * Labels shortened to the available space. They are cut in the middle, because loop items differ at the end of their
 * names.
 */

/** Returns the label with at most `max` characters. */
export function cutLabel(label: string, max: number): string {
  if (label.length <= max) return label;
  const end = Math.max(0, Math.floor((max - 1) / 2));
  return `${label.slice(0, Math.max(0, max - 1 - end))}…${label.slice(label.length - end)}`;
}
