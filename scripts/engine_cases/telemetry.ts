/** Cases of metrics, traces, logs, events and durations. */
import type { CoveredCase } from "../case_coverage.ts";
import {
  ARCHIVE_RUNS,
  BASELINES,
  COUNTS,
  DURATIONS,
  EMIT_METRICS,
  EXPORTER,
  HEALTH,
  LIFECYCLE,
  METRIC_VALUES,
  METRICS,
  METRICS_OF_RUNS,
  METRICS_SERVER,
  NODE_EVENTS,
  OWN_METRICS,
  PROMETHEUS,
  scenario,
  SYNC,
} from "./places.ts";

const SEND = "controller/telemetry/send_test.ts";

export const TELEMETRY_CASES: Readonly<Record<string, CoveredCase>> = {
  "MT-1": {
    behavior: "Metrics are served in the Prometheus text format, with Argo's names, types and help.",
    tests: [[METRICS_SERVER, "metrics: are served under their path, with TLS if it is"], [
      METRICS,
      "the URL of Argo's documentation in its help",
    ], [
      METRICS,
      "a histogram has cumulative buckets",
    ], [PROMETHEUS, "Prometheus scrapes the controller over TLS"]],
  },
  "MT-2": {
    behavior: "The controller's own metrics exist from the start, with the value 0.",
    tests: [[OWN_METRICS, "metrics: exist from the start with the value 0"]],
  },
  "MT-3": {
    behavior: "Series of Go programs are omitted, those of any process exist; the version is that of the program.",
    tests: [[OWN_METRICS, "metrics: exist from the start with the value 0"], [
      "controller/metrics/process_metrics_test.ts",
      "process metrics: CPU time, memory and files have the standard",
    ]],
  },
  "MT-4": {
    behavior: "Requests are counted by resource, verb and status.",
    tests: [[OWN_METRICS, "metrics: a request counts under its resource and verb:"], [
      OWN_METRICS,
      "metrics: requests are counted by the status of the response,",
    ]],
  },
  "MT-10": {
    behavior: "A custom metric keeps the help and type of its first use; a conflict is a condition.",
    tests: [[METRICS, "keeps the help and type"], [METRIC_VALUES, "evaluateMetric: reports the problem"], [
      EMIT_METRICS,
      "metrics: the condition contains each problem once",
    ]],
  },
  "MT-11": {
    behavior: "Counters, gauges and histograms have the values of workflows; realtime gauges change with time.",
    tests: [[METRICS, "custom metrics of each type"], [METRICS, "changes between scrapes"], [
      METRIC_VALUES,
      "evaluateMetric: replaces tags in name, help, labels, when and value",
    ]],
  },
  "MT-12": {
    behavior: "A metric is emitted once, when its subject has finished.",
    tests: [scenario("metrics_of_a_workflow_and_its_templates"), [
      METRICS_OF_RUNS,
      "metrics: the page has the workflow's metrics and the controller's own when the workflow has ended",
    ], [
      EMIT_METRICS,
      "metrics: skipped nodes and running nodes emit no metrics",
    ]],
  },
  "MT-13": {
    behavior: "Values that no workflow has recorded for long are dropped; realtime gauges return after a restart.",
    tests: [[METRICS, "values of any type that are not recorded for long"], [
      EMIT_METRICS,
      "metrics: realtime gauges of the workflow and of running nodes exist",
    ]],
  },
  "MT-14": {
    behavior: "Modifiers change the controller's own metrics.",
    tests: [[METRICS, "modifiers disable a metric"]],
  },
  "MT-15": {
    behavior: "The custom metrics of a namespace, and of all namespaces, have a limit in bytes.",
    tests: [[METRICS, "limits the bytes of a namespace's metrics"]],
  },
  "MT-20": {
    behavior: "Locks are counted: held, awaited and acquired ones.",
    tests: [[SYNC, "(T-SY-1)"]],
  },
  "MT-30": {
    behavior: "Metrics and traces are sent to a collector if OpenTelemetry's variables are set.",
    tests: [
      ["controller/telemetry/targets_test.ts", "telemetryTargets(): come from OpenTelemetry's variables, and"],
      [
        "controller/telemetry/targets_test.ts",
        "telemetryTargets(): the protocol defaults to gRPC, except at",
      ],
      [EXPORTER, "telemetry: a collector receives the metrics and the trace of a"],
      [SEND, "telemetry: a gRPC collector receives metrics and traces at its"],
      [SEND, "a request of"],
      [
        COUNTS,
        "traces: a workflow has a trace ID from its start, its pods know the span of their node, and the trace is emitted at the end",
      ],
    ],
  },
  "MT-31": {
    behavior: "Log lines have Argo's form.",
    tests: [["lib/base/log_test.ts", "lineLog: a text line has Argo's keys"], [
      "lib/base/log_test.ts",
      "lineLog: a JSON entry",
    ]],
  },
  "MT-32": {
    behavior: "`/healthz` fails for errors of the controller, not for load.",
    tests: [[HEALTH, "health: a controller is unhealthy if passes are queued and none"], [
      HEALTH,
      "health: unhealthy after the event loop was blocked for more than",
    ]],
  },
  "MT-40": {
    behavior: "Events report the progress of workflows and nodes, with Argo's messages.",
    tests: [
      [NODE_EVENTS, "node events: contain the node and its start in nanoseconds"],
      [NODE_EVENTS, "node events: a node that ended without being observed as running gets"],
      scenario(
        "a_workflow_timeout_is_reported_once",
      ),
    ],
  },
  "MT-41": {
    behavior: "Events of nodes and workflows can be disabled, or be recorded for pods.",
    tests: [scenario("node_events_as_pod_events"), [
      NODE_EVENTS,
      "node events: the settings can attach them to pods, or disable them",
    ]],
  },
  "MT-42": {
    behavior: "Conditions contain each problem once.",
    tests: [[EMIT_METRICS, "metrics: the condition contains each problem once"]],
  },
  "MT-43": {
    behavior: "Durations are estimated by the newest successful workflow of the template.",
    tests: [
      [BASELINES, "baselines: use the newest successful workflow of the template,"],
      [LIFECYCLE, "estimate: uses the last successful workflow of the template"],
      scenario(
        "durations_are_estimated_by_the_last_success",
      ),
      [ARCHIVE_RUNS, "(MT-43)"],
    ],
  },
  "MT-44": {
    behavior: "Resource durations are counted by container and in whole seconds, once for each pod.",
    tests: [[DURATIONS, "counts as 100m of a CPU"], [DURATIONS, "requests of the whole pod count once"], [
      DURATIONS,
      "requests take precedence over limits",
    ]],
  },
  "K-64": {
    behavior:
      "A workflow is a trace: a span for it and for each of its nodes, made from its status, and under them those of the " +
      "controller's work: its start, passes, writes, locks and pods, and the stages of the executor.",
    tests: [
      [EXPORTER, "telemetry: a collector receives the metrics and the trace of a"],
      [METRICS_OF_RUNS, "(K-64)"],
      [
        "tests/controller/counts_test.ts",
        "its pods know the span of their node",
      ],
      ["lib/engine/pod/parts/environment_test.ts", "containers have TRACEPARENT in W3C's format only if tracing"],
      [
        "controller/workflow/apply/work_of_pod_test.ts",
        "how long each container ran",
      ],
      [EXPORTER, "telemetry: a trace has spans for the phases Pending, until the"],
      ["executor/pod/stage_clock_test.ts", "of a traced node reports the times of its stages, which do not overlap"],
      ["controller/workflow/apply/work_of_pod_test.ts", "workOfPod(): stages in a report are parts of the container"],
      [
        "controller/workflow/observe/reported_stages_test.ts",
        "stages: remain after their report is deleted, for its workflow and node only",
      ],
      [COUNTS, "traces: the executor's container is emitted with the stages in its report"],
    ],
    lacks:
      "spans of reconciliations within a pass, of waits for the rate of requests (a metric tells those), and of single " +
      "artifacts, staged files and the last write of a report. Argo's are beta",
  },
  "T-MT-1": { behavior: "The series of locks follow the locks.", tests: [[SYNC, "(T-SY-1)"]] },
  "T-MT-2": {
    behavior: "Custom metrics of each type have their values; a realtime gauge changes between scrapes.",
    tests: [[METRICS, "custom metrics of each type"], [METRICS, "changes between scrapes"], [
      EMIT_METRICS,
      "metrics: the condition contains each problem once",
    ], [
      METRICS_OF_RUNS,
      "metrics: the page has the workflow's metrics and the controller's own when the workflow has ended",
    ]],
  },
  "T-MT-3": {
    behavior: "A change of help or type, an invalid name and missing help are problems with Argo's messages.",
    tests: [[METRICS, "keeps the help and type"], [METRIC_VALUES, "evaluateMetric: reports the problem"]],
  },
  "T-MT-4": {
    behavior: "Values that are not recorded for long are dropped.",
    tests: [[METRICS, "values of any type that are not recorded for long"]],
  },
  "T-MT-5": { behavior: "Modifiers change built-in metrics.", tests: [[METRICS, "modifiers disable a metric"]] },
  "T-MT-6": {
    behavior: "Realtime gauges exist again after a restart.",
    tests: [[
      METRICS_OF_RUNS,
      "metrics: realtime gauges of running workflows and nodes exist under the next controller",
    ]],
  },
  "T-MT-7": {
    behavior: "Prometheus parses the whole page.",
    tests: [[PROMETHEUS, "Prometheus scrapes the controller over TLS"]],
  },
  "T-MT-8": {
    behavior: "The events of a workflow that fails, and their switches.",
    tests: [scenario("events_of_a_workflow_that_fails"), scenario("node_events_as_pod_events"), [
      NODE_EVENTS,
      "node events: the settings can attach them to pods, or disable them",
    ]],
  },
  "T-MT-9": {
    behavior: "The estimate is the duration of the newest success.",
    tests: [[BASELINES, "baselines: use the newest successful workflow of the template,"], [
      LIFECYCLE,
      "estimate: uses the last successful workflow of the template",
    ], scenario("durations_are_estimated_by_the_last_success")],
  },
  "T-MT-10": {
    behavior: "Log lines parse as text and as JSON.",
    tests: [["lib/base/log_test.ts", "lineLog: a text line has Argo's keys"], [
      "lib/base/log_test.ts",
      "lineLog: a JSON entry",
    ]],
  },
  "T-MT-11": {
    behavior: "`/healthz` fails while nothing ends, and recovers.",
    tests: [[HEALTH, "health: a controller is unhealthy if passes are queued and none"]],
  },
};
