/** Metrics of a workflow and of its templates, emitted when the node or the workflow has ended. */
import type { NodeStatus, Prometheus, Template } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { withWorkLimit, WorkLimit } from "@tiphys/language/template";
import { formatFloat } from "@tiphys/base/go/format_float";
import {
  attemptIndex,
  attemptNodeName,
  isCompletedPhase,
  isOver,
  lastAttempt,
  millisOf,
  nodeTypesOf,
  withoutAttempt,
} from "@tiphys/model/status";
import { callsIn } from "@tiphys/model/templates";
import type { NodesDraft, RequestsDraft, Slice, StatusDraft } from "../slice.ts";
import { templateIfValid } from "../templates/parallelism.ts";
import { updateProgress } from "../workflow/progress.ts";
import { setCondition } from "../workflow/conditions.ts";
import { evaluateMetric, type RunningGauge } from "./metric_values.ts";

/** Types of nodes that run a template. */
const TEMPLATE_NODE_TYPES = nodeTypesOf("pod", "member", "agent", "calls", "controller", "attempts");

/**
 * Emits the metrics of everything that ended in this pass. An attempt emits its own when another attempt follows; those
 * of the last attempt are emitted by the Retry node, over all attempts. Skipped and omitted nodes emit nothing.
 */
export function emitMetrics(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  phaseBefore: string | undefined,
): void {
  const limit = newWorkLimit();
  withWorkLimit(limit, () => emitAll(pass, phaseBefore, limit));
}

function emitAll(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  phaseBefore: string | undefined,
  limit: WorkLimit,
): void {
  for (const [id, before] of pass.draft.nodes.changed) {
    const node = pass.draft.nodes.get(id);
    if (!node || !TEMPLATE_NODE_TYPES.has(node.type)) continue;
    if (node.nodeFlag?.retried) {
      if (!before) emitPreviousAttempt(pass, node, limit);
    } else if (hasEndedRun(node) && !(before && hasEndedRun(before))) emitNodeMetrics(pass, node, limit);
  }
  const { status } = pass.draft.workflow;
  const metrics = pass.draft.specIfSet?.metrics?.prometheus;
  if (!metrics || !isCompletedPhase(status?.phase) || isCompletedPhase(phaseBefore)) return;
  const entry = pass.draft.nodes.get(pass.name);
  const scope = entry ? nodeScope(pass, entry, entry) : defaultScope(pass);
  scope.set("workflow.status", status?.phase ?? "");
  emit(pass, metrics.filter(isNotRealtime), scope, limit);
}

/** Reports whether a template was run for the node, and the node has ended (or is a ready daemon). */
function hasEndedRun(node: NodeStatus): boolean {
  return node.phase !== "Skipped" && node.phase !== "Omitted" && (isOver(node) || node.daemoned === true);
}

function emitPreviousAttempt(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  attempt: NodeStatus,
  limit: WorkLimit,
): void {
  const index = attemptIndex(attempt.name) ?? 0;
  const previous = index > 0
    ? pass.draft.nodes.byName(attemptNodeName(withoutAttempt(attempt.name), index - 1))
    : undefined;
  if (previous && hasEndedRun(previous)) emitNodeMetrics(pass, previous, limit);
}

function emitNodeMetrics(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  node: NodeStatus,
  limit: WorkLimit,
): void {
  const metrics = templateIfValid(pass, node)?.metrics?.prometheus.filter(isNotRealtime);
  if (!metrics?.length) return;
  if (limit.isExhausted) return reportMetricProblem(pass, limit.message);
  emit(pass, metrics, nodeScope(pass, node, lastAttempt(node, pass.draft.nodes) ?? node), limit);
}

function emit(
  pass: Slice<StatusDraft & RequestsDraft>,
  metrics: readonly Prometheus[],
  scope: ReadonlyMap<string, string | null>,
  limit: WorkLimit,
): void {
  for (const metric of metrics) {
    if (limit.isExhausted) return reportMetricProblem(pass, limit.message);
    const { value, problem } = evaluateMetric(metric, scope, pass.name);
    const conflict = value && pass.facts.metricProblem?.(value);
    if (problem !== undefined) reportMetricProblem(pass, problem);
    else if (conflict !== undefined) {
      reportMetricProblem(pass, `could not construct metric '${value!.name}': ${conflict}`);
    } else if (value) pass.draft.request({ kind: "metric", metric: value });
  }
}

/** The limit on the work for all metrics of one pass together. Metrics beyond it are reported as a problem. */
function newWorkLimit(): WorkLimit {
  return new WorkLimit(LIMITS.metricMillis * 1e6, "the metrics of one pass");
}

/** The maximum length of one problem: a condition that cannot be evaluated is quoted in full. */
const MAX_PROBLEM_CHARACTERS = 1000;

/**
 * Adds a problem to the condition `MetricsError`, unless it is already listed or the message would become too long. The
 * workflow continues regardless.
 */
