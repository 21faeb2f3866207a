/** Metrics of a workflow and of its templates: told when the node, or the workflow, is over. */
import type { NodeStatus, Prometheus, Template } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { formatFloat } from "@tiphys/base/go/format_float";
import {
  attemptIndex,
  attemptNodeName,
  isCompletedPhase,
  isOver,
  lastAttempt,
  millisOf,
  withoutAttempt,
} from "@tiphys/model/status";
import type { Pass } from "../pass.ts";
import { knownTemplate } from "../templates/parallelism.ts";
import { updateProgress } from "../whole/progress.ts";
import { setCondition } from "../whole/conditions.ts";
import { metricOutcome, type RunningGauge } from "./metric_values.ts";

/** Types of nodes that run a template. */
const OF_TEMPLATES: ReadonlySet<NodeStatus["type"]> = new Set([
  "Pod",
  "Container",
  "Steps",
  "DAG",
  "Retry",
  "Suspend",
  "HTTP",
  "Plugin",
]);

/**
 * Tells the metrics of what came to its end in this pass. An attempt tells its own when another attempt follows it; the
 * last one's are told by the Retry node, over all of them. What was skipped or omitted tells nothing.
 */
export function emitMetrics(pass: Pass, phaseBefore: string | undefined): void {
  for (const [id, before] of pass.draft.nodes.changed) {
    const node = pass.draft.nodes.get(id);
    if (!node || !OF_TEMPLATES.has(node.type)) continue;
    if (node.nodeFlag?.retried) {
      if (!before) emitAttemptBefore(pass, node);
    } else if (hasRun(node) && !(before && hasRun(before))) emitOf(pass, node);
  }
  const { status } = pass.draft.workflow;
  const metrics = pass.draft.settledSpec?.metrics?.prometheus;
  if (!metrics || !isCompletedPhase(status?.phase) || isCompletedPhase(phaseBefore)) return;
  const entry = pass.draft.nodes.get(pass.name);
  const scope = entry ? nodeScope(pass, entry, entry) : defaultScope(pass);
  scope.set("workflow.status", status?.phase ?? "");
  emit(pass, metrics.filter(isNotRealtime), scope);
}

/** Whether a template was run for the node, and the node is over (or is a daemon that is up). */
function hasRun(node: NodeStatus): boolean {
  return node.phase !== "Skipped" && node.phase !== "Omitted" && (isOver(node) || node.daemoned === true);
}

function emitAttemptBefore(pass: Pass, attempt: NodeStatus): void {
  const index = attemptIndex(attempt.name) ?? 0;
  const before = index > 0
    ? pass.draft.nodes.byName(attemptNodeName(withoutAttempt(attempt.name), index - 1))
    : undefined;
  if (before && hasRun(before)) emitOf(pass, before);
}

function emitOf(pass: Pass, node: NodeStatus): void {
  const metrics = knownTemplate(pass, node)?.metrics?.prometheus.filter(isNotRealtime);
  if (!metrics?.length) return;
  emit(pass, metrics, nodeScope(pass, node, lastAttempt(node, pass.draft.nodes) ?? node));
}

function emit(pass: Pass, metrics: readonly Prometheus[], scope: ReadonlyMap<string, string | null>): void {
  for (const metric of metrics) {
    const { value, problem } = metricOutcome(metric, scope, pass.name);
    const clash = value && pass.facts.metricProblem?.(value);
    if (problem !== undefined) noteProblem(pass, problem);
    else if (clash !== undefined) noteProblem(pass, `could not construct metric '${value!.name}': ${clash}`);
    else if (value) pass.draft.ask({ kind: "metric", metric: value });
  }
}

/** Problems of metrics change only this condition of a workflow, which has each of them once, up to the length of a message. */
function noteProblem(pass: Pass, problem: string): void {
  const said = pass.draft.workflow.status?.conditions?.find(({ type }) => type === "MetricsError")?.message;
  if (said !== undefined && said.length + problem.length > LIMITS.message) return;
  if (said !== undefined && `, ${said}, `.includes(`, ${problem}, `)) return;
  setCondition(pass, "MetricsError", "True", said ? `${said}, ${problem}` : problem);
}

