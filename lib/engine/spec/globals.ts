/** The values of `{{workflow.…}}`, and their substitution in the parts of the spec outside of templates. */
import type { Parameter, WorkflowSpec } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import {
  type AddedMetadata,
  markAsValues,
  type PlannedText,
  planOf,
  planOfField,
  recordDerived,
  recordDerivedWith,
  replaceTags,
  workflowGlobals,
  workflowMetadata,
} from "@tiphys/language/template";
import { isFailure, millisOf } from "@tiphys/model/status";
import { configMapValue } from "./config_map_value.ts";
import type { Slice, StatusDraft } from "../slice.ts";
import { podNameFor } from "./pod_name.ts";

/** Sets the globals that do not change while the workflow runs, and substitutes them outside of templates. */
export function setGlobals(pass: Slice<StatusDraft>): void {
  const { metadata, status } = pass.draft.workflow;
  const values = workflowGlobals(
    {
      metadata: {
        name: metadata.name!,
        namespace: metadata.namespace,
        uid: metadata.uid,
        creationTimestamp: metadata.creationTimestamp,
        labels: metadata.labels,
        annotations: metadata.annotations,
      },
      spec: pass.draft.spec,
      status: { outputs: status?.outputs },
    },
    { configMapValue: (reference) => configMapValue(pass, reference) },
  );
  pass.draft.volumesBeforeSubstitution = pass.draft.spec.volumes;
  markSubmittedAsData(pass);
  markForeignTags(pass);
  const open = globalsOfAuthor(pass);
  for (const [key, value] of values) pass.draft.setGlobal(key, value, open.get(key));
  substituteSpec(pass);
}

/**
 * Marks the arguments of a WorkflowTemplate as data, without tags: their submitter did not write the templates that
 * run.
 */
function markSubmittedAsData({ draft: { workflow, spec } }: Slice): void {
  if (!workflow.spec.workflowTemplateRef) return;
  const { parameters, artifacts } = workflow.spec.arguments ?? {};
  const given = new Map(parameters?.map((parameter) => [parameter.name, parameter.value]));
  for (const parameter of spec.arguments?.parameters ?? []) {
    if (parameter.value !== undefined && given.get(parameter.name) === parameter.value) markAsValues(parameter);
  }
  const names = new Set(artifacts?.map(({ name }) => name));
  for (const artifact of spec.arguments?.artifacts ?? []) if (names.has(artifact.name)) markAsValues(artifact);
}

