/** Documents checked as they will be created: what the command line changes is part of it. */
import type { KubeObject } from "../../lib/kube/mod.ts";
import { formatProblem, type LintOptions, type Problem } from "../../lib/validate/mod.ts";
import { lintObjects } from "../../lib/workflow_service/lint_objects.ts";
import { referenceName } from "../../lib/workflow_service/mod.ts";
import { positionOf } from "../../lib/yaml/mod.ts";
import { badInput } from "../command_error.ts";
import { firstError } from "../../lib/yaml/first_error.ts";
import { type InputDocument, isOurs, objectOf } from "./input_documents.ts";

/** Options of checking documents. */
export interface CheckOptions extends LintOptions {
  /** Templates that are there already and may be referred to. */
  readonly stored?: readonly KubeObject[];
}

/** Something wrong, and the document it is in. */
export interface DocumentProblem extends Problem {
  readonly document: InputDocument;
}

/** Everything that is wrong with the documents, each with its place in the file it came from. */
export function checkDocuments(documents: readonly InputDocument[], options: CheckOptions = {}): DocumentProblem[] {
  const unreadable = documents.flatMap((document) => {
    const error = firstError(document.source);
    return error ? [{ ...error, file: document.file, path: "", document }] : [];
  });
  const readable = documents.filter(({ source }) => source.errors.length === 0);
  const given = new Set(readable.map((document) => nameOf(objectOf(document))));
  const stored = (options.stored ?? []).filter((object) => !given.has(nameOf(object)));
  const meant = lintObjects(readable.map(({ value }) => value), stored, options).flatMap((problem) => {
    const document = readable[Number(problem.file)];
    return document === undefined
      ? []
      : { ...problem, ...positionOf(document.source, problem.path, problem.offset), file: document.file, document };
  });
  return [...unreadable, ...meant];
}

/**
 * Reasons against creating the documents: all that a server would refuse. The values of expressions are left to
 * the run; lint tells.
 */
export function refusals(documents: readonly InputDocument[], options: CheckOptions = {}): DocumentProblem[] {
  return checkDocuments(documents, { ...options, skipExpressions: true });
}

/**
 * Refuses documents that something is wrong with.
 * @throws {CommandError} with one line for each problem: file, line, column, field.
 */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw badInput(problems.map(formatProblem).join("\n"));
}

function nameOf(object: KubeObject | undefined): string {
  return isOurs(object) ? referenceName(object!) : "";
}
