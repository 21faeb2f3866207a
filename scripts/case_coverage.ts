/** The cases of a list, and the titles of tests that name or prove them. */

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

/** A test that proves a case: a file, and words of a title in it; of a scenario, whose name is its title, the file alone. */
export type Proof = readonly [file: string, words?: string];

/** A case of a table that says where it is asked. */
export interface ProvenCase {
  /** The promise. */
  readonly says: string;
  readonly tests?: readonly Proof[];
  /** The part of it that nothing asks, or, where nothing asks it at all, why. */
  readonly lacks?: string;
}

/** The ids of cases that are asked nowhere and say nothing of it. */
export function unprovenCases(cases: Readonly<Record<string, ProvenCase>>): string[] {
  return Object.entries(cases).filter(([, { tests, lacks }]) => !tests?.length && !lacks).map(([id]) => id);
}

/** The proofs that are not there, each in a line; `read` has the text of a file, and throws where there is none. */
export async function missingProofs(
  cases: Readonly<Record<string, ProvenCase>>,
  read: (file: string) => Promise<string>,
): Promise<string[]> {
  const files = new Map<string, readonly string[] | undefined>();
  const titlesOf = async (file: string) => {
    if (!files.has(file)) files.set(file, await read(file).then(titlesIn, () => undefined));
    return files.get(file);
  };
  const missing: string[] = [];
  for (const [id, { tests = [] }] of Object.entries(cases)) {
    for (const [file, words] of tests) {
      const titles = await titlesOf(file);
      if (titles === undefined) missing.push(`${id}: there is no ${file}`);
      else if (words !== undefined && !titles.some((title) => title.includes(words))) {
        missing.push(`${id}: no title of ${file} has the words ${JSON.stringify(words)}`);
      }
    }
  }
  return missing;
}

/** The lines of a source that hold the title of a test: at its call, as a name, or alone where that takes several lines. */
function titlesIn(source: string): string[] {
  const title = /Deno\.test\(\s*["`]|^\s*(?:name: |title: |\{ name: |async |\.\.\.needs\(.*, )?["`]/;
  return source.split("\n").filter((line) => title.test(line));
}
