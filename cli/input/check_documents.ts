/** Documents checked as they will be created: what the command line changes is part of it. */
import type { KubeObject } from "@tiphys/kube";
import { formatProblem, type LintOptions, type Problem } from "@tiphys/language/validate";
import { lintObjects } from "@tiphys/service/lint_objects";
import { referenceName } from "@tiphys/service";
import { positionOf } from "@tiphys/model/yaml";
import { badInput } from "../command_error.ts";
import { firstError } from "@tiphys/model/yaml/first_error";
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
