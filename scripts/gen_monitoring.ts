/**
 * Alerts and a dashboard for Prometheus and Grafana, with the page of runbooks: `manifests/monitoring` and
 * `docs/reference/alerts.md`. All queries are over the controller's own metrics.
 */
import { stringifyYaml } from "@tiphys/model/yaml";
import { generatedFrom, table } from "./reference/markdown.ts";

/** An alert with its runbook. */
interface Alert {
  readonly name: string;
  readonly expr: string;
  readonly for: string;
  readonly severity: "critical" | "warning";
  readonly summary: string;
  /** The steps to take, in order. */
  readonly runbook: readonly string[];
}

const LOG = "Read the controller's log: `kubectl -n argo logs deploy/workflow-controller`.";

/** The alerts. */
export const ALERTS: readonly Alert[] = [
  {
    name: "TiphysControllerAbsent",
    expr: "absent(argo_workflows_is_leader)",
    for: "5m",
    severity: "critical",
    summary: "No controller serves metrics; workflows make no progress",
    runbook: [
      "Check the Deployment: `kubectl -n argo get deploy,pods`.",
      LOG,
      "Check that Prometheus scrapes it: [monitoring](../how-to/monitoring.md).",
    ],
  },
  {
    name: "TiphysNoLeader",
    expr: "max(argo_workflows_is_leader) < 1",
    for: "5m",
    severity: "critical",
    summary: "Controllers run, but none is the leader",
    runbook: [
      "See who holds the Lease: `kubectl -n argo get lease workflow-controller -o yaml`.",
      "Check the right to update Leases: `tiphys preflight`.",
      LOG,
    ],
  },
  {
    name: "TiphysErrors",
    expr: "sum by (cause) (increase(argo_workflows_error_count[15m])) > 0",
    for: "1m",
    severity: "warning",
    summary: "The controller counted errors of kind {{ $labels.cause }}",
    runbook: [
      "`OperationPanic`: a pass over a workflow failed. The log names the workflow; report it as a bug.",
      "`CronWorkflowSpecError`, `CronWorkflowSubmissionError`: see the conditions of the CronWorkflow.",
    ],
  },
  {
    name: "TiphysQueueSlow",
    expr: "histogram_quantile(0.95, sum by (le, queue_name) (rate(argo_workflows_queue_latency_bucket[5m]))) > 5",
    for: "10m",
    severity: "warning",
    summary: "Objects wait more than 5 s in the queue {{ $labels.queue_name }}",
    runbook: [
      "Compare with the latency of the API server (TiphysApiErrors, `argo_workflows_k8s_request_duration`).",
      "Give the controller more CPU, or limit `parallelism`: [sizing](../how-to/sizing.md).",
      "Look for one very large workflow: `tiphys list -A --running -o wide`.",
    ],
  },
  {
    name: "TiphysQueueStuck",
    expr: "max by (queue_name) (argo_workflows_queue_longest_running) > 60",
    for: "5m",
    severity: "critical",
    summary: "A pass over one object has taken over a minute in the queue {{ $labels.queue_name }}",
    runbook: [LOG, "Delete the pod of the controller; another one continues where it stopped."],
  },
  {
    name: "TiphysApiErrors",
    expr: 'sum(rate(argo_workflows_k8s_request_total{status_code=~"0|429|5.."}[5m])) / ' +
      "sum(rate(argo_workflows_k8s_request_total[5m])) > 0.05",
    for: "10m",
    severity: "warning",
    summary: "Over 5 % of the requests to Kubernetes fail",
    runbook: [
      "Check the API server and etcd first: the controller retries by itself.",
      "429: raise the share of the controller in API Priority and Fairness, or set `--qps`.",
    ],
  },
  {
    name: "TiphysPodsMissing",
    expr: "sum(increase(argo_workflows_pod_missing[15m])) > 0",
    for: "1m",
    severity: "warning",
    summary: "Pods of running nodes disappeared",
    runbook: [
      "Look for node failures, evictions and other controllers that delete pods.",
      "Keep the [finalizer](../pod-finalizer.md) on, which preserves the results of deleted pods.",
    ],
  },
];

