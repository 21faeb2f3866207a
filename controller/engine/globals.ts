/** The values of `{{workflow.…}}`, and the parts of the spec outside of templates filled in with them. */
import type { WorkflowSpec } from "../../lib/api/mod.ts";
import { ANNOTATION } from "../../lib/constants.ts";
import {
  compileExpression,
  environment,
  labelValueErrors,
  replaceTags,
  workflowGlobals,
} from "../../lib/template/mod.ts";
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
 * @throws {Error} when a label's value is none.
 */
export function applyWorkflowMetadata(pass: Pass): void {
  const metadata = pass.spec.workflowMetadata;
  if (!metadata) return;
  for (const [label, value] of Object.entries(metadata.labels ?? {})) checkLabel(value, `label "${label}"`);
  pass.setLabels(metadata.labels ?? {});
  pass.setAnnotations(metadata.annotations ?? {});
  for (const [label, value] of Object.entries(metadata.labels ?? {})) pass.globals.set(`workflow.labels.${label}`, value);
  for (const [annotation, value] of Object.entries(metadata.annotations ?? {})) {
    pass.globals.set(`workflow.annotations.${annotation}`, value);
  }
  const env = environment(pass.globals);
  for (const [label, { expression }] of Object.entries(metadata.labelsFrom ?? {})) {
    const value = evaluateLabel(label, expression, env);
    checkLabel(value, `label "${label}" and expression "${expression}"`);
    pass.setLabels({ [label]: value });
    pass.globals.set(`workflow.labels.${label}`, value);
  }
  fillSpec(pass);
}

function evaluateLabel(label: string, expression: string, env: Record<string, unknown>): string {
  let value: unknown;
  try {
    value = compileExpression(expression).run(env);
  } catch (error) {
    throw new Error(`failed to evaluate label "${label}" expression "${expression}": ${(error as Error).message}`);
  }
  if (typeof value === "string") return value;
  throw new Error(`failed to evaluate label "${label}" expression "${expression}": it must give a string`);
}

function checkLabel(value: string, what: string): void {
  const [problem] = labelValueErrors(value);
  if (problem) throw new Error(`invalid label value "${value}" for ${what}: ${problem}`);
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
