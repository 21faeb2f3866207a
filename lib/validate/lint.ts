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
} from "../api/mod.ts";
import { parseYaml, positionOf, type YamlDocument } from "../yaml/mod.ts";
import type { TemplateLookup } from "./context.ts";
import { type Finding, Report } from "./report.ts";
import { checkClusterWorkflowTemplate, checkCronWorkflow, checkWorkflow, checkWorkflowTemplate } from "./workflow.ts";

/** A text to be checked. */
export interface LintFile {
  readonly name: string;
  readonly text: string;
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
  /** Where in the field's text, as a UTF-16 offset; left out where the field as a whole is meant. */
  readonly offset?: number;
}

/** How files are checked. */
export interface LintOptions {
  /** A reference to a template that none of the files holds is no problem: it may be in the cluster. */
  readonly allowMissingReferences?: boolean;
  /** Expressions are left to the run, as a server does when something is submitted. */
  readonly skipExpressions?: boolean;
}

/** Checks one file. */
export function lintFile(text: string, filename: string, options?: LintOptions): Problem[] {
  return lintFiles([{ name: filename, text }], options);
}

/** Checks files that may refer to each other's templates. Documents of other groups are passed over. */
export function lintFiles(files: readonly LintFile[], options: LintOptions = {}): Problem[] {
  const documents = files.flatMap(({ name, text }) => parseYaml(text).map((document) => ({ file: name, document })));
  const lookup = lookupAmong(documents.map(({ document }) => document.value), options);
  return documents.flatMap(({ file, document }) =>
    lintDocument(document, lookup, options)
      .map((problem) => ({ file, ...problem }))
      .sort((a, b) => a.line - b.line || a.column - b.column)
  );
}

/** One line for a problem, as compilers write it: `file:line:column: path: message`. */
export function formatProblem({ file, line, column, path, message, severity }: Problem): string {
  return `${file}:${line}:${column}: ${severity === "warning" ? "warning: " : ""}${
    path === "" ? "" : `${path}: `
  }${message}`;
}

type Found = FieldError | Finding;

function lintDocument(
  document: YamlDocument,
  lookup: TemplateLookup,
  options: LintOptions,
): Omit<Problem, "file">[] {
  if (document.errors.length > 0) return document.errors.map((error) => ({ ...error, path: "" }));
  return objectErrors(document.value, lookup, options).map((error) => ({
    ...positionOf(document, error.path, "offset" in error ? error.offset : undefined),
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
    if (apiVersion !== API_VERSION) return [];
    return [{ path: "kind", message: `unknown kind ${JSON.stringify(kind)}${didYouMean(kind, Object.keys(KINDS))}` }];
  }
  const missing = typeof apiVersion === "string" ? "kind" : "apiVersion";
  return [{ path: missing, message: `${missing} is required` }];
}

function kindErrors(
  kind: KindName,
  value: Json,
  lookup: TemplateLookup,
  { skipExpressions }: LintOptions,
): readonly Found[] {
  const strict = parseKind(kind, value, "strict");
  const errors = strict.ok ? [] : [...strict.errors];
  const parsed = strict.ok ? strict : parseKind(kind, value, "lenient");
  if (!parsed.ok) return errors;
  const { name, generateName } = parsed.value.metadata;
  if (!name && !generateName) errors.push({ path: "metadata", message: "name or generateName is required" });
  const report = new Report(!skipExpressions);
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
  const find = <Name extends "WorkflowTemplate" | "ClusterWorkflowTemplate">(kind: Name, name: string) => {
    for (const value of values) {
      const parsed = isObjectOf(kind, value) ? parseKind(kind, value, "lenient") : undefined;
      if (parsed?.ok && parsed.value.metadata.name === name) return parsed.value;
    }
    return undefined;
  };
  return {
    allowMissing: allowMissingReferences,
    workflowTemplate: (name) => find("WorkflowTemplate", name),
    clusterWorkflowTemplate: (name) => find("ClusterWorkflowTemplate", name),
  };
}

function isObjectOf(kind: KindName, value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && value.kind === kind;
}
