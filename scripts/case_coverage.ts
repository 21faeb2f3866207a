/** Compares lists of cases with the tests that cover them: by IDs in titles, or by a table of titles. */

/** Case IDs, by whether the title of a test has them. */
export interface CaseCoverage {
  readonly covered: readonly string[];
  readonly missing: readonly string[];
  /** IDs in titles that are not in the list, probably misspelled. */
  readonly unknown: readonly string[];
}

/** Returns the IDs in titles of tests: a title ends with them in parentheses, `"… (AB-01, AB-02)"`. */
export function namedCases(source: string): string[] {
  const groups = titlesIn(source).join("\n").matchAll(/\(([A-Z]{2}-\d{2}(?:, [A-Z]{2}-\d{2})*)\)["'`]/g);
  return [...groups].flatMap(([, ids = ""]) => ids.split(", "));
}

/** Compares the existing cases with those in the sources of tests. */
export function coverageOf(cases: readonly string[], sources: Iterable<string>): CaseCoverage {
  const prefixes = new Set(cases.map((id) => id.split("-")[0]));
  const named = new Set([...sources].flatMap(namedCases).filter((id) => prefixes.has(id.split("-")[0])));
  return {
    covered: cases.filter((id) => named.has(id)),
    missing: cases.filter((id) => !named.has(id)),
    unknown: [...named].filter((id) => !cases.includes(id)).toSorted(),
  };
}

/** A test of a case: a file, and a part of a title in it; only the file if its name is the title of test data. */
export type TestReference = readonly [file: string, words?: string];

/** A case with its tests. */
export interface CoveredCase {
  /** The required behavior. */
  readonly behavior: string;
  readonly tests?: readonly TestReference[];
  /** The part that no test covers, or the reason why there is no test. */
  readonly lacks?: string;
}

/** A title on the line of its call, or of its key in a list of test cases. */
const TITLED =
  /Deno\.test\(\s*["`]|Deno\.test\(\{ \.\.\.needs\(.*, ["`]|^\s*(?:name: |title: |async |matrix\(|journey\(|\.\.\.needs\(.*, |\.\.\.\w+!?\.test\(|await t\.step\()["`]/;
/** A string alone on its line. */
const BARE = /^\s*["`]/;
/** The line before such a title: a call whose first argument it is, or its key. */
const OPEN = /(?:\bDeno\.test|^\s*(?:matrix|journey|\.\.\.\w+!?\.test|await t\.step))\($|^\s*(?:name|title):$/;
/** The call whose third argument is the title. */
const OPEN_NEEDS = /\.\.\.needs\($/;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;

/**
 * Returns the lines of a source with titles of tests: on the line of the call, in a list of test cases, or alone
 * directly below the call. Other strings are not titles: their test may have been removed.
 */
export function titlesIn(source: string): string[] {
  const lines = source.split("\n");
  const matches = (pattern: RegExp, index: number) => {
    const line = lines[index] ?? "";
    return !COMMENT.test(line) && pattern.test(line);
  };
  return lines.filter((line, index) =>
    matches(TITLED, index) || BARE.test(line) && (matches(OPEN, index - 1) || matches(OPEN_NEEDS, index - 3))
  );
}

/** Returns the errors of a table: cases without tests and reason, and missing tests. */
export async function problemsOf(cases: Readonly<Record<string, CoveredCase>>, root: URL): Promise<string[]> {
  const known = new Map<string, readonly string[] | undefined>();
  const problems: string[] = [];
  for (const [id, { tests = [], lacks }] of Object.entries(cases)) {
    if (tests.length === 0 && !lacks) problems.push(`${id} has neither a test nor a reason`);
    for (const [file, words] of tests) {
      if (!known.has(file)) {
        known.set(file, await Deno.readTextFile(new URL(file, root)).then(titlesIn, () => undefined));
      }
      const titles = known.get(file);
      if (!titles) problems.push(`${id}: no file ${file}`);
      else if (words !== undefined && !titles.some((title) => title.includes(words))) {
        problems.push(`${id}: no title of ${file} has the words ${JSON.stringify(words)}`);
      }
    }
  }
  return problems;
}
