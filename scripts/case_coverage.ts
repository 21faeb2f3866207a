/** The cases of a list, and the tests that ask them: by ids in titles, or by a table that names titles. */

/** The ids of cases, by whether the title of a test names them. */
export interface CaseCoverage {
  readonly covered: readonly string[];
  readonly missing: readonly string[];
  /** Ids in titles that are on no list: misspelt, most likely. */
  readonly unknown: readonly string[];
}

/**
 * The ids that the titles of tests in a source text name: a title ends with them in parentheses, `"… (AB-01, AB-02)"`,
 * and so does the text in quotes that holds it.
 */
export function namedCases(source: string): string[] {
  const groups = titlesIn(source).join("\n").matchAll(/\(([A-Z]{2}-\d{2}(?:, [A-Z]{2}-\d{2})*)\)["'`]/g);
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

/** A test that asks a case: a file, and words of a title in it; of data whose file's name is the title, the file alone. */
export type Asking = readonly [file: string, words?: string];

/** A case of a table that says where it is asked. */
export interface AskedCase {
  /** The promise. */
  readonly says: string;
  readonly tests?: readonly Asking[];
  /** The part of it that nothing asks, or, where nothing asks it at all, why. */
  readonly lacks?: string;
}

/** A title on the line of its call, or of its key in a list of promises. */
const TITLED =
  /Deno\.test\(\s*["`]|Deno\.test\(\{ \.\.\.needs\(.*, ["`]|^\s*(?:name: |title: |async |matrix\(|journey\(|\.\.\.needs\(.*, |\.\.\.\w+!?\.test\(|await t\.step\()["`]/;
/** A text alone on its line. */
const BARE = /^\s*["`]/;
/** What a title may stand alone below: a call whose first argument it is, or its key. */
const OPEN = /(?:\bDeno\.test|^\s*(?:matrix|journey|\.\.\.\w+!?\.test|await t\.step))\($|^\s*(?:name|title):$/;
/** The call whose third argument is the title. */
const OPEN_NEEDS = /\.\.\.needs\($/;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;

/**
 * The lines of a source that hold the title of a test: at its call, in a list of promises, or alone right below its call.
 * A text elsewhere, in a list for one, names no test: the test that it named may be gone.
 */
export function titlesIn(source: string): string[] {
  const lines = source.split("\n");
  const matches = (pattern: RegExp, at: number) => {
    const line = lines[at] ?? "";
    return !COMMENT.test(line) && pattern.test(line);
  };
  return lines.filter((line, at) =>
    matches(TITLED, at) || BARE.test(line) && (matches(OPEN, at - 1) || matches(OPEN_NEEDS, at - 3))
  );
}

/** What is wrong with a table: cases that are asked nowhere and say nothing of it, tests that are not there. */
export async function problemsOf(cases: Readonly<Record<string, AskedCase>>, root: URL): Promise<string[]> {
  const known = new Map<string, readonly string[] | undefined>();
  const problems: string[] = [];
  for (const [id, { tests = [], lacks }] of Object.entries(cases)) {
    if (tests.length === 0 && !lacks) problems.push(`${id} is asked nowhere and says nothing of it`);
    for (const [file, words] of tests) {
      if (!known.has(file)) {
        known.set(file, await Deno.readTextFile(new URL(file, root)).then(titlesIn, () => undefined));
      }
      const titles = known.get(file);
      if (!titles) problems.push(`${id}: there is no ${file}`);
      else if (words !== undefined && !titles.some((title) => title.includes(words))) {
        problems.push(`${id}: no title of ${file} has the words ${JSON.stringify(words)}`);
      }
    }
  }
  return problems;
}
