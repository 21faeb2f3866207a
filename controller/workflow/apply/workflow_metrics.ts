/** Metrics of workflows in the controller: reported values, and the gauges that change with time. */
import { keyOf } from "@tiphys/kube";
import type { HasMetadata } from "@tiphys/kube/object";
import type { Workflow, WorkflowStatus } from "@tiphys/model/api";
import type { Log } from "@tiphys/base/log";
import { isCompletedPhase, millisOf } from "@tiphys/model/status";
import { type CustomValue, type Labels, MetricError, type MetricRegistry } from "@tiphys/base/metrics";
import type { Clock } from "../../loop/clock.ts";
import type { QueueWatch } from "../../loop/work_queue.ts";
import { type QueueName, queueWatch } from "../../metrics/queue_metrics.ts";
import type { Action, RunningGauge } from "@tiphys/engine";

/** Queues of Argo for actions like the controller's. */
const QUEUE_OF: Partial<Record<Action["kind"], QueueName>> = {
  deletePod: "pod_cleanup_queue",
  finishPod: "pod_cleanup_queue",
  releasePod: "pod_cleanup_queue",
  reportEnds: "pod_cleanup_queue",
  terminateContainers: "pod_cleanup_queue",
  deleteWorkflow: "workflow_ttl_queue",
};

/**
 * Whether a workflow ran although no write recorded it, because it finished in its first pass. It counts as one that
 * ran, as in Argo.
 */
function ranInOnePass(before: Workflow, { phase, nodes = {} }: WorkflowStatus = {}): boolean {
  return before.status?.phase !== "Running" && isCompletedPhase(phase) && Object.keys(nodes).length > 0;
}

export class WorkflowMetrics {
  readonly #registry: MetricRegistry;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #queues: Readonly<Record<string, QueueWatch>>;
  /** The gauges of each workflow that change with time, by identity, with the function that removes them. */
  readonly #followed = new Map<string, Map<string, () => void>>();

  constructor({ registry, clock, log }: {
    readonly registry: MetricRegistry;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    this.#registry = registry;
    this.#clock = clock;
    this.#log = log;
    const names: readonly QueueName[] = ["pod_cleanup_queue", "workflow_ttl_queue"];
    this.#queues = Object.fromEntries(names.map((name) => [name, queueWatch(registry, name, () => clock.now())]));
  }

  /** The reason why a value of a workflow of a namespace cannot be recorded; undefined when it can. */
  problemWith(value: Omit<CustomValue, "value">, namespace: string | undefined): string | undefined {
    return this.#registry.problemWith(value, namespace);
  }

  /** Begins a write of a status: a client that sees the write and then reads the metrics finds it counted. */
  beginWrite(): Disposable {
    return this.#registry.beginChange();
  }

  /** Records that a workflow entered another phase. */
  phaseEntered(before: Workflow, { metadata, spec, status }: Workflow): void {
    const phase = status?.phase ?? "";
    const { namespace = "" } = metadata;
    const phases = ranInOnePass(before, status) ? ["Running", phase] : [phase];
    for (const entered of phases) this.#registry.builtIn("total_count").add({ phase: entered, namespace });
    const { name, clusterScope = false } = spec.workflowTemplateRef ?? {};
    if (!name) return;
    const template = { name, namespace, cluster_scope: String(clusterScope) };
    const triggered = this.#registry.builtIn("workflowtemplate_triggered_total");
    if (!before.status?.phase) triggered.add({ ...template, phase: "New" });
    for (const entered of phases) triggered.add({ ...template, phase: entered });
    const seconds = (millisOf(status?.finishedAt) - millisOf(status?.startedAt)) / 1000;
    if (isCompletedPhase(phase) && seconds >= 0) {
      this.#registry.builtIn("workflowtemplate_runtime").observe(template, seconds);
    }
  }

  /** Counts an event. */
  count(metric: "pod_missing" | "pod_restarts_total", labels: Labels): void {
    this.#registry.builtIn(metric).add(labels);
  }

  /** Performs an action, and counts it in Argo's queue for such actions, if there is one. */
  async performCounted<T>(kind: Action["kind"], name: string, act: () => Promise<T>): Promise<T> {
    const watch = this.#queues[QUEUE_OF[kind] ?? ""];
    if (!watch) return await act();
    watch.added(name);
    watch.onBegin(name);
    try {
      return await act();
    } finally {
      watch.onEnd(name);
    }
  }

  /** Counts a pass that failed. */
  passFailed(): void {
    this.#registry.builtIn("error_count").add({ cause: "OperationPanic" });
  }

  /** Records a value of a workflow; returns the reason if it is refused. */
  record(workflow: HasMetadata, value: CustomValue): string | undefined {
    return this.#guard(workflow, value.name, () => this.#registry.record(value, workflow.metadata?.namespace));
  }

  /**
   * Registers the gauges of a workflow that change with time, and removes all others of it. Returns the reasons of
   * refused gauges, each once.
   */
  follow(workflow: HasMetadata, gauges: readonly RunningGauge[] = []): readonly string[] {
    const key = keyOf(workflow);
    const before = this.#followed.get(key);
    if (!before && gauges.length === 0) return [];
    const now = new Map<string, () => void>();
    const refused: string[] = [];
    for (const gauge of gauges) {
      const name = JSON.stringify(gauge);
      const known = before?.get(name);
      before?.delete(name);
      if (now.has(name)) continue;
      now.set(name, known ?? (() => {}));
      if (known) continue;
      const value = () => this.#secondsOf(gauge);
      const namespace = workflow.metadata?.namespace;
      const problem = this.#guard(
        workflow,
        gauge.name,
        () => now.set(name, this.#registry.follow(gauge, value, namespace)),
      );
      if (problem !== undefined) refused.push(problem);
    }
    for (const end of before?.values() ?? []) end();
    this.#followed.set(key, now);
    return refused;
  }

  /** Removes the gauges of a deleted workflow that change with time; reported values stay. */
  forget(key: string): void {
    for (const end of this.#followed.get(key)?.values() ?? []) end();
    this.#followed.delete(key);
  }

  #secondsOf({ since, until }: RunningGauge): number {
    return ((until ?? this.#clock.now()) - since) / 1000;
  }

  /**
   * Runs a function for a metric of a workflow. An error in the metric is the author's mistake: it is returned, and
   * does not affect the workflow.
   */
  #guard(workflow: HasMetadata, metric: string, act: () => void): string | undefined {
    try {
      act();
      return undefined;
    } catch (error) {
      if (!(error instanceof MetricError)) throw error;
      this.#log.warn("A metric of a workflow is not recorded", {
        workflow: keyOf(workflow),
        metric,
        error: error.message,
      });
      return `metric '${metric}' is not recorded: ${error.message}`;
    }
  }
}
