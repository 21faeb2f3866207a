/** The rows of a log that is shown in part: which row a line stands in. */

/** The row of a line, where lines stand in their order; -1 where it is in none. */
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
