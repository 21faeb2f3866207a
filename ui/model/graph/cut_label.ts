/**
 * Labels shortened to the available space. They are cut in the middle, because loop items differ at the end of their
 * names.
 */

/** Returns the label with at most `most` characters. */
export function cutLabel(label: string, most: number): string {
  if (label.length <= most) return label;
  const end = Math.max(0, Math.floor((most - 1) / 2));
  return `${label.slice(0, Math.max(0, most - 1 - end))}…${label.slice(label.length - end)}`;
}
