/**
 * The tests: all of them, the examples in comments included, and then which of the cases in `pod_cases.ts` they name; or those of some files or folders.
 *
 *     deno task test
 *     deno task test lib/pod --filter "podSpecPatch"
 */
import { type CaseCoverage, coverageOf } from "./case_coverage.ts";
import { outputOf, passThrough } from "./command.ts";
import { POD_CASES } from "./pod_cases.ts";

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

function report({ covered, missing, unknown }: CaseCoverage): void {
  console.log(`Cases of pods with a test: ${covered.join(" ")}`);
  for (const id of missing) console.log(`${id} has no test: ${POD_CASES[id]}`);
  for (const id of unknown) console.log(`${id} is in the title of a test and on no list`);
}

if (import.meta.main) {
  const code = await passThrough([Deno.execPath(), "test", "-A", "--parallel", "--no-check", "--doc", ...Deno.args]);
  if (Deno.args.length === 0) report(await podCaseCoverage());
  Deno.exit(code);
}
