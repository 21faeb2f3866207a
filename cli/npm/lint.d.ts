/** Types of `tiphys/lint`: checks manifests as `tiphys lint --offline` does. */

/** A problem at one place of a file. */
export interface Problem {
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1. */
  readonly column: number;
  /** Field, such as `spec.templates[2].steps[0][1].template`; empty if the text cannot be parsed. */
  readonly path: string;
  readonly message: string;
  /** An error if absent. */
  readonly severity?: "error" | "warning";
}

export interface LintOptions {
  /** Accepts references to templates that are in none of the files. */
  readonly allowMissingReferences?: boolean;
  /** Objects that the files may reference. */
  readonly stored?: readonly unknown[];
  /** Accepts unknown fields. */
  readonly allowUnknownFields?: boolean;
}

/** Checks one file of YAML or JSON documents. */
export function lintFile(text: string, name: string, options?: LintOptions): Problem[];

/** Checks files that may reference each other's templates. */
export function lintFiles(
  files: readonly { readonly name: string; readonly text: string }[],
  options?: LintOptions,
): Problem[];
