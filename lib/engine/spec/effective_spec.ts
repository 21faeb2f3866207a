/**
 * The spec that runs: the workflow over its WorkflowTemplate over the controller's defaults.
 * For a workflow that refers to a template, the result is stored in its status and does not follow later changes.
 */
import { UserError } from "@tiphys/base/user_error";
import { type Arguments, isProblem, type Parameter, type Workflow, type WorkflowSpec } from "@tiphys/model/api";
import { applyStrategicMergePatch } from "@tiphys/kube/patch";
import { storeOf } from "@tiphys/model/artifact/stores";
import { LABEL } from "@tiphys/base/constants";
import type { Slice, StatusDraft } from "../slice.ts";

/** The object that a workflow refers to does not exist, or the workflow may not refer to it. */
export class SpecError extends UserError {
  override readonly name = "SpecError";
}

/**
 * Returns the spec that runs, and stores it in the status if the workflow refers to a template.
 * @throws {SpecError} if the template does not exist or is invalid.
 */
export function effectiveSpec(pass: Slice<StatusDraft>): WorkflowSpec {
  const { workflow } = pass.draft;
  const defaults = pass.facts.config.workflowDefaults;
  const ref = workflow.spec.workflowTemplateRef;
  if (!ref) return mergeSpecs(workflow.spec, undefined, defaults?.spec);
  const stored = workflow.status?.storedWorkflowTemplateSpec;
  if (stored && isCurrent(stored, workflow.spec)) return stored;
  const template = stored ?? referencedSpec(pass);
  labelWithTemplate(pass);
  const spec = mergeSpecs(workflow.spec, template, defaults?.spec);
  pass.draft.setStatus({ storedWorkflowTemplateSpec: spec });
  return spec;
}

/**
 * Whether a stored spec has the workflow's current `suspend` and `shutdown`. A workflow without `shutdown` inherits it
 * from the stored spec, as in Argo: removing it from the workflow does not resume a workflow that was stopped.
 */
export function isCurrent(stored: WorkflowSpec, own: WorkflowSpec): boolean {
  return stored.suspend === own.suspend && (!own.shutdown || own.shutdown === stored.shutdown);
}

/** Labels the workflow with the name of its template. */
export function labelWithTemplate(pass: Slice<StatusDraft>): void {
  const { clusterScope, name = "" } = pass.draft.workflow.spec.workflowTemplateRef!;
  pass.draft.setLabels({ [clusterScope ? LABEL.clusterWorkflowTemplate : LABEL.workflowTemplate]: name });
}

/**
 * Returns the spec of the template that the workflow refers to.
 * @throws {SpecError} if the template does not exist or is invalid.
 */
export function referencedSpec(pass: Slice): WorkflowSpec {
  const ref = pass.draft.workflow.spec.workflowTemplateRef!;
  const found = ref.clusterScope
    ? pass.facts.clusterWorkflowTemplate(ref.name ?? "")
    : pass.facts.workflowTemplate(ref.name ?? "");
  if (isProblem(found)) throw new SpecError(found.message);
  if (found) return found.spec;
  const kind = ref.clusterScope ? "clusterworkflowtemplates" : "workflowtemplates";
  throw new SpecError(`${kind}.argoproj.io "${ref.name}" not found`);
}

/** Merges specs; earlier ones take precedence. Metadata of the defaults is merged by `metadataFromDefaults`. */
export function mergeSpecs(
  own: WorkflowSpec,
  template: WorkflowSpec | undefined,
  defaults: WorkflowSpec | undefined,
): WorkflowSpec {
  if (!template && !defaults) return own;
  let merged = own;
  for (const under of [template, defaults]) if (under) merged = mergeOver(withoutEmptyStrings(merged), under);
  return {
    ...merged,
    // Whether a workflow is suspended is never inherited.
    suspend: own.suspend,
    ...(merged.arguments ? { arguments: mergeArguments(merged.arguments, own.arguments, template?.arguments) } : {}),
  };
}

/** The blocks of a spec in which an empty string inherits the value of the lower layer. */
const BLOCKS = [
  "artifactGC",
  "artifactRepositoryRef",
  "executor",
  "podGC",
  "retryStrategy",
  "templateDefaults",
] as const;

