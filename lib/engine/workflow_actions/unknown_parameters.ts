/** Detects parameter names that a workflow does not use, which are usually misspelled. */
import { didYouMean, type Workflow, type WorkflowSpec } from "@tiphys/model/api";

/** The fields of a template object that this module reads. */
export interface TemplateObject {
  readonly kind?: string;
  readonly metadata: { readonly name?: string };
  readonly spec?: WorkflowSpec;
}

/**
 * Returns one warning for each name that neither the workflow nor a referenced template declares or uses. A workflow
 * that reads all its parameters at once, such as with `{{workflow.parameters}}`, uses every name.
 * @param templates the templates that the workflow refers to, directly or through others.
 */
export function unknownParameters(
  { spec }: Pick<Workflow, "spec">,
  templates: readonly TemplateObject[],
  names: Iterable<string>,
): string[] {
  const specs = [spec, ...templates.flatMap((template) => template.spec ?? [])];
  const callees = new Set(specs.flatMap(calleesOf));
  const declared = new Set(specs.flatMap((spec) => parameterNames(spec, callees)));
  const given = [...names].filter((name) => !declared.has(name));
  if (given.length === 0) return [];
  const text = JSON.stringify(specs.map(({ arguments: _, ...rest }) => rest));
  if (READS_ALL.test(text)) return [];
  const used = new Set(Array.from(text.matchAll(READS_ONE), ([, name = ""]) => name));
  return given.filter((name) => !used.has(name)).map((name) =>
    `no parameter ${JSON.stringify(name)}${didYouMean(name, [...declared, ...used])}`
  );
}

/**
 * Same as `unknownParameters`, for a started workflow with its stored templates. Without the stored template of its
 * `workflowTemplateRef`, returns no warnings.
 */
export function unknownParametersOfStarted({ spec, status }: Workflow, names: Iterable<string>): string[] {
  const { storedWorkflowTemplateSpec: stored, storedTemplates = {} } = status ?? {};
  if (spec.workflowTemplateRef && !stored) return [];
  const templates = [...stored ? [stored] : [], { templates: Object.values(storedTemplates) }];
  return unknownParameters({ spec }, templates.map((spec) => ({ metadata: {}, spec })), names);
}

/** Returns the templates that get the arguments of the workflow: its entrypoint and its exit handler. */
function calleesOf({ entrypoint = "", onExit = "", hooks }: WorkflowSpec): string[] {
  return [entrypoint, onExit, hooks?.exit?.template ?? ""];
}

/** Returns the names of the arguments of a spec, and of the inputs of the templates that get them. */
function parameterNames({ arguments: args, templates = [] }: WorkflowSpec, callees: ReadonlySet<string>): string[] {
  const called = templates.filter(({ name = "" }) => callees.has(name));
  const inputs = called.flatMap((template) => template.inputs?.parameters ?? []);
  return [...args?.parameters ?? [], ...inputs].map(({ name }) => name);
}

const READS_ONE = /workflow\.parameters\.([-\w]+)/g;
const READS_ALL = /workflow\.parameters(?!\.(?!json\b))/;