/** Panels of the dashboard: title, unit of Grafana, query and legend. */
export const PANELS: readonly (readonly [title: string, unit: string, expr: string, legend: string])[] = [
  ["Workflows by phase", "short", "sum by (phase) (argo_workflows_gauge)", "{{phase}}"],
  ["Pods by phase", "short", "sum by (phase) (argo_workflows_pods_gauge)", "{{phase}}"],
  [
    "Pods that entered a phase",
    "ops",
    "sum by (phase) (rate(argo_workflows_pods_total_count[5m]))",
    "{{phase}}",
  ],
  [
    "Why pods wait",
    "ops",
    "sum by (reason) (rate(argo_workflows_pod_pending_count[5m]))",
    "{{reason}}",
  ],
  [
    "Time in queue, p95",
    "s",
    "histogram_quantile(0.95, sum by (le, queue_name) (rate(argo_workflows_queue_latency_bucket[5m])))",
    "{{queue_name}}",
  ],
  ["Queue depth", "short", "max by (queue_name) (argo_workflows_queue_depth_gauge)", "{{queue_name}}"],
  [
    "Duration of a pass, p95",
    "s",
    "histogram_quantile(0.95, sum by (le) (rate(argo_workflows_operation_duration_seconds_bucket[5m])))",
    "p95",
  ],
  [
    "Requests to Kubernetes",
    "reqps",
    "sum by (verb, status_code) (rate(argo_workflows_k8s_request_total[5m]))",
    "{{verb}} {{status_code}}",
  ],
  [
    "Requests to Kubernetes, p95",
    "s",
    "histogram_quantile(0.95, sum by (le, verb) (rate(argo_workflows_k8s_request_duration_bucket[5m])))",
    "{{verb}}",
  ],
  ["Errors", "short", "sum by (cause) (increase(argo_workflows_error_count[5m]))", "{{cause}}"],
  ["Locks held", "short", "sum(argo_workflows_locks_held)", "held"],
  ["Leader", "short", "max(argo_workflows_is_leader)", "leader"],
];

/** The files by their path under `manifests/`. */
export function monitoringFiles(): Map<string, string> {
  const header = "# Generated by scripts/gen.ts. Do not edit; run `deno task gen`.\n";
  return new Map([
    ["monitoring/prometheus-rule.yaml", header + stringifyYaml(prometheusRule())],
    ["monitoring/grafana-dashboard.json", `${JSON.stringify(dashboard(), null, 1)}\n`],
  ]);
}

function prometheusRule(): object {
  const rules = ALERTS.map(({ name, expr, for: duration, severity, summary }) => ({
    alert: name,
    expr,
    for: duration,
    labels: { severity },
    annotations: { summary, runbook: `docs/reference/alerts.md#${name.toLowerCase()}` },
  }));
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: { name: "tiphys" },
    spec: { groups: [{ name: "tiphys", rules }] },
  };
}

function dashboard(): object {
  const datasource = { type: "prometheus", uid: "${datasource}" };
  return {
    title: "Tiphys controller",
    uid: "tiphys-controller",
    schemaVersion: 39,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    templating: { list: [{ name: "datasource", type: "datasource", query: "prometheus" }] },
    panels: PANELS.map(([title, unit, expr, legendFormat], index) => ({
      id: index + 1,
      type: "timeseries",
      title,
      datasource,
      gridPos: { x: (index % 3) * 8, y: Math.floor(index / 3) * 8, w: 8, h: 8 },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: [{ refId: "A", datasource, expr, legendFormat }],
    })),
  };
}

/** The text of `docs/reference/alerts.md`. */
export function alertsPage(): string {
  const rows = ALERTS.map(({ name, severity, summary }) => [`[${name}](#${name.toLowerCase()})`, severity, summary]);
  const runbooks = ALERTS.map(({ name, expr, for: duration, runbook }) =>
    [
      `## ${name}`,
      `\`${expr}\`, for ${duration}`,
      runbook.map((step, index) => `${index + 1}. ${step}`).join("\n"),
    ].join("\n\n")
  );
  return `${generatedFrom("scripts/gen_monitoring.ts")}

# Alerts and dashboard

\`\`\`sh
kubectl -n argo apply -f manifests/monitoring/prometheus-rule.yaml
\`\`\`

The rule needs the Prometheus operator. Import \`manifests/monitoring/grafana-dashboard.json\` into Grafana. Both use the
controller's [metrics](metrics.md) only.

${table(["Alert", "Severity", "Summary"], rows)}

${runbooks.join("\n\n")}
`;
}
