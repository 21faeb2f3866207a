/** A number of things in words: `1 object`, `2 objects`. */
export function countText(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** The first `most` names, separated by commas, and the number of the others: `a, b and 3 more`. */
export function listText(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return names.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
