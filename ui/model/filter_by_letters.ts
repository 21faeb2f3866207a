/** The palette's search: letters in order, with matches at word starts first. Pure. */

/** Returns the items whose names contain the letters in order, best match first; all items if nothing was typed. */
export function filterByLetters<T>(items: readonly T[], typed: string, nameOf: (item: T) => string): T[] {
  const letters = typed.toLowerCase().replaceAll(" ", "");
  const scored = items.map((item) => ({ item, score: scoreOf(nameOf(item).toLowerCase(), letters) }));
  return scored.filter(({ score }) => score >= 0).sort((a, b) => b.score - a.score).map(({ item }) => item);
}

/** Scores a name: negative if letters are missing, higher for letters that start words or are adjacent. */
function scoreOf(name: string, letters: string): number {
  let score = 0;
  let offset = -1;
  for (const letter of letters) {
    const next = name.indexOf(letter, offset + 1);
    if (next < 0) return -1;
    if (next === offset + 1) score += 2;
    if (next === 0 || name[next - 1] === " ") score += 3;
    offset = next;
  }
  return score;
}
