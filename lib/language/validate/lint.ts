/** Whole files: every document of ours in them, parsed strictly and checked, each problem with its line and column. */
import {
  API_VERSION,
  didYouMean,
  type FieldError,
  isKindName,
  type Json,
  type KindName,
  KINDS,
  type KindTypes,
  parseKind,
} from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { nearestName } from "@tiphys/base/nearest_name";
import { EvaluationMeter, withMeter } from "../template/expr/meter.ts";
import { parseYaml, positionOf, type YamlDocument } from "@tiphys/model/yaml";
import type { TemplateLookup } from "./context.ts";
import { problemText } from "./problem_text.ts";
import { type Finding, Report } from "./report.ts";
import { checkClusterWorkflowTemplate, checkCronWorkflow, checkWorkflow, checkWorkflowTemplate } from "./workflow.ts";
import { isObject } from "@tiphys/base/fields_of";

/** A text to be checked. */
export interface LintFile {
  readonly name: string;
  readonly text: string;
}

/** An object to be checked, as a JSON value: its text is read only where something is wrong, for the place of that. */
export interface LintValue {
  readonly name: string;
  readonly value: unknown;
}

/** Something wrong at one place of a file. */
export interface Problem {
  readonly file: string;
  /** Counted from 1, as `column`. */
  readonly line: number;
  readonly column: number;
  /** The field, as `spec.templates[2].steps[0][1].template`; empty when the text itself cannot be read. */
  readonly path: string;
  readonly message: string;
  /** A warning works, but hardly as it is meant; left out, it is an error. */
  readonly severity?: "error" | "warning";
  /** The UTF-16 offset in the field's text; left out where the field as a whole is meant. */
  readonly offset?: number;
}

/** The options for checking files. */
export interface LintOptions {
  /** A reference to a template that none of the files holds is no problem: it may be in the cluster. */
  readonly allowMissingReferences?: boolean;
  /** Objects that the files may refer to, and that are not checked themselves. One of the files of the same kind and name counts. */
  readonly stored?: readonly unknown[];
  /** Workflows are submitted as they are: an argument without a value is a problem. */
  readonly isSubmission?: boolean;
  /** Expressions are left to the run, as a server does when something is submitted. */
  readonly skipExpressions?: boolean;
  /** A field that its kind does not have is no problem, and does nothing. */
  readonly allowUnknownFields?: boolean;
  /** The greatest number of nodes that a workflow may have, where that is not the usual limit. */
  readonly nodes?: number;
  /** A clock in milliseconds that never goes back: each document has so much time for expressions as a pass has. */
  readonly elapsed?: () => number;
}

/** Checks one file. */
export function lintFile(text: string, filename: string, options?: LintOptions): Problem[] {
  return lintFiles([{ name: filename, text }], options);
}

/** Checks files that may refer to each other's templates. Documents of other groups are passed over. */
export function lintFiles(files: readonly (LintFile | LintValue)[], options: LintOptions = {}): Problem[] {
  return lintDocuments(files.flatMap((file) => "text" in file ? documentsOf(file) : objectOf(file)), options);
}

/** Checks a file as {@link lintFile} does, and tells the object that it means, where it means one alone: it is read once. */
export function lintManifest(
  text: string,
  filename: string,
  options: LintOptions = {},
): { readonly problems: Problem[]; readonly object: Json | undefined } {
  const documents = documentsOf({ name: filename, text });
  const [document, ...more] = documents;
  const isOne = document !== undefined && more.length === 0 && document.errors.length === 0;
  return { problems: lintDocuments(documents, options), object: isOne ? document.value : undefined };
}

function lintDocuments(documents: readonly Lintable[], options: LintOptions): Problem[] {
  const lookup = lookupAmong([...documents.map(({ value }) => value), ...(options.stored ?? []) as Json[]], options);
  const now = options.elapsed ?? (() => performance.now());
  const times = { all: LIMITS.passEvaluationMillis, single: LIMITS.evaluationMillis };
  return documents.flatMap((document) =>
    withMeter(new EvaluationMeter({ now, ...times }), () => lintDocument(document, lookup, options))
      .map((problem) => ({ file: document.file, ...problem }))
      .sort((a, b) => a.line - b.line || a.column - b.column)
  );
}

/** A document of a file, or an object. */
interface Lintable extends Pick<YamlDocument, "value" | "errors"> {
  readonly file: string;
  /** The document with its places. */
  readonly read: () => YamlDocument | undefined;
}

function documentsOf({ name, text }: LintFile): Lintable[] {
  return parseYaml(text).map((document) => ({
    file: name,
    value: document.value,
    errors: document.errors,
    read: () => document,
  }));
}

function objectOf({ name, value }: LintValue): Lintable[] {
  const text = JSON.stringify(value);
  const read = () => parseYaml(text)[0];
  // A value that is null is no document.
  return value === null ? [] : [{ file: name, value: JSON.parse(text) as Json, errors: [], read }];
}

/** One line for a problem, as compilers write it: `file:line:column: path: message`. */
export function formatProblem({ file, line, column, severity, ...problem }: Problem): string {
  return `${file}:${line}:${column}: ${severity === "warning" ? "warning: " : ""}${problemText(problem)}`;
}

