/** The search of the palette: letters in their order, whole beginnings of words first. Pure. */

/** The items whose names have the letters in their order, the best first; all of them for no letters. */
export function matching<T>(items: readonly T[], typed: string, nameOf: (item: T) => string): T[] {
  const letters = typed.toLowerCase().replaceAll(" ", "");
  const scored = items.map((item) => ({ item, score: scoreOf(nameOf(item).toLowerCase(), letters) }));
  return scored.filter(({ score }) => score >= 0).sort((a, b) => b.score - a.score).map(({ item }) => item);
}

/** Less than 0 for a name that has not got the letters; more for letters that begin words, or follow each other. */
function scoreOf(name: string, letters: string): number {
  let score = 0;
  let at = -1;
  for (const letter of letters) {
    const next = name.indexOf(letter, at + 1);
    if (next < 0) return -1;
    if (next === at + 1) score += 2;
    if (next === 0 || name[next - 1] === " ") score += 3;
    at = next;
  }
  return score;
}
