const MAX_NAME_LENGTH = 500;
const MAX_CANDIDATES = 500;

/**
 * Returns the candidate most similar to a misspelled name, or undefined when none is similar enough. At most a third of
 * the letters of the name's last dotted part may differ (one letter in a short part); two swapped letters count as one
 * difference; letter case is ignored. Only names up to 500 characters and the first 500 candidates are compared, to
 * bound the time of a hint.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const part = name.slice(name.lastIndexOf(".") + 1);
  let bestDistance = part.length < 2 ? 1 : Math.max(1, Math.floor(part.length / 3)) + 1;
  let best: string | undefined;
  let compared = 0;
  const lower = name.toLowerCase();
  for (const candidate of candidates) {
    if (++compared > MAX_CANDIDATES) break;
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Returns a suffix for an error message: `; did you mean "x"?`, or an empty string without a similar candidate. */
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
