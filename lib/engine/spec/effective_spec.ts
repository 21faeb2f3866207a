/**
 * The spec that runs: the workflow over its WorkflowTemplate over the controller's defaults.
 * For a workflow that refers to a template the result is stored in its status, and stays what it was.
 */
import { UserError } from "@tiphys/base/user_error";
import { type Arguments, isProblem, type Parameter, type Workflow, type WorkflowSpec } from "@tiphys/model/api";
import { applyStrategicMergePatch } from "@tiphys/kube/patch";
import { storeOf } from "@tiphys/model/artifact/stores";
import { LABEL } from "@tiphys/base/constants";
import type { Slice, StatusDraft } from "../slice.ts";

/** The object that a workflow refers to is not there, or may not be referred to. */
export class SpecError extends UserError {
  override readonly name = "SpecError";
}

/**
 * Finds the spec that runs, and stores it where the workflow refers to a template.
 * @throws {SpecError} when there is none.
 */
export function effectiveSpec(pass: Slice<StatusDraft>): WorkflowSpec {
  const { workflow } = pass.draft;
  const defaults = pass.facts.config.workflowDefaults;
  const ref = workflow.spec.workflowTemplateRef;
  if (!ref) return mergeSpecs(workflow.spec, undefined, defaults?.spec);
  const stored = workflow.status?.storedWorkflowTemplateSpec;
  if (stored && isCurrent(stored, workflow.spec)) return stored;
  const template = stored ?? referredSpec(pass);
  labelWithTemplate(pass);
  const spec = mergeSpecs(workflow.spec, template, defaults?.spec);
  pass.draft.setStatus({ storedWorkflowTemplateSpec: spec });
  return spec;
}

/**
 * Whether a stored spec says how the workflow is suspended and shut down. A shutdown comes from below where the workflow has
 * none of its own, as in Argo: who takes his own back does not start again what was stopped.
 */
export function isCurrent(stored: WorkflowSpec, own: WorkflowSpec): boolean {
  return stored.suspend === own.suspend && (!own.shutdown || own.shutdown === stored.shutdown);
}

/** Gives the workflow the label that names its template. */
export function labelWithTemplate(pass: Slice<StatusDraft>): void {
  const { clusterScope, name = "" } = pass.draft.workflow.spec.workflowTemplateRef!;
  pass.draft.setLabels({ [clusterScope ? LABEL.clusterWorkflowTemplate : LABEL.workflowTemplate]: name });
}

/**
 * The spec of the template that the workflow refers to.
 * @throws {SpecError} when there is none.
 */
export function referredSpec(pass: Slice): WorkflowSpec {
  const ref = pass.draft.workflow.spec.workflowTemplateRef!;
  const found = ref.clusterScope
    ? pass.facts.clusterWorkflowTemplate(ref.name ?? "")
    : pass.facts.workflowTemplate(ref.name ?? "");
  if (isProblem(found)) throw new SpecError(found.message);
  if (found) return found.spec;
  const kind = ref.clusterScope ? "clusterworkflowtemplates" : "workflowtemplates";
  throw new SpecError(`${kind}.argoproj.io "${ref.name}" not found`);
}

/** Joins specs; earlier ones win. Metadata of the defaults is not looked at here. */
export function mergeSpecs(
  own: WorkflowSpec,
  template: WorkflowSpec | undefined,
  defaults: WorkflowSpec | undefined,
): WorkflowSpec {
  if (!template && !defaults) return own;
  let merged = own;
  for (const under of [template, defaults]) if (under) merged = mergeOver(withoutEmptyTexts(merged), under);
  return {
    ...merged,
    // Whether a workflow is suspended is never inherited.
    suspend: own.suspend,
    ...(merged.arguments ? { arguments: joinArguments(merged.arguments, own.arguments, template?.arguments) } : {}),
  };
}

/** The blocks of a spec whose texts come from below where they are empty. */
const BLOCKS = [
  "artifactGC",
  "artifactRepositoryRef",
  "executor",
  "podGC",
  "retryStrategy",
  "templateDefaults",
] as const;

/** A text of a field that is empty is one that is not there, as in Argo: charts write them for what nobody has set. */
function withoutEmptyTexts(spec: WorkflowSpec): WorkflowSpec {
  const lean: Record<string, unknown> = leanBlock(spec);
  for (const name of BLOCKS) if (spec[name]) lean[name] = leanBlock(spec[name]);
  const { retryStrategy } = spec;
  if (retryStrategy?.backoff) {
    lean.retryStrategy = { ...leanBlock(retryStrategy), backoff: leanBlock(retryStrategy.backoff) };
  }
  return lean;
}

function leanBlock(block: object): Record<string, unknown> {
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

/** Whether a parameter says where its value comes from, in any of the three ways. */
function hasValue({ value, default: fallback, valueFrom }: Parameter): boolean {
  return value !== undefined || fallback !== undefined || valueFrom !== undefined;
}

function withoutValue({ value: _value, default: _default, valueFrom: _valueFrom, ...others }: Parameter): Parameter {
  return others;
}

/** A parameter comes whole from the first place that gives it a value: never a value here with a source from there. */
function joinArguments(
  merged: Arguments,
  own: Arguments | undefined,
  template: Arguments | undefined,
): Arguments {
  const find = (args: Arguments | undefined, name: string) =>
    args?.parameters?.find((parameter) => parameter.name === name && hasValue(parameter));
  const parameters = merged.parameters?.map((parameter) => {
    if (!hasValue(parameter)) return parameter;
    const given = find(own, parameter.name);
    // Beside a template the workflow's own parameter says everything; over the defaults alone only where its value comes from.
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

/** Fields of the same store are filled up from below; an artifact of another store replaces the one below whole. */
function overlayArtifact(base: Artifact, over: Artifact): Artifact {
  const store = storeOf(over);
  if (!store || storeOf(base) !== store) return over;
  return { ...over, [store]: { ...base[store] as object, ...over[store] as object } };
}

/** Metadata that the defaults bring and the workflow lacks. */
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
