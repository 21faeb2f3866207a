/**
 * Checks references of a step or task to others that have not finished when it starts: lint reports them in all fields.
 */
import type { PathSegments, Template, WorkflowSpec } from "@tiphys/model/api";
import { ExpressionError } from "../template/expr/mod.ts";
import { MeterError } from "../template/expr/meter.ts";
import { references } from "../template/references.ts";
import type { FieldLocation, Report } from "./report.ts";
import { visitTexts } from "./texts.ts";

/** Returns the reason why a step or task cannot refer to another one or itself; undefined if it can. */
export type ReferenceProblem = (member: string) => string | undefined;

/**
 * Reports references in the texts of a step or task that can never be resolved. Excludes names whose absence an
 * expression handles, and inline templates of steps or tasks, which have their own names.
 */
export function checkProducers(
  report: Report,
  root: "steps" | "tasks",
  fields: object,
  fieldPath: FieldLocation,
  obstacle: ReferenceProblem,
): void {
  const problemOf = (first: string, member: string | undefined) =>
    first === root && member !== undefined ? obstacle(member) : undefined;
  checkNames(report, fields, fieldPath, { roots: [root], problemOf });
}

/** The reasons why a name cannot be resolved outside of steps, tasks and templates, by its first part. */
const PROBLEMS_OUTSIDE: Readonly<Record<string, string>> = {
  steps: "only a step, or an output of steps, can refer to steps",
  tasks: "only a task, or an output of a DAG, can refer to tasks",
  item: "only a step or task with a loop has items",
  inputs: "only a template has inputs",
};

/** The fields of a spec that are substituted inside templates, where steps and tasks have values. */
const FIELDS_OF_TEMPLATES: ReadonlySet<string> = new Set([
  "arguments",
  "podMetadata",
  "templateDefaults",
  "templates",
  "volumes",
]);

/** The fields of a spec that are substituted once, not for each pod or node. */
const FIELDS_FILLED_ONCE: ReadonlySet<string> = new Set([
  "hooks",
  "podDisruptionBudget",
  "synchronization",
  "volumeClaimTemplates",
  "workflowMetadata",
]);

/** Reports references in the fields of a spec, outside of its templates, that can never be resolved. */
export function checkSpecReferences(report: Report, spec: WorkflowSpec, fieldPath: FieldLocation): void {
  for (const [name, value] of Object.entries(spec)) {
    if (FIELDS_OF_TEMPLATES.has(name)) continue;
    checkReferencesOutside(report, { [name]: value }, fieldPath, !FIELDS_FILLED_ONCE.has(name));
  }
  checkTemplateReferences(
    report,
    spec.templateDefaults ?? {},
    fieldPath.part("spec.templateDefaults", "templateDefaults"),
  );
}

/**
 * Reports references in the fields of a template, except its steps, tasks, inputs and outputs, that can never be
 * resolved.
 */
export function checkTemplateReferences(report: Report, template: Template, fieldPath: FieldLocation): void {
  const { steps: _steps, dag: _dag, inputs: _inputs, outputs: _outputs, ...rest } = template;
  checkReferencesOutside(report, rest, fieldPath);
}

/** Reports references in the default input artifacts of a template that can never be resolved. */
export function checkInputReferences(report: Report, { inputs }: Template, fieldPath: FieldLocation): void {
  checkReferencesOutside(report, { inputs: { artifacts: inputs?.artifacts } }, fieldPath);
}

/** Reports names of steps, tasks and items, and of inputs outside of templates. */
function checkReferencesOutside(report: Report, fields: object, fieldPath: FieldLocation, hasInputs = true): void {
  const roots = Object.keys(PROBLEMS_OUTSIDE).filter((root) => root !== "inputs" || !hasInputs);
  const problemOf = (root: string, member: string | undefined) => {
    const isValue = member !== undefined || root === "item";
    return isValue && roots.includes(root) ? PROBLEMS_OUTSIDE[root] : undefined;
  };
  checkNames(report, fields, fieldPath, { roots, problemOf, isChecked: (path) => !report.hasFinding(path) });
}

interface NameRules {
  /** The first parts of names that may be invalid. */
  readonly roots: readonly string[];
  readonly problemOf: (root: string, member: string | undefined) => string | undefined;
  /** Whether the text at a path is checked. Default: all texts. */
  readonly isChecked?: (path: PathSegments) => boolean;
}

/** Reports invalid references in texts. */
function checkNames(
  report: Report,
  fields: object,
  fieldPath: FieldLocation,
  { roots, problemOf, isChecked: isFirst = () => true }: NameRules,
): void {
  if (!report.judgesExpressions || !fieldPath.isHere) return;
  visitTexts(fields, [], (text, path) => {
    if (!roots.some((root) => text.includes(root)) || !isFirst(fieldPath.pathTo(...path))) return;
    // The condition of a hook or a retry is an expression without braces.
    const isBare = path.at(-1) === "expression" && !text.includes("{{");
    for (const { name, position } of referencesOf(report, isBare ? `{{=${text}}}` : text, fieldPath.pathTo(...path))) {
      const [root = "", member] = name.split(".");
      const problem = problemOf(root, member);
      if (problem === undefined) continue;
      const message = `${fieldPath.name} ${pathText(path)} can never resolve {{${name}}}: ${problem}`.trim();
      const offset = position.offset - (isBare ? "{{=".length : 0);
      report.addFinding(fieldPath.pathTo(...path), { offset, severity: "error", message });
    }
  });
}

/**
 * Returns the references of a text that require a value. Reports an error when the time limit for expressions is
 * exceeded.
 */
function referencesOf(report: Report, text: string, path: PathSegments) {
  try {
    return references(text).filter(({ optional }) => !optional);
  } catch (error) {
    if (error instanceof MeterError) {
      if (report.reportsTimeout(error)) {
        report.addFinding(path, { offset: 0, severity: "error", message: error.reason });
      }
    } else if (!(error instanceof ExpressionError)) throw error; // reported by the check of expressions
    return [];
  }
}

function pathText(path: PathSegments): string {
  return path.map((part, index) => typeof part === "number" ? `[${part}]` : index > 0 ? `.${part}` : part).join("");
}
