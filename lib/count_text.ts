/** A number of things in words: `1 object`, `2 objects`. */
export function countText(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
