const LONGEST_NAME = 500;
const MOST_CANDIDATES = 500;

/**
 * The candidate most like a misspelled name, or undefined when none is near enough to be meant: at most a third of the
 * letters of its last part may differ (one in a short part), two letters in the wrong order count once, and letter case
 * does not count. A text longer than any name is not compared, and of many candidates the first 500 are: a hint is not worth
 * more time.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const part = name.slice(name.lastIndexOf(".") + 1);
  let bestDistance = part.length < 2 ? 1 : Math.max(1, Math.floor(part.length / 3)) + 1;
  let best: string | undefined;
  let compared = 0;
  const lower = name.toLowerCase();
  for (const candidate of candidates) {
    if (++compared > MOST_CANDIDATES) break;
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** `; did you mean "x"?`, or nothing when no candidate is near: to be appended to a message. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
}

function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (const [j, above] of row.entries()) {
      if (j === 0) continue;
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const [left = Infinity, diagonal = Infinity] = [next[j - 1], row[j - 1]];
      const plain = Math.min(above + 1, left + 1, diagonal + (isSame ? 0 : 1));
      next.push(isSwapped ? Math.min(plain, (before[j - 2] ?? Infinity) + 1) : plain);
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