/** Removes empty strings, which count as absent, as in Argo: Helm charts render them for values that nobody has set. */
function withoutEmptyStrings(spec: WorkflowSpec): WorkflowSpec {
  const lean: Record<string, unknown> = withoutEmptyFields(spec);
  for (const name of BLOCKS) if (spec[name]) lean[name] = withoutEmptyFields(spec[name]);
  const { retryStrategy } = spec;
  if (retryStrategy?.backoff) {
    lean.retryStrategy = { ...withoutEmptyFields(retryStrategy), backoff: withoutEmptyFields(retryStrategy.backoff) };
  }
  return lean;
}

function withoutEmptyFields(block: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== ""));
}

function mergeOver(over: WorkflowSpec, under: WorkflowSpec): WorkflowSpec {
  const { hooks, workflowMetadata, ...rest } = under;
  const { labelsFrom, ...metadata } = workflowMetadata ?? {};
  const base = { ...rest, ...(workflowMetadata ? { workflowMetadata: metadata } : {}) };
  const merged = applyStrategicMergePatch(base, over, "WorkflowSpec") as WorkflowSpec;
  return {
    ...merged,
    ...(hooks ? { hooks: { ...hooks, ...merged.hooks } } : {}),
    ...(labelsFrom
      ? {
        workflowMetadata: {
          ...merged.workflowMetadata,
          labelsFrom: { ...labelsFrom, ...merged.workflowMetadata?.labelsFrom },
        },
      }
      : {}),
  };
}

/** Whether a parameter has a source for its value: `value`, `default` or `valueFrom`. */
function hasValue({ value, default: fallback, valueFrom }: Parameter): boolean {
  return value !== undefined || fallback !== undefined || valueFrom !== undefined;
}

function withoutValue({ value: _value, default: _default, valueFrom: _valueFrom, ...others }: Parameter): Parameter {
  return others;
}

/**
 * Takes all of a parameter from the first layer that has a value for it: a value and a source never mix across layers.
 */
function mergeArguments(
  merged: Arguments,
  own: Arguments | undefined,
  template: Arguments | undefined,
): Arguments {
  const find = (args: Arguments | undefined, name: string) =>
    args?.parameters?.find((parameter) => parameter.name === name && hasValue(parameter));
  const parameters = merged.parameters?.map((parameter) => {
    if (!hasValue(parameter)) return parameter;
    const given = find(own, parameter.name);
    // With a template, the workflow's parameter replaces the merged one. Over the defaults alone, it replaces only the
    // value.
    if (given && !template) return { ...withoutValue(parameter), ...given };
    return given ?? find(template, parameter.name) ?? parameter;
  });
  const artifacts = merged.artifacts?.map((artifact) => {
    const named = (args: Arguments | undefined) => args?.artifacts?.find(({ name }) => name === artifact.name);
    const given = named(own) ?? named(template);
    return given ? overlayArtifact(artifact, given) : artifact;
  });
  return { ...merged, ...(parameters ? { parameters } : {}), ...(artifacts ? { artifacts } : {}) };
}

type Artifact = NonNullable<Arguments["artifacts"]>[number];

/** Inherits missing fields from an artifact in the same kind of store; replaces one in another kind of store. */
function overlayArtifact(base: Artifact, over: Artifact): Artifact {
  const store = storeOf(over);
  if (!store || storeOf(base) !== store) return over;
  return { ...over, [store]: { ...base[store] as object, ...over[store] as object } };
}

/** The metadata of the defaults that the workflow lacks. */
export function metadataFromDefaults(
  workflow: Workflow,
  defaults: Partial<Workflow> | undefined,
): { labels: Record<string, string>; annotations: Record<string, string> } {
  const missing = (from: Record<string, string> = {}, have: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(from).filter(([key]) => !(key in have)));
  return {
    labels: missing(defaults?.metadata?.labels, workflow.metadata.labels),
    annotations: missing(defaults?.metadata?.annotations, workflow.metadata.annotations),
  };
}
