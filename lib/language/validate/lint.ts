/** Lints files: strictly parses and checks their documents, with line and column of each problem. */
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

/** A text to check. */
export interface LintFile {
  readonly name: string;
  readonly text: string;
}

/** An object to check, as a JSON value. It is formatted as text only to get the position of a problem. */
export interface LintValue {
  readonly name: string;
  readonly value: unknown;
}

/** A problem at a position of a file. */
export interface Problem {
  readonly file: string;
  /** Line and column start at 1. */
  readonly line: number;
  readonly column: number;
  /** The field, such as `spec.templates[2].steps[0][1].template`; empty for a syntax error. */
  readonly path: string;
  readonly message: string;
  /** A warning is valid but probably a mistake. Default: error. */
  readonly severity?: "error" | "warning";
  /** The UTF-16 offset in the field's text; undefined for the field as a whole. */
  readonly offset?: number;
}

/** Options of linting. */
export interface LintOptions {
  /** Allows references to templates that are not in the files and may be in the cluster. */
  readonly allowMissingReferences?: boolean;
  /**
   * Objects that the files may refer to, which are not checked. Files take precedence over stored objects of the same
   * kind and name.
   */
  readonly stored?: readonly unknown[];
  /** Workflows are submitted unchanged, so that an argument without a value is a problem. */
  readonly isSubmission?: boolean;
  /** Does not check expressions, as on submission to a server. */
  readonly skipExpressions?: boolean;
  /** Allows unknown fields, which have no effect. */
  readonly allowUnknownFields?: boolean;
  /** Maximum number of nodes of a workflow, if it differs from the default. */
  readonly nodes?: number;
  /** A monotonic clock in milliseconds: the time limit for expressions of each document is that of a pass. */
  readonly elapsed?: () => number;
}

/** Lints one file. */
export function lintFile(text: string, filename: string, options?: LintOptions): Problem[] {
  return lintFiles([{ name: filename, text }], options);
}

/** Lints files that may refer to each other's templates. Documents of other API groups are ignored. */
export function lintFiles(files: readonly (LintFile | LintValue)[], options: LintOptions = {}): Problem[] {
  return lintDocuments(files.flatMap((file) => "text" in file ? documentsOf(file) : objectOf(file)), options);
}

/**
 * Lints a file as {@link lintFile} does, and also returns its object if there is exactly one, so that the text is
 * parsed once.
 */
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
  /** Returns the document with its positions. */
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
  // A null value is not a document.
  return value === null ? [] : [{ file: name, value: JSON.parse(text) as Json, errors: [], read }];
}

/** Formats a problem on one line, as compilers do: `file:line:column: path: message`. */
export function formatProblem({ file, line, column, severity, ...problem }: Problem): string {
  return `${file}:${line}:${column}: ${severity === "warning" ? "warning: " : ""}${problemText(problem)}`;
}

type LintError = FieldError | Finding;

function lintDocument(document: Lintable, lookup: TemplateLookup, options: LintOptions): Omit<Problem, "file">[] {
  if (document.errors.length > 0) return document.errors.map((error) => ({ ...error, path: "" }));
  const found = objectErrors(document.value, lookup, options);
  const read = found.length > 0 ? document.read() : undefined;
  return found.map((error) => ({
    ...(read ? positionOf(read, error.path, "offset" in error ? error.offset : undefined) : { line: 1, column: 1 }),
    ...error,
  }));
}

function objectErrors(value: Json, lookup: TemplateLookup, options: LintOptions): readonly LintError[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ path: "", message: "expected a Kubernetes object" }];
  }
  const { apiVersion, kind } = value;
  if (isKindName(kind) && apiVersion === API_VERSION) return kindErrors(kind, value, lookup, options);
  if (typeof apiVersion === "string" && typeof kind === "string") {
    if (isKindName(kind) && apiVersion.startsWith("argoproj.io/")) {
      return [{ path: "apiVersion", message: `expected ${API_VERSION}, got ${apiVersion}` }];
    }
    if (apiVersion !== API_VERSION || !isMisspelledKind(kind)) return [];
    return [{ path: "kind", message: `unknown kind ${JSON.stringify(kind)}${didYouMean(kind, Object.keys(KINDS))}` }];
  }
  const missing = typeof apiVersion === "string" ? "kind" : "apiVersion";
  return [{ path: missing, message: `${missing} is required` }];
}

/** Whether a kind is probably a misspelled one of ours; `Sensor` and `Application` are kinds of other projects. */
function isMisspelledKind(kind: string): boolean {
  return nearestName(kind, Object.keys(KINDS)) !== undefined;
}

/**
 * Whether a document is probably meant as one of our kinds, including those without apiVersion or with a misspelled
 * kind; files of values, kustomizations and objects of other projects are not.
 */
export function isLintable(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { apiVersion, kind } = value;
  if (typeof kind !== "string") return typeof apiVersion === "string" && apiVersion.startsWith("argoproj.io/");
  if (typeof apiVersion === "string" && !apiVersion.startsWith("argoproj.io/")) return false;
  return isKindName(kind) || isMisspelledKind(kind);
}

function kindErrors(
  kind: KindName,
  value: Json,
  lookup: TemplateLookup,
  { skipExpressions, allowUnknownFields, nodes, isSubmission }: LintOptions,
): readonly LintError[] {
  const strict = parseKind(kind, value, allowUnknownFields ? "lenient" : "strict");
  const errors = strict.ok ? [] : [...strict.errors];
  const parsed = strict.ok ? strict : parseKind(kind, value, "lenient");
  if (!parsed.ok) return errors;
  const { name, generateName } = parsed.value.metadata;
  if (!name && !generateName) errors.push({ path: "metadata", message: "name or generateName is required" });
  const report = new Report(!skipExpressions, nodes, isSubmission);
  semanticErrors(report, kind, parsed.value, lookup);
  return [...errors, ...report.errors, ...report.findings];
}

function semanticErrors<Name extends KindName>(
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

/** Resolves templates among the documents. */
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

/** Returns the valid templates of a kind by name; the first of each name. */
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
