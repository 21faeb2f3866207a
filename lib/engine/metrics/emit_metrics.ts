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
import { knownTemplate } from "../templates/parallelism.ts";
import { updateProgress } from "../whole/progress.ts";
import { setCondition } from "../whole/conditions.ts";
import { metricOutcome, type RunningGauge } from "./metric_values.ts";

/** Types of nodes that run a template. */
const OF_TEMPLATES = nodeTypesOf("pod", "member", "agent", "calls", "controller", "attempts");

/**
 * Emits the metrics of everything that ended in this pass. An attempt emits its own when another attempt follows; those of the last
 * attempt are emitted by the Retry node, over all attempts. Skipped and omitted nodes emit nothing.
 */
export function emitMetrics(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  phaseBefore: string | undefined,
): void {
  const limit = metricWork();
  withWorkLimit(limit, () => emitAll(pass, phaseBefore, limit));
}

function emitAll(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  phaseBefore: string | undefined,
  limit: WorkLimit,
): void {
  for (const [id, before] of pass.draft.nodes.changed) {
    const node = pass.draft.nodes.get(id);
    if (!node || !OF_TEMPLATES.has(node.type)) continue;
    if (node.nodeFlag?.retried) {
      if (!before) emitAttemptBefore(pass, node, limit);
    } else if (hasRun(node) && !(before && hasRun(before))) emitOf(pass, node, limit);
  }
  const { status } = pass.draft.workflow;
  const metrics = pass.draft.settledSpec?.metrics?.prometheus;
  if (!metrics || !isCompletedPhase(status?.phase) || isCompletedPhase(phaseBefore)) return;
  const entry = pass.draft.nodes.get(pass.name);
  const scope = entry ? nodeScope(pass, entry, entry) : defaultScope(pass);
  scope.set("workflow.status", status?.phase ?? "");
  emit(pass, metrics.filter(isNotRealtime), scope, limit);
}

/** Reports whether a template was run for the node, and the node has ended (or is a ready daemon). */
function hasRun(node: NodeStatus): boolean {
  return node.phase !== "Skipped" && node.phase !== "Omitted" && (isOver(node) || node.daemoned === true);
}

function emitAttemptBefore(
  pass: Slice<NodesDraft & StatusDraft & RequestsDraft>,
  attempt: NodeStatus,
  limit: WorkLimit,
): void {
  const index = attemptIndex(attempt.name) ?? 0;
  const before = index > 0
    ? pass.draft.nodes.byName(attemptNodeName(withoutAttempt(attempt.name), index - 1))
    : undefined;
  if (before && hasRun(before)) emitOf(pass, before, limit);
}

function emitOf(pass: Slice<NodesDraft & StatusDraft & RequestsDraft>, node: NodeStatus, limit: WorkLimit): void {
  const metrics = knownTemplate(pass, node)?.metrics?.prometheus.filter(isNotRealtime);
  if (!metrics?.length) return;
  if (limit.isExhausted) return noteProblem(pass, limit.message);
  emit(pass, metrics, nodeScope(pass, node, lastAttempt(node, pass.draft.nodes) ?? node), limit);
}

function emit(
  pass: Slice<StatusDraft & RequestsDraft>,
  metrics: readonly Prometheus[],
  scope: ReadonlyMap<string, string | null>,
  limit: WorkLimit,
): void {
  for (const metric of metrics) {
    if (limit.isExhausted) return noteProblem(pass, limit.message);
    const { value, problem } = metricOutcome(metric, scope, pass.name);
    const clash = value && pass.facts.metricProblem?.(value);
    if (problem !== undefined) noteProblem(pass, problem);
    else if (clash !== undefined) noteProblem(pass, `could not construct metric '${value!.name}': ${clash}`);
    else if (value) pass.draft.ask({ kind: "metric", metric: value });
  }
}

/** The work that all metrics of one pass may take together. What is left out is reported as a problem. */
function metricWork(): WorkLimit {
  return new WorkLimit(LIMITS.metricMillis * 1e6, "the metrics of one pass");
}

/** The most characters of one problem: a condition that cannot be evaluated is quoted whole. */
const LONGEST_PROBLEM = 1000;

/** Adds a problem of metrics to its condition, once, up to the maximum length of a message. It has no other effect. */
function noteProblem(pass: Slice<StatusDraft>, whole: string): void {
  const problem = whole.length > LONGEST_PROBLEM ? `${whole.slice(0, LONGEST_PROBLEM)}…` : whole;
  const said = pass.draft.workflow.status?.conditions?.find(({ type }) => type === "MetricsError")?.message;
  if (said !== undefined && said.length + problem.length > LIMITS.message) return;
  if (said !== undefined && `, ${said}, `.includes(`, ${problem}, `)) return;
  setCondition(pass, "MetricsError", "True", said ? `${said}, ${problem}` : problem);
}

/** The realtime gauges of everything that is or was running in this workflow. The result does not depend on the time. */
export function realtimeGauges(pass: Slice<NodesDraft & StatusDraft>): RunningGauge[] {
  const limit = metricWork();
  return withWorkLimit(limit, () => runningGauges(pass, limit));
}

function runningGauges(pass: Slice<NodesDraft & StatusDraft>, limit: WorkLimit): RunningGauge[] {
  const gauges: RunningGauge[] = [];
  const add = (
    metrics: readonly Prometheus[] | undefined,
    scope: () => ReadonlyMap<string, string | null>,
    node: Ran,
  ) => {
    for (const metric of metrics ?? []) {
      if (!metric.gauge?.realtime) continue;
      if (limit.isExhausted) return noteProblem(pass, limit.message);
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

/** Reports whether one of the running templates, including inline ones, has a realtime gauge. */
function mayHaveRealtimeTemplates({ draft: { settledSpec: spec, workflow } }: Slice): boolean {
  const stored = workflow.status?.storedTemplates;
  return Boolean(spec?.templates?.some(mayBeRealtime)) || (stored ? Object.values(stored).some(mayBeRealtime) : false);
}

/** Reports whether a template, or an inline one in it, has a realtime gauge. Cached, because every pass calls it. */
function mayBeRealtime(template: Template): boolean {
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

type Ran = Pick<NodeStatus, "startedAt" | "finishedAt">;

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
  const began = node.startedAt ? millisOf(node.startedAt) : end;
  scope.set("duration", ((end - began) / 1000).toFixed(6));
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
