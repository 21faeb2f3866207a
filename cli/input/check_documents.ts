/** Checks documents as they will be created, with the changes of the command line. */
import type { KubeObject } from "@tiphys/kube";
import { formatProblem, type LintOptions, type Problem } from "@tiphys/language/validate";
import { lintObjects } from "@tiphys/service/lint_objects";
import { referenceName } from "@tiphys/service/stored";
import { positionOf } from "@tiphys/model/yaml";
import { badInput } from "../command_error.ts";
import { firstError } from "@tiphys/model/yaml/first_error";
import { helmTag, RENDER_HELM } from "./helm_template.ts";
import { type InputDocument, isOfArgo, objectOf } from "./input_documents.ts";

/** Options of checking documents. */
export interface CheckOptions extends LintOptions {
  /** Existing templates that the documents may refer to. */
  readonly stored?: readonly KubeObject[];
}

/** A problem and its document. */
export interface DocumentProblem extends Problem {
  readonly document: InputDocument;
}

/** Returns all problems of the documents, each with its position in its file. */
export function checkDocuments(documents: readonly InputDocument[], options: CheckOptions = {}): DocumentProblem[] {
  const unreadable = documents.flatMap((document) => {
    const error = commentError(document) ?? firstError(document.source);
    if (!error) return [];
    const isHelm = helmTag(document.source.text) !== undefined;
    const message = isHelm ? `${error.message}: ${RENDER_HELM}` : error.message;
    return [{ ...error, message, file: document.file, path: "", document }];
  });
  const readable = documents.filter((document) => document.source.errors.length === 0 && !commentError(document));
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

/** The error of a document that begins with a comment of JavaScript, which YAML reads as a key or as text. */
function commentError({ source }: InputDocument) {
  if (!/^\s*(?:\{\s*)?\/[/*]/.test(source.text)) return undefined;
  return { ...positionOf(source, ""), message: "comments begin with # in YAML; JSON does not support comments" };
}

/**
 * Returns the problems for which a server would reject the documents. Expressions are not checked: only lint reports
 * problems in them.
 */
export function checkAsServer(documents: readonly InputDocument[], options: CheckOptions = {}): DocumentProblem[] {
  return checkDocuments(documents, { ...options, skipExpressions: true });
}

/**
 * @throws {CommandError} if there are problems, with one line for each: file, line, column, field.
 */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw badInput(problems.map(formatProblem).join("\n"));
}

function nameOf(object: KubeObject | undefined): string {
  return isOfArgo(object) ? referenceName(object!) : "";
}
