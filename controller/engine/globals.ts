/** The values of `{{workflow.…}}`, and the parts of the spec outside of templates filled in with them. */
import type { WorkflowSpec } from "../../lib/api/mod.ts";
import { ANNOTATION } from "../../lib/constants.ts";
import { replaceTags, workflowGlobals, workflowMetadata } from "../../lib/template/mod.ts";
import { configMapValue } from "./arguments.ts";
import { isFailure } from "./node_state.ts";
import type { Pass } from "./pass.ts";
import { podNameFor } from "./pod_name.ts";
import { millisOf } from "./time.ts";

/** Sets the globals that do not change while the workflow runs, and fills them in outside of templates. */
export function setGlobals(pass: Pass): void {
  const { metadata, status } = pass.workflow;
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
      spec: pass.spec,
      status: { outputs: status?.outputs },
    },
    { configMapValue: (reference) => configMapValue(pass, reference) },
  );
  for (const [key, value] of values) pass.globals.set(key, value);
  fillSpec(pass);
}

function fillSpec(pass: Pass): void {
  const { templates, ...rest } = pass.spec;
  const filled = replaceTags(rest, pass.globals, { kind: "lenient" });
  pass.spec = filled === rest ? pass.spec : { ...filled, templates } as WorkflowSpec;
}

/**
 * Gives the workflow the labels and annotations of `workflowMetadata`, once, when it starts.
 * @throws {TemplateError} when a label's value is none.
 */
export function applyWorkflowMetadata(pass: Pass): void {
  if (!pass.spec.workflowMetadata) return;
  const { labels, annotations } = workflowMetadata(pass.spec.workflowMetadata, pass.globals);
  pass.setLabels(labels);
  pass.setAnnotations(annotations);
  for (const [label, value] of Object.entries(labels)) pass.globals.set(`workflow.labels.${label}`, value);
  for (const [name, value] of Object.entries(annotations)) pass.globals.set(`workflow.annotations.${name}`, value);
  fillSpec(pass);
}

/** Sets `workflow.status` and `workflow.duration`, which change with every look. */
export function setRuntimeGlobals(pass: Pass): void {
  const { startedAt, phase } = pass.workflow.status ?? {};
  const seconds = startedAt ? Math.max(0, (pass.now.getTime() - millisOf(startedAt)) / 1000) : 0;
  pass.globals.set("workflow.status", phase ?? "");
  pass.globals.set("workflow.duration", seconds.toFixed(6));
}

/** Sets what exit handlers want to know: how it ended, and which nodes failed. */
export function setEndGlobals(pass: Pass, status: string): void {
  pass.globals.set("workflow.status", status);
  const failures = [...pass.nodes.all()].filter((node) => isFailure(node.phase)).map((node) => {
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
  // The list is quoted once more, so that it stays one string when it is put into a template.
  pass.globals.set("workflow.failures", JSON.stringify(JSON.stringify(failures.length ? failures : null)));
}

/** The annotation that freezes how the pods of this workflow are named. */
export function freezePodNames(pass: Pass): void {
  pass.setAnnotations({ [ANNOTATION.podNameFormat]: pass.config.podNameFormat });
}
