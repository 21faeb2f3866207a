/** Returns a count with its noun: `1 object`, `2 objects`. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns the first `max` names, separated by commas, and the number of the remaining ones: `a, b and 3 more`. */
export function listText(names: readonly string[], max = 5): string {
  const rest = names.length - max;
  return names.slice(0, max).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
