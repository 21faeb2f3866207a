/** Runs that once ended badly, each as small as it could be made: `kept/NAME.yaml`, run as tests. */
import { type Case, caseOf, readCase, readDocument } from "./case.ts";
import type { Fault } from "./faults.ts";

/** Faults of one run of a case, and what it must not do. */
export interface Kept {
  readonly name: string;
  /** The sentence that the run must prove. */
  readonly about: string;
  readonly case: Case;
  /** The seed for all else that chance decides, as how long pods take. */
  readonly seed: string;
  readonly faults: readonly Fault[];
}

interface Written extends Partial<Omit<Case, "name">> {
  readonly about: string;
  /** The name of a case, where the file has no workflow of its own. */
  readonly case?: string;
  readonly seed?: string;
  readonly faults: readonly Fault[];
}

const FOLDER = new URL("kept/", import.meta.url);
const ANY_SEED = "regression";

/** All of them, in the order of their names. */
export function allKept(): Kept[] {
  const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".yaml")).sort();
  return files.map((file) => {
    const name = file.slice(0, -".yaml".length);
    const written = readDocument(new URL(file, FOLDER)) as Written;
    const { about, seed = ANY_SEED, faults } = written;
    const one = written.case ? readCase(written.case) : caseOf(name, written as Partial<Case>);
    return { name, about, case: one, seed, faults: faults.flatMap(eachOf) };
  });
}

/** `A1 request 3..40` stands for all of those places. */
function eachOf(fault: Fault): Fault[] {
  const [, where, first, last] = /^(.* )(\d+)\.\.(\d+)$/.exec(fault.at) ?? [];
  if (where === undefined) return [fault];
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, index) => ({ ...fault, at: where + (Number(first) + index) }));
}
