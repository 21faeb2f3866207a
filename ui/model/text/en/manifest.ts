/** Words of what is wrong with the text of a manifest, or with a file that may be one. */

export const emptyText = "Expected a manifest, the text is empty";
export const severalManifests = (count: number) => `Expected one manifest, found ${count}`;
export const lineProblem = (line: number, problem: string) => `Line ${line}: ${problem}`;
export const fileTooLarge = (name: string, megabytes: string) =>
  `${name} has ${megabytes} MB: a manifest has no more than 2 MB, as no cluster would take it`;
