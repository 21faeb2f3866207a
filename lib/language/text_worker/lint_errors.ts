/** Lints an object: a task of the thread. */
import { lintFiles, type LintOptions, type Problem } from "../validate/mod.ts";
import { MAX_ERRORS } from "./max_errors.ts";

/** An object; the options include the stored objects that it refers to. */
export interface LintInput {
  readonly object: unknown;
  readonly options: LintOptions;
}

/** Returns the first errors, without warnings. */
export function lintErrors({ object, options }: LintInput): Problem[] {
  const problems = lintFiles([{ name: "0", value: object }], options);
  return problems.filter(({ severity }) => severity !== "warning").slice(0, MAX_ERRORS);
}
