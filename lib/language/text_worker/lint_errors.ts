/** The errors that lint finds in an object: a task of the thread. */
import { lintFiles, type LintOptions, type Problem } from "../validate/mod.ts";
import { MOST_ERRORS } from "./most_errors.ts";

/** An object, and the stored ones that it refers to among the options. */
export interface LintInput {
  readonly object: unknown;
  readonly options: LintOptions;
}

/** The first errors; warnings are left out. */
export function lintErrors({ object, options }: LintInput): Problem[] {
  const problems = lintFiles([{ name: "0", value: object }], options);
  return problems.filter(({ severity }) => severity !== "warning").slice(0, MOST_ERRORS);
}