/** The gauges that move with the clock, of all that runs or has run in this workflow: the same whenever it is asked. */
export function realtimeGauges(pass: Pass): RunningGauge[] {
  const gauges: RunningGauge[] = [];
  const add = (
    metrics: readonly Prometheus[] | undefined,
    scope: () => ReadonlyMap<string, string | null>,
    node: Ran,
  ) => {
    for (const metric of metrics ?? []) {
      if (!metric.gauge?.realtime) continue;
      const { realtime, problem } = metricOutcome(metric, scope(), pass.name);
      if (problem !== undefined) noteProblem(pass, problem);
      const ran = realtime?.of === "workflow" ? pass.draft.workflow.status ?? {} : node;
      if (!realtime || !ran.startedAt) continue;
      const until = ran.finishedAt ? millisOf(ran.finishedAt) : undefined;
      gauges.push({ ...realtime, since: millisOf(ran.startedAt), until });
    }
  };
  if (pass.draft.settledSpec?.metrics) {
    add(pass.draft.settledSpec.metrics.prometheus, () => defaultScope(pass), pass.draft.workflow.status ?? {});
  }
  if (!mayHaveRealtimeTemplates(pass)) return gauges;
  for (const node of pass.draft.nodes.all()) {
    if (!OF_TEMPLATES.has(node.type) || node.nodeFlag?.retried) continue;
    const metrics = knownTemplate(pass, node)?.metrics;
    if (metrics) add(metrics.prometheus, () => nodeScope(pass, node, node), node);
  }
  return gauges;
}

/** Whether one of the templates that run, inline ones among them, has a gauge that moves with the clock. */
function mayHaveRealtimeTemplates({ draft: { settledSpec: spec, workflow } }: Pass): boolean {
  const stored = workflow.status?.storedTemplates;
  return Boolean(spec?.templates?.some(mayBeRealtime)) || (stored ? Object.values(stored).some(mayBeRealtime) : false);
}

/** Whether a template, or one inline in it, has a gauge that moves with the clock: asked in every pass, found once. */
function mayBeRealtime(template: Template): boolean {
  let known = realtimeTemplates.get(template);
  if (known === undefined) {
    const calls = [...template.steps?.flat() ?? [], ...template.dag?.tasks ?? []];
    known = isRealtime(template) || calls.some(({ inline }) => inline && isRealtime(inline));
    realtimeTemplates.set(template, known);
  }
  return known;
}

const realtimeTemplates = new WeakMap<Template, boolean>();

function isRealtime({ metrics }: Template): boolean {
  return metrics?.prometheus.some(({ gauge }) => gauge?.realtime) ?? false;
}

type Ran = Pick<NodeStatus, "startedAt" | "finishedAt">;

function isNotRealtime({ gauge }: Prometheus): boolean {
  return !gauge?.realtime;
}

function defaultScope(pass: Pass): Map<string, string | null> {
  return new Map([
    ...pass.draft.globals,
    ["duration", "0"],
    ["status", "Pending"],
    ["resourcesDuration.cpu", "0"],
    ["resourcesDuration.memory", "0"],
  ]);
}

/** The values that tags of a metric can name for a node; `outputsOf` is the node whose outputs count. */
function nodeScope(pass: Pass, node: NodeStatus, outputsOf: NodeStatus): Map<string, string | null> {
  const scope = defaultScope(pass);
  const end = node.finishedAt ? millisOf(node.finishedAt) : pass.facts.now.getTime();
  const began = node.startedAt ? millisOf(node.startedAt) : end;
  scope.set("duration", ((end - began) / 1000).toFixed(6));
  if (node.children?.length) scope.set("retries", String(node.children.length - 1));
  if (node.phase) scope.set("status", node.phase);
  for (const { name, value } of node.inputs?.parameters ?? []) scope.set(`inputs.parameters.${name}`, textOf(value));
  const { result, exitCode, parameters = [] } = outputsOf.outputs ?? {};
  if (result !== undefined) scope.set("outputs.result", result);
  if (exitCode !== undefined) scope.set("exitCode", exitCode);
  for (const { name, value } of parameters) scope.set(`outputs.parameters.${name}`, textOf(value));
  // The resources that the pods below a node held are summed up together with its progress.
  updateProgress(pass);
  for (const [name, seconds] of Object.entries(pass.draft.nodes.get(node.id)?.resourcesDuration ?? {})) {
    scope.set(`resourcesDuration.${name}`, formatFloat(Number(seconds)));
  }
  return scope;
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