type Found = FieldError | Finding;

function lintDocument(document: Lintable, lookup: TemplateLookup, options: LintOptions): Omit<Problem, "file">[] {
  if (document.errors.length > 0) return document.errors.map((error) => ({ ...error, path: "" }));
  const found = objectErrors(document.value, lookup, options);
  const read = found.length > 0 ? document.read() : undefined;
  return found.map((error) => ({
    ...(read ? positionOf(read, error.path, "offset" in error ? error.offset : undefined) : { line: 1, column: 1 }),
    ...error,
  }));
}

function objectErrors(value: Json, lookup: TemplateLookup, options: LintOptions): readonly Found[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ path: "", message: "expected a Kubernetes object" }];
  }
  const { apiVersion, kind } = value;
  if (isKindName(kind) && apiVersion === API_VERSION) return kindErrors(kind, value, lookup, options);
  if (typeof apiVersion === "string" && typeof kind === "string") {
    if (isKindName(kind) && apiVersion.startsWith("argoproj.io/")) {
      return [{ path: "apiVersion", message: `expected ${API_VERSION}, got ${apiVersion}` }];
    }
    if (apiVersion !== API_VERSION || !isMisspelled(kind)) return [];
    return [{ path: "kind", message: `unknown kind ${JSON.stringify(kind)}${didYouMean(kind, Object.keys(KINDS))}` }];
  }
  const missing = typeof apiVersion === "string" ? "kind" : "apiVersion";
  return [{ path: missing, message: `${missing} is required` }];
}

/** Whether a kind is most likely one of ours with a slip: `Sensor` and `Application` are kinds of other projects. */
function isMisspelled(kind: string): boolean {
  return nearestName(kind, Object.keys(KINDS)) !== undefined;
}

/**
 * Whether a document is meant to be of one of our kinds: a file of values, a kustomization or an object of another project
 * is not. One that lacks its apiVersion, or has a kind that is misspelled, is.
 */
export function isLintable(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { apiVersion, kind } = value;
  if (typeof kind !== "string") return typeof apiVersion === "string" && apiVersion.startsWith("argoproj.io/");
  if (typeof apiVersion === "string" && !apiVersion.startsWith("argoproj.io/")) return false;
  return isKindName(kind) || isMisspelled(kind);
}

function kindErrors(
  kind: KindName,
  value: Json,
  lookup: TemplateLookup,
  { skipExpressions, allowUnknownFields, nodes, isSubmission }: LintOptions,
): readonly Found[] {
  const strict = parseKind(kind, value, allowUnknownFields ? "lenient" : "strict");
  const errors = strict.ok ? [] : [...strict.errors];
  const parsed = strict.ok ? strict : parseKind(kind, value, "lenient");
  if (!parsed.ok) return errors;
  const { name, generateName } = parsed.value.metadata;
  if (!name && !generateName) errors.push({ path: "metadata", message: "name or generateName is required" });
  const report = new Report(!skipExpressions, nodes, isSubmission);
  checkMeaning(report, kind, parsed.value, lookup);
  return [...errors, ...report.errors, ...report.findings];
}

function checkMeaning<Name extends KindName>(
  report: Report,
  kind: Name,
  object: KindTypes[Name],
  lookup: TemplateLookup,
): void {
  switch (kind) {
    case "Workflow":
      return checkWorkflow(report, object as KindTypes["Workflow"], lookup);
    case "WorkflowTemplate":
      return checkWorkflowTemplate(report, object as KindTypes["WorkflowTemplate"], lookup);
    case "ClusterWorkflowTemplate":
      return checkClusterWorkflowTemplate(report, object as KindTypes["ClusterWorkflowTemplate"], lookup);
    case "CronWorkflow":
      return checkCronWorkflow(report, object as KindTypes["CronWorkflow"], lookup);
  }
}

/** Finds templates among the documents at hand. */
function lookupAmong(values: readonly Json[], { allowMissingReferences }: LintOptions): TemplateLookup {
  const find = <Name extends "WorkflowTemplate" | "ClusterWorkflowTemplate">(kind: Name) => {
    let byName: Map<string, KindTypes[Name]> | undefined;
    return (name: string) => (byName ??= templatesOf(kind, values)).get(name);
  };
  return {
    allowMissing: allowMissingReferences,
    workflowTemplate: find("WorkflowTemplate"),
    clusterWorkflowTemplate: find("ClusterWorkflowTemplate"),
  };
}

/** Templates of a kind that can be read, by name; of several with one name the first counts. */
function templatesOf<Name extends "WorkflowTemplate" | "ClusterWorkflowTemplate">(
  kind: Name,
  values: readonly Json[],
): Map<string, KindTypes[Name]> {
  const found = new Map<string, KindTypes[Name]>();
  for (const value of values) {
    const parsed = isObjectOf(kind, value) ? parseKind(kind, value, "lenient") : undefined;
    const name = parsed?.ok ? parsed.value.metadata.name : undefined;
    if (parsed?.ok && name !== undefined && !found.has(name)) found.set(name, parsed.value);
  }
  return found;
}

function isObjectOf(kind: KindName, value: Json): boolean {
  return isObject(value) && value.kind === kind;
}
