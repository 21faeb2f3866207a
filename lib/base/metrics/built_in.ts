/** The controller's built-in metrics, with Argo's names, labels and help texts. */
import type { Definition } from "./definition.ts";

/** Histogram buckets in seconds, for requests that usually take a moment and at most some minutes. */
const REQUEST_SECONDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 180];

/** The URL of Argo's documentation of a metric, without the metric's name at the end. */
const DOCS = "https://argo-workflows.readthedocs.io/en/latest/metrics/#";

const ROWS = {
  client_rate_limiter_latency: {
    type: "histogram",
    help: "A histogram of the time spent waiting for the client-side rate limiter",
    buckets: [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 180],
  },
  cronworkflows_concurrencypolicy_triggered: {
    type: "counter",
    help:
      "A counter of the number of times a CronWorkflow has triggered its `concurrencyPolicy` to limit the number of workflows running",
    labels: ["name", "namespace", "concurrency_policy"],
  },
  cronworkflows_triggered_total: {
    type: "counter",
    help: "A counter of the total number of times a CronWorkflow has been triggered",
    labels: ["name", "namespace"],
  },
  deprecated_feature: {
    type: "counter",
    help: "Incidents of deprecated feature being used",
    labels: ["feature", "namespace"],
    optional: ["namespace"],
  },
  error_count: {
    type: "counter",
    help: "A counter of certain errors incurred by the controller by cause",
    labels: ["cause"],
  },
  gauge: {
    type: "gauge",
    help: "A gauge of the number of workflows currently in the cluster in each phase",
    labels: ["phase"],
  },
  is_leader: { type: "gauge", help: "Emits 1 if leader, 0 otherwise. Always 1 if leader election is disabled" },
  k8s_request_duration: {
    type: "histogram",
    help: "A histogram recording the API requests sent to the Kubernetes API",
    labels: ["kind", "verb", "status_code"],
    buckets: REQUEST_SECONDS,
  },
  k8s_request_total: {
    type: "counter",
    help: "A counter of the number of API requests sent to the Kubernetes API",
    labels: ["kind", "verb", "status_code"],
  },
  locks_held: {
    type: "gauge",
    help: "A gauge of the number of synchronization locks currently held",
    labels: ["type", "storage", "lock_name", "namespace"],
  },
  locks_pending: {
    type: "gauge",
    help: "A gauge of the number of pending synchronization lock requests",
    labels: ["type", "storage", "lock_name", "namespace"],
  },
  locks_taken_total: {
    type: "counter",
    help: "A counter of the number of synchronization locks taken",
    labels: ["type", "storage", "lock_name", "namespace"],
  },
  log_messages: {
    type: "counter",
    help: "A count of log messages emitted by the controller by log level: `error`, `warn` and `info`",
    labels: ["level"],
  },
  operation_duration_seconds: {
    type: "histogram",
    help: "A histogram of durations of operations",
    buckets: [5, 10, 15, 20, 25, 30],
  },
  pod_missing: { type: "counter", help: "Incidents of pod missing", labels: ["node_phase", "recently_started"] },
  pod_pending_count: {
    type: "counter",
    help: "Total number of pods that started pending by reason",
    labels: ["reason", "namespace"],
  },
  pod_restarts_total: {
    type: "counter",
    help:
      "Total number of pods automatically restarted due to infrastructure failures before the main container started",
    labels: ["reason", "condition", "namespace"],
    optional: ["condition"],
  },
  pods_gauge: {
    type: "gauge",
    help: "A gauge of the number of workflow created pods currently in the cluster in each phase",
    labels: ["phase"],
  },
  pods_total_count: {
    type: "counter",
    help: "Total number of pods that have entered each phase",
    labels: ["phase", "namespace"],
  },
  queue_adds_count: {
    type: "counter",
    help: "A counter of additions to the work queues inside the controller",
    labels: ["queue_name"],
  },
  queue_depth_gauge: { type: "gauge", help: "A gauge of the current depth of the queues", labels: ["queue_name"] },
  queue_duration: {
    type: "histogram",
    help: "A histogram of the time events in the queues are taking to be processed",
    labels: ["queue_name"],
    buckets: REQUEST_SECONDS,
  },
  queue_latency: {
    type: "histogram",
    help: "A histogram of the time events in the queues are taking before they are processed",
    labels: ["queue_name"],
    buckets: [1, 5, 20, 60, 180],
  },
  queue_longest_running: {
    type: "gauge",
    help: "A gauge of the number of seconds that this queue's longest running processor has been running for",
    labels: ["queue_name"],
  },
  queue_retries: {
    type: "counter",
    help: "A counter of the number of times a message has been retried in the queue",
    labels: ["queue_name"],
  },
  queue_unfinished_work: {
    type: "gauge",
    help: "A gauge of the number of queue items that have not been processed yet",
    labels: ["queue_name"],
  },
  resource_rate_limiter_latency: {
    type: "histogram",
    help: "A histogram of the delay duration from the resource creation rate limiter",
    buckets: [0, 0.1, 0.5, 1, 5, 10, 30, 60, 180],
  },
  total_count: {
    type: "counter",
    help:
      "A counter of workflows that have entered each phase for tracking them through their life-cycle, by namespace",
    labels: ["phase", "namespace"],
  },
  version: {
    type: "counter",
    help: "Build metadata for this Controller",
    labels: ["version", "platform", "go_version", "build_date", "compiler", "git_commit", "git_tree_state", "git_tag"],
  },
  workers_busy_count: { type: "gauge", help: "A gauge of queue workers that are busy", labels: ["worker_type"] },
  workflow_condition: {
    type: "gauge",
    help: "A gauge of the number of workflows with different conditions",
    labels: ["type", "status"],
  },
  workflowtemplate_runtime: {
    type: "histogram",
    help: "A histogram of the runtime of workflows using `workflowTemplateRef` only",
    labels: ["name", "namespace", "cluster_scope"],
    buckets: [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10000],
  },
  workflowtemplate_triggered_total: {
    type: "counter",
    help: "A counter of workflows using `workflowTemplateRef` only, as they enter each phase",
    labels: ["name", "namespace", "cluster_scope", "phase"],
  },
} as const satisfies Readonly<Record<string, Omit<Definition, "name">>>;

/** The name of a built-in metric, without the prefix. */
export type BuiltInName = keyof typeof ROWS;

/** The built-in metrics; each help text ends with the URL of its documentation. */
export const BUILT_IN_METRICS: readonly (Definition & { readonly name: BuiltInName })[] = Object.entries(ROWS).map(
  ([name, row]) => ({ ...row, name: name as BuiltInName, help: `${row.help} ${DOCS}${name}` }),
);
