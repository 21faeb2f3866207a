/** Labels with no more letters than there is room for: they are cut in the middle, as items of a loop differ at the ends of their names. */

/** The label, of so many letters at the most. */
export function cutLabel(label: string, most: number): string {
  if (label.length <= most) return label;
  const end = Math.max(0, Math.floor((most - 1) / 2));
  return `${label.slice(0, Math.max(0, most - 1 - end))}…${label.slice(label.length - end)}`;
}
