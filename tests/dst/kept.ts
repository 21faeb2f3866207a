/** Runs that once failed, each reduced as far as possible: `kept/NAME.yaml`, run as tests. */
import { type Case, caseOf, readCase, readDocument } from "./case.ts";
import type { Fault } from "./faults.ts";

/** Faults of one run of a case, and the behavior that it must prove. */
export interface Regression {
  readonly name: string;
  /** The statement that the run must prove. */
  readonly about: string;
  readonly case: Case;
  /** The seed of all other random decisions, such as how long pods take. */
  readonly seed: string;
  readonly faults: readonly Fault[];
}

interface RegressionFile extends Partial<Omit<Case, "name">> {
  readonly about: string;
  /** The name of a case, if the file has no workflow. */
  readonly case?: string;
  readonly seed?: string;
  readonly faults: readonly Fault[];
}

const FOLDER = new URL("kept/", import.meta.url);
const ANY_SEED = "regression";

/** All regressions, ordered by name. */
export function allRegressions(): Regression[] {
  const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".yaml")).sort();
  return files.map((file) => {
    const name = file.slice(0, -".yaml".length);
    const written = readDocument(new URL(file, FOLDER)) as RegressionFile;
    const { about, seed = ANY_SEED, faults } = written;
    const testCase = written.case ? readCase(written.case) : caseOf(name, written as Partial<Case>);
    return { name, about, case: testCase, seed, faults: faults.flatMap(eachOf) };
  });
}

/** Expands `A1 request 3..40` to all of those places. */
function eachOf(fault: Fault): Fault[] {
  const [, where, first, last] = /^(.* )(\d+)\.\.(\d+)$/.exec(fault.at) ?? [];
  if (where === undefined) return [fault];
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, index) => ({ ...fault, at: where + (Number(first) + index) }));
}