function reportMetricProblem(pass: Slice<StatusDraft>, text: string): void {
  const problem = text.length > MAX_PROBLEM_CHARACTERS ? `${text.slice(0, MAX_PROBLEM_CHARACTERS)}…` : text;
  const existing = pass.draft.workflow.status?.conditions?.find(({ type }) => type === "MetricsError")?.message;
  if (existing !== undefined && existing.length + problem.length > LIMITS.message) return;
  if (existing !== undefined && `, ${existing}, `.includes(`, ${problem}, `)) return;
  setCondition(pass, "MetricsError", "True", existing ? `${existing}, ${problem}` : problem);
}

/**
 * The realtime gauges of everything that is or was running in this workflow. The result does not depend on the time.
 */
export function realtimeGauges(pass: Slice<NodesDraft & StatusDraft>): RunningGauge[] {
  const limit = newWorkLimit();
  return withWorkLimit(limit, () => runningGauges(pass, limit));
}

function runningGauges(pass: Slice<NodesDraft & StatusDraft>, limit: WorkLimit): RunningGauge[] {
  const gauges: RunningGauge[] = [];
  const add = (
    metrics: readonly Prometheus[] | undefined,
    scope: () => ReadonlyMap<string, string | null>,
    node: RunTimes,
  ) => {
    for (const metric of metrics ?? []) {
      if (!metric.gauge?.realtime) continue;
      if (limit.isExhausted) return reportMetricProblem(pass, limit.message);
      const { realtime, problem } = evaluateMetric(metric, scope(), pass.name);
      if (problem !== undefined) reportMetricProblem(pass, problem);
      const times = realtime?.owner === "workflow" ? pass.draft.workflow.status ?? {} : node;
      if (!realtime || !times.startedAt) continue;
      const until = times.finishedAt ? millisOf(times.finishedAt) : undefined;
      gauges.push({ ...realtime, since: millisOf(times.startedAt), until });
    }
  };
  if (pass.draft.specIfSet?.metrics) {
    add(pass.draft.specIfSet.metrics.prometheus, () => defaultScope(pass), pass.draft.workflow.status ?? {});
  }
  if (!hasRealtimeTemplates(pass)) return gauges;
  for (const node of pass.draft.nodes.all()) {
    if (!TEMPLATE_NODE_TYPES.has(node.type) || node.nodeFlag?.retried) continue;
    const metrics = templateIfValid(pass, node)?.metrics;
    if (metrics) add(metrics.prometheus, () => nodeScope(pass, node, node), node);
  }
  return gauges;
}

/** Reports whether one of the running templates, including inline ones, has a realtime gauge. */
function hasRealtimeTemplates({ draft: { specIfSet: spec, workflow } }: Slice): boolean {
  const stored = workflow.status?.storedTemplates;
  return Boolean(spec?.templates?.some(hasRealtimeGauge)) ||
    (stored ? Object.values(stored).some(hasRealtimeGauge) : false);
}

/** Reports whether a template, or an inline one in it, has a realtime gauge. Cached, because every pass calls it. */
function hasRealtimeGauge(template: Template): boolean {
  let known = realtimeTemplates.get(template);
  if (known === undefined) {
    const calls = callsIn(template);
    known = isRealtime(template) || calls.some(({ inline }) => inline && isRealtime(inline));
    realtimeTemplates.set(template, known);
  }
  return known;
}

const realtimeTemplates = new WeakMap<Template, boolean>();

function isRealtime({ metrics }: Template): boolean {
  return metrics?.prometheus.some(({ gauge }) => gauge?.realtime) ?? false;
}

type RunTimes = Pick<NodeStatus, "startedAt" | "finishedAt">;

function isNotRealtime({ gauge }: Prometheus): boolean {
  return !gauge?.realtime;
}

function defaultScope(pass: Slice): Map<string, string | null> {
  return new Map([
    ...pass.draft.globals,
    ["duration", "0"],
    ["status", "Pending"],
    ["resourcesDuration.cpu", "0"],
    ["resourcesDuration.memory", "0"],
  ]);
}

/** The variables of a metric for a node. `outputsOf` is the node whose outputs are used. */
function nodeScope(
  pass: Slice<NodesDraft & StatusDraft>,
  node: NodeStatus,
  outputsOf: NodeStatus,
): Map<string, string | null> {
  const scope = defaultScope(pass);
  const end = node.finishedAt ? millisOf(node.finishedAt) : pass.facts.now.getTime();
  const start = node.startedAt ? millisOf(node.startedAt) : end;
  scope.set("duration", ((end - start) / 1000).toFixed(6));
  if (node.children?.length) scope.set("retries", String(node.children.length - 1));
  if (node.phase) scope.set("status", node.phase);
  for (const { name, value } of node.inputs?.parameters ?? []) scope.set(`inputs.parameters.${name}`, textOf(value));
  const { result, exitCode, parameters = [] } = outputsOf.outputs ?? {};
  if (result !== undefined) scope.set("outputs.result", result);
  if (exitCode !== undefined) scope.set("exitCode", exitCode);
  for (const { name, value } of parameters) scope.set(`outputs.parameters.${name}`, textOf(value));
  // The resources of the pods below a node are computed together with its progress.
  updateProgress(pass);
  for (const [name, seconds] of Object.entries(pass.draft.nodes.get(node.id)?.resourcesDuration ?? {})) {
    scope.set(`resourcesDuration.${name}`, formatFloat(Number(seconds)));
  }
  return scope;
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
