/**
 * Estimates the minimum sizes of a workflow as far as they are known before it runs: lint reports an excess, and the
 * run fails.
 */
import type { DAGTask, Template, WorkflowSpec, WorkflowStep } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { callsIn } from "@tiphys/model/templates";
import { loopSize } from "./loop_items.ts";
import type { FieldLocation, Report } from "./report.ts";

/** Reports an entrypoint whose successful run creates more nodes than the limit. */
export function checkNodes(
  report: Report,
  { templates = [] }: WorkflowSpec,
  entrypoint: string | undefined,
  fieldPath: FieldLocation,
): void {
  const entry = templates.find(({ name }) => name === entrypoint);
  if (!report.judgesExpressions || !entry) return;
  const count = new NodeCount(templates, report.nodes).countTemplate(entry);
  if (count <= report.nodes) return;
  const message = `a run makes ${count} nodes at least, and a workflow may have ${report.nodes}`;
  report.addFinding(fieldPath.pathTo("entrypoint"), { offset: 0, severity: "error", message });
}

/** Reports a template whose pods are too large regardless of substituted values. */
export function checkPodSize(report: Report, template: Template, fieldPath: FieldLocation): void {
  if (!report.judgesExpressions) return;
  const { inputs: _inputs, outputs: _outputs, metrics: _metrics, ...own } = template;
  const written = JSON.stringify(own).replaceAll(/\{\{[^{}]*\}\}/g, "");
  const bytes = new TextEncoder().encode(written).length;
  if (bytes <= LIMITS.podBytes) return;
  const message = `the pod of this template takes at least ${bytes} bytes; the maximum is ${LIMITS.podBytes}`;
  report.addFinding(fieldPath.pathTo(), { offset: 0, severity: "error", message });
}

/** Counts the nodes that templates certainly create: what a condition may omit counts as one skipped node. */
class NodeCount {
  private readonly byName = new Map<string, Template>();
  private readonly counts = new Map<Template, number>();

  constructor(templates: readonly Template[], private readonly max: number) {
    for (const template of templates.toReversed()) if (template.name) this.byName.set(template.name, template);
  }

  countTemplate(template: Template, depth = 0): number {
    const known = this.counts.get(template);
    if (known !== undefined) return known;
    // A template that calls itself has no size; another check reports it.
    if (depth > LIMITS.calls) return 1;
    this.counts.set(template, 1);
    const groups = template.steps?.length ?? 0;
    const count = callsIn(template).reduce((sum, call) => sum + this.countCall(call, depth), 1 + groups);
    this.counts.set(template, count);
    return count;
  }

  private countCall(call: WorkflowStep | DAGTask, depth: number): number {
    const turns = Number(loopSize(call) ?? (call.withParam || call.withSequence ? 0 : 1));
    const isConditional = call.when || "depends" in call && call.depends;
    if (isConditional || turns === 0 || turns > this.max) return 1;
    const callee = call.inline ?? this.byName.get(call.template ?? "");
    return turns * (callee ? this.countTemplate(callee, depth + 1) : 1);
  }
}