/** Matches tags that a pass may resolve, and tags within tags. */
const OWN_TAG =
  /^=|^\s*(?:workflow|cronworkflow|inputs|outputs|steps|tasks|item|pod|node|lastRetry|retries)(?![\w-])|\{\{/;

/**
 * Marks all other tags in arguments of the workflow as plain text: they are for another tool, such as Jinja or Helm.
 */
function markForeignTags({ draft }: Slice<StatusDraft>): void {
  const { spec } = draft;
  const given = spec.arguments?.parameters;
  const parameters = given?.map(withOwnTags);
  if (!parameters?.some((parameter, index) => parameter !== given![index])) return;
  const list = new Map([["parameters", planOf(recordDerived(parameters, []))]]);
  const args = recordDerivedWith({ ...spec.arguments, parameters }, spec.arguments!, list);
  draft.setSpec(recordDerivedWith({ ...spec, arguments: args }, spec, new Map([["arguments", planOf(args)]])));
}

function withOwnTags(parameter: Parameter): Parameter {
  const plan = planOfField(parameter, "value");
  if (plan?.kind !== "text" || plan.text.segments.tags.every((tag) => OWN_TAG.test(tag))) return parameter;
  const text = ownText(plan.text);
  const plans = new Map(Object.keys(parameter).map((key) => [key, planOfField(parameter, key)]));
  return recordDerivedWith({ ...parameter }, {}, plans.set("value", text && { kind: "text", text }));
}

function ownText({ json, segments: { texts, tags, masks } }: PlannedText): PlannedText | undefined {
  const own = { texts: texts.slice(0, 1), tags: new Array<string>(), masks: new Array<string | undefined>() };
  for (const [index, tag] of tags.entries()) {
    const next = texts[index + 1]!;
    if (OWN_TAG.test(tag)) {
      own.tags.push(tag);
      own.masks.push(masks?.[index]);
      own.texts.push(next);
    } else own.texts.push(`${own.texts.pop()}{{${tag}}}${next}`);
  }
  return own.tags.length === 0 ? undefined : { json, segments: own };
}

/**
 * The globals whose tags are resolved because the author of the spec wrote them: a parameter may refer to another one.
 */
function globalsOfAuthor(pass: Slice): ReadonlyMap<string, PlannedText> {
  const open = new Map<string, PlannedText>();
  const add = (name: string, holder: object, field: string) => {
    const plan = planOfField(holder, field);
    if (plan?.kind === "text") open.set(name, plan.text);
  };
  for (const parameter of pass.draft.spec.arguments?.parameters ?? []) {
    add(`workflow.parameters.${parameter.name}`, parameter, "value");
  }
  const { labels = {}, annotations = {} } = pass.draft.spec.workflowMetadata ?? {};
  for (const label of Object.keys(labels)) add(`workflow.labels.${label}`, labels, label);
  for (const name of Object.keys(annotations)) add(`workflow.annotations.${name}`, annotations, name);
  return open;
}

/**
 * Substitutes globals outside of templates. Templates, their defaults and pod metadata are substituted at each call.
 */
function substituteSpec(pass: Slice<StatusDraft>): void {
  const { templates, templateDefaults, podMetadata, ...own } = pass.draft.spec;
  const rest = recordDerived(own, pass.draft.spec);
  const filled = replaceTags(rest, pass.draft.globals, { kind: "lenient" }, pass.draft.globalsWithTags);
  if (filled === rest) return;
  const others = new Map([
    ["templates", undefined],
    ["templateDefaults", undefined],
    ["podMetadata", podMetadata && planOf(podMetadata)],
  ]);
  const spec = recordDerivedWith({ ...filled, templates, templateDefaults, podMetadata }, filled, others);
  pass.draft.setSpec(spec as WorkflowSpec);
}

/**
 * Sets the labels and annotations of `workflowMetadata`, once, when the workflow starts. If one fails, those before it
 * are set nevertheless: a label helps to find the failed workflow.
 * @throws {TemplateError} if a label's value is not a valid label value.
 */
export function applyWorkflowMetadata(pass: Slice<StatusDraft>): void {
  if (!pass.draft.spec.workflowMetadata) return;
  const given: AddedMetadata = { labels: {}, annotations: {} };
  const { labels, annotations } = given;
  try {
    workflowMetadata(pass.draft.spec.workflowMetadata, pass.draft.globals, given);
  } finally {
    pass.draft.setLabels(labels);
    pass.draft.setAnnotations(annotations);
  }
  for (const [label, value] of Object.entries(labels)) pass.draft.setGlobal(`workflow.labels.${label}`, value);
  for (const [name, value] of Object.entries(annotations)) pass.draft.setGlobal(`workflow.annotations.${name}`, value);
  substituteSpec(pass);
}

/** Sets `workflow.status` and `workflow.duration`, which change with each pass. */
export function setRuntimeGlobals(pass: Slice<StatusDraft>): void {
  const { startedAt, phase } = pass.draft.workflow.status ?? {};
  const seconds = startedAt ? Math.max(0, (pass.facts.now.getTime() - millisOf(startedAt)) / 1000) : 0;
  pass.draft.setGlobal("workflow.status", phase ?? "");
  pass.draft.setGlobal("workflow.duration", seconds.toFixed(6));
}

/** Sets the globals of exit handlers: the workflow's final status and its failed nodes. */
export function setEndGlobals(pass: Slice<StatusDraft>, status: string): void {
  pass.draft.setGlobal("workflow.status", status);
  const failures = [...pass.draft.nodes.all()].filter((node) => isFailure(node.phase)).map((node) => {
    const template = node.templateRef?.template ?? node.templateName ?? "";
    return {
      displayName: node.displayName,
      message: node.message ?? "",
      templateName: template,
      phase: node.phase,
      podName: podNameFor(pass, node.name, template),
      finishedAt: node.finishedAt ?? null,
    };
  });
  // The list is encoded twice, so that it remains one JSON string after substitution, as in Argo.
  pass.draft.setGlobal("workflow.failures", JSON.stringify(JSON.stringify(failures.length ? failures : null)));
}

/** Stores the naming scheme of pods in an annotation: a later change of the setting does not affect the workflow. */
export function recordPodNameFormat(pass: Slice<StatusDraft>): void {
  pass.draft.setAnnotations({ [ANNOTATION.podNameFormat]: pass.facts.config.podNameFormat });
}
