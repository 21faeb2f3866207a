/** Accepted differences from Argo, as listed in `known.txt`. */

/**
 * The differences of a list: one per line, as the test prints them, then ` # ` and the reason. `*` matches anything
 * except the closing quote of a string; `<text>` matches a string that is the same at each occurrence in the line.
 */
export function knownDifferences(list: string): RegExp[] {
  return list.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => {
    const end = line.lastIndexOf(" # ");
    if (end < 0) throw new Error(`A known difference without a reason: ${line}`);
    return patternOf(line.slice(0, end));
  });
}

/** Any characters of a JSON text but its closing quote. */
const ANYTHING = String.raw`(?:[^"\\]|\\.)*`;

function patternOf(line: string): RegExp {
  let seen = false;
  const source = line.replace(/<text>|\*|[.+?^${}()|[\]\\]/g, (match) => {
    if (match === "*") return ANYTHING;
    if (match !== "<text>") return `\\${match}`;
    const again = seen;
    seen = true;
    return again ? "\\k<text>" : `(?<text>${ANYTHING})`;
  });
  return new RegExp(`^${source}$`, "s");
}
