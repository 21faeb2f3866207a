/** Texts of problems of a manifest, or of a file that may be one. */

export const emptyText = "Expected a manifest, the text is empty";
export const severalManifests = (count: number) => `Expected one manifest, found ${count}`;
export const lineProblem = (line: number, problem: string) => `Line ${line}: ${problem}`;
export const fileTooLarge = (name: string, megabytes: string) =>
  `${name} has ${megabytes} MB: the largest manifest that a cluster accepts has 2 MB`;
