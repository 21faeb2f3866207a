/**
 * The tests: all of them, the examples in comments included, or those of some files or folders. After all of them it is
 * said which of the cases in `pod_cases.ts` they name; a case that none names is a failure. Tests that hang are ended, and
 * named.
 *
 *     deno task test
 *     deno task test lib/pod --filter "podSpecPatch"
 */
import { stripVTControlCharacters } from "node:util";
import { type CaseCoverage, coverageOf } from "./case_coverage.ts";
import { outputOf } from "./command.ts";
import { POD_CASES } from "./pod_cases.ts";
import { passThroughWatched } from "./watched.ts";

/** Files whose titles count: unit tests, and the cases that a real cluster proves. */
const TITLED = /(_test|\/e2e\/.*)\.ts$/;

async function podCaseCoverage(): Promise<CaseCoverage> {
  const root = new URL("../", import.meta.url);
  const listed = await outputOf(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root.pathname,
  });
  const files = listed.split("\0").filter((file) => TITLED.test(file));
  const sources = await Promise.all(files.map((file) => Deno.readTextFile(new URL(file, root)).catch(() => "")));
  return coverageOf(Object.keys(POD_CASES), sources);
}

/** The time without the end of a test after which all are ended: the longest of them takes less than two minutes. */
const SILENT_MINUTES = 5;

/** Whether a line of `deno test` tells of the end of a test, or of what comes before the first. */
export function getsOn(line: string): boolean {
  const plain = stripVTControlCharacters(line);
  return / \.\.\. (?:ok|FAILED|ignored)\b|^(?:Download|Check|Initialize) /.test(plain);
}

/** Prints what was found; false when a case has no test, or a title names a case that there is not. */
function report({ covered, missing, unknown }: CaseCoverage): boolean {
  console.log(`Cases of pods with a test: ${covered.join(" ")}`);
  for (const id of missing) console.log(`${id} has no test: ${POD_CASES[id]}`);
  for (const id of unknown) console.log(`${id} is in the title of a test and on no list`);
  return missing.length === 0 && unknown.length === 0;
}

if (import.meta.main) {
  const { code, wasSilent } = await passThroughWatched(
    [Deno.execPath(), "test", "-A", "--parallel", "--no-check", "--doc", ...Deno.args],
    SILENT_MINUTES * 60_000,
    { getsOn },
  );
  if (wasSilent) console.log(`deno test was ended: no test came to its end within ${SILENT_MINUTES} minutes`);
  const isCovered = Deno.args.length > 0 || wasSilent || report(await podCaseCoverage());
  // Deno ends with 1 when tests failed, and says which; with another code the run itself broke off.
  if (code > 1) console.log(`deno test broke off with exit code ${code}${code > 128 ? ` (signal ${code - 128})` : ""}`);
  Deno.exit(code || (isCovered ? 0 : 1));
}
