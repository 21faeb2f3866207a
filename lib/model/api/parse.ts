/** Parsing: converts JSON of unknown shape to typed objects, or to a list of errors with their places. */
import type { z } from "zod";
import type { CronWorkflow } from "./cron_workflow.ts";
import type { WorkflowEventBinding } from "./event_binding.ts";
import type { FieldError } from "@tiphys/base/field_error";
import { formatPath, type PathSegments, valueAt } from "@tiphys/base/field_path";
import { type KindName, KINDS, type KindTypes } from "./kinds.ts";
import { nestingError } from "@tiphys/base/nesting";
import type { WorkflowArtifactGCTask, WorkflowTaskResult, WorkflowTaskSet } from "./task.ts";
import { unknownFields } from "./unknown_fields.ts";
import type { ClusterWorkflowTemplate, Workflow, WorkflowTemplate } from "./workflow.ts";

/** A parsed object, or its errors. */
export type ParseResult<Type> =
  | { readonly ok: true; readonly value: Type }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * The treatment of unknown fields: as an error (in files of users), or ignored (in objects of newer versions in the
 * cluster).
 */
export type Strictness = "strict" | "lenient";

/** Parses an object of a kind. The input is not changed; unknown fields are not part of the result. */
export function parseKind<Name extends KindName>(
  name: Name,
  value: unknown,
  strictness: Strictness = "strict",
): ParseResult<KindTypes[Name]> {
  const tooDeep = nestingError(value);
  if (tooDeep) return { ok: false, errors: [tooDeep] };
  return parseWith(KINDS[name].schema, value, strictness);
}

/** Parses a value with any schema. */
export function parseWith<Type>(
  schema: z.ZodType<Type>,
  value: unknown,
  strictness: Strictness = "strict",
): ParseResult<Type> {
  const result = schema.safeParse(value);
  const errors = strictness === "strict" ? unknownFields(schema, value) : [];
  if (!result.success) errors.push(...result.error.issues.map((issue) => fieldError(issue, value)));
  return result.success && errors.length === 0 ? { ok: true, value: result.data } : { ok: false, errors };
}

/** Returns the type errors of a value. Missing and unknown fields are not reported, because patches are partial. */
export function typeErrors(schema: z.ZodType, value: unknown): FieldError[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  const errors = issues.map((issue) => ({ issue, segments: segmentsOf(issue) }));
  return errors.filter(({ segments }) => valueAt(value, segments) !== undefined)
    .map(({ issue }) => fieldError(issue, value));
}

/** Parses a Workflow. */
export function parseWorkflow(value: unknown, strictness?: Strictness): ParseResult<Workflow> {
  return parseKind("Workflow", value, strictness);
}

/** Parses a WorkflowTemplate. */
export function parseWorkflowTemplate(value: unknown, strictness?: Strictness): ParseResult<WorkflowTemplate> {
  return parseKind("WorkflowTemplate", value, strictness);
}

/** Parses a ClusterWorkflowTemplate. */
export function parseClusterWorkflowTemplate(
  value: unknown,
  strictness?: Strictness,
): ParseResult<ClusterWorkflowTemplate> {
  return parseKind("ClusterWorkflowTemplate", value, strictness);
}

/** Parses a CronWorkflow. */
export function parseCronWorkflow(value: unknown, strictness?: Strictness): ParseResult<CronWorkflow> {
  return parseKind("CronWorkflow", value, strictness);
}

/** Parses a WorkflowTaskSet. */
export function parseWorkflowTaskSet(value: unknown, strictness?: Strictness): ParseResult<WorkflowTaskSet> {
  return parseKind("WorkflowTaskSet", value, strictness);
}

/** Parses a WorkflowTaskResult. */
export function parseWorkflowTaskResult(value: unknown, strictness?: Strictness): ParseResult<WorkflowTaskResult> {
  return parseKind("WorkflowTaskResult", value, strictness);
}

/** Parses a WorkflowArtifactGCTask. */
export function parseWorkflowArtifactGCTask(
  value: unknown,
  strictness?: Strictness,
): ParseResult<WorkflowArtifactGCTask> {
  return parseKind("WorkflowArtifactGCTask", value, strictness);
}

/** Parses a WorkflowEventBinding. */
export function parseWorkflowEventBinding(value: unknown, strictness?: Strictness): ParseResult<WorkflowEventBinding> {
  return parseKind("WorkflowEventBinding", value, strictness);
}

function fieldError(issue: z.core.$ZodIssue, root: unknown): FieldError {
  const segments = segmentsOf(issue);
  return { path: formatPath(segments), message: describeIssue(issue, segments, valueAt(root, segments)) };
}

function segmentsOf({ path }: z.core.$ZodIssue): PathSegments {
  return path.map((segment) => typeof segment === "symbol" ? String(segment) : segment);
}

function describeIssue(issue: z.core.$ZodIssue, segments: PathSegments, found: unknown): string {
  // In a list, null is a value; anywhere else the field is absent.
  if (found === undefined || found === null && typeof segments.at(-1) !== "number") {
    const isOwnMessage = !issue.message.startsWith("Invalid input") && issue.code !== "invalid_union";
    return isOwnMessage ? issue.message : `${segments.at(-1) ?? "object"} is required`;
  }
  switch (issue.code) {
    case "invalid_type":
      return `expected ${EXPECTED[issue.expected] ?? issue.expected}, got ${describe(found)}${
        issue.expected === "string" ? quotesHint(found) : ""
      }`;
    case "invalid_value":
      return `expected one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}, got ${describe(found)}`;
    case "invalid_union":
      return `${issue.message}, got ${describe(found)}`;
    default:
      return issue.message;
  }
}

/** A hint for an unquoted string that YAML parsed as a boolean. */
function quotesHint(found: unknown): string {
  if (typeof found !== "boolean") return "";
  return "; put the text in quotes: without them, YAML reads y, n, yes, no, on, off, true and false as booleans";
}

const EXPECTED: Readonly<Record<string, string>> = { array: "list", record: "object", int: "integer" };

function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : JSON.stringify(value);
}
