/** The cases of a list that the titles of tests name. */

/** The ids of cases, by whether the title of a test names them. */
export interface CaseCoverage {
  readonly covered: readonly string[];
  readonly missing: readonly string[];
  /** Ids in titles that are on no list: misspelt, most likely. */
  readonly unknown: readonly string[];
}

/**
 * The ids that titles in a source text name: a title ends with them in parentheses, `"… (AB-01, AB-02)"`, and so does
 * the text in quotes that holds it.
 */
export function namedCases(source: string): string[] {
  const groups = source.matchAll(/\(([A-Z]{2}-\d{2}(?:, [A-Z]{2}-\d{2})*)\)["'`]/g);
  return [...groups].flatMap(([, ids = ""]) => ids.split(", "));
}

/** Compares the cases there are with those that sources of tests name. */
export function coverageOf(cases: readonly string[], sources: Iterable<string>): CaseCoverage {
  const prefixes = new Set(cases.map((id) => id.split("-")[0]));
  const named = new Set([...sources].flatMap(namedCases).filter((id) => prefixes.has(id.split("-")[0])));
  return {
    covered: cases.filter((id) => named.has(id)),
    missing: cases.filter((id) => !named.has(id)),
    unknown: [...named].filter((id) => !cases.includes(id)).toSorted(),
  };
}
