/** The rows of a partially shown log. */

/** Returns the row of a line, given that lines are in order; -1 if it is not shown. */
export function rowOfLine(line: number, count: number, lineAt: (row: number) => number): number {
  let [low, high] = [0, count - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = lineAt(middle);
    if (found === line) return middle;
    if (found < line) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
