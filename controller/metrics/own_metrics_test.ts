import { assert, assertEquals, assertRejects } from "@std/assert";
import { KubeClient, PODS } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { exposition, type MetricRegistry } from "@tiphys/base/metrics";
import {
  controllerMetrics,
  countingLog,
  countingTransport,
  PodCounts,
  readWorkflows,
  waitObserver,
} from "./own_metrics.ts";
import { queueWatch } from "./queue_metrics.ts";

const page = (registry: MetricRegistry, name: string) =>
  [...exposition(registry.instruments(), "")].join("").split("\n").filter((line) => line.startsWith(name));

const REQUESTS: readonly [string, string, string, string][] = [
  ["GET", "/api/v1/namespaces/argo/pods/p", "pods", "Get"],
  ["GET", "/api/v1/namespaces/argo/pods?limit=500", "pods", "List"],
  ["GET", "/api/v1/pods?watch=true&resourceVersion=7", "pods", "Watch"],
  ["POST", "/apis/argoproj.io/v1alpha1/namespaces/argo/workflows", "workflows", "Create"],
  ["PATCH", "/apis/argoproj.io/v1alpha1/namespaces/argo/workflows/w", "workflows", "Patch"],
  ["PUT", "/apis/coordination.k8s.io/v1/namespaces/argo/leases/l", "leases", "Update"],
  ["DELETE", "/api/v1/namespaces/argo/pods/p", "pods", "Delete"],
  [
    "DELETE",
    "/apis/argoproj.io/v1alpha1/namespaces/argo/workflowtaskresults",
    "workflowtaskresults",
    "DeleteCollection",
  ],
  ["POST", "/api/v1/namespaces/argo/pods/p/exec?command=true", "pods/exec", "Create"],
  ["GET", "/api/v1/namespaces/argo", "namespaces", "Get"],
];

for (const [method, path, kind, verb] of REQUESTS) {
  Deno.test(`metrics: a request counts under its resource and verb: ${method} ${path}`, async () => {
    const registry = controllerMetrics({ now: () => 0 });
    const fetch = () => Promise.resolve(new Response());
    const closed = { fetch, webSocket: () => Promise.reject(new Error("none")), close: () => {} };
    await countingTransport(closed, () => registry).fetch(path, { method });
    const labels = `kind="${kind}",status_code="200",verb="${verb}"`;
    assertEquals(page(registry, "k8s_request_total"), [`k8s_request_total{${labels}} 1`]);
  });
}

Deno.test("metrics: exist from the start with the value 0", () => {
  const registry = controllerMetrics({ now: () => 0 });
  readWorkflows(registry, () => []);
  new PodCounts(registry, () => []);
  assertEquals(page(registry, "error_count").length, 3);
  assertEquals(page(registry, "log_messages").map((line) => line.split('"')[1]), ["debug", "info", "warning", "error"]);
  assertEquals(page(registry, "gauge").length, 5);
  assertEquals(page(registry, "pods_gauge"), ['pods_gauge{phase="Pending"} 0', 'pods_gauge{phase="Running"} 0']);
  assertEquals(page(registry, "workers_busy_count").length, 5);
  assertEquals(page(registry, "is_leader"), ["is_leader 0"]);
  assertEquals(page(registry, "queue_unfinished_work").length, 5);
  assertEquals(page(registry, 'queue_longest_running{queue_name="workflow_archive_queue"}').length, 1);
  assertEquals(page(registry, "version{").length, 1);
  assert(/platform="[a-z]+\/(amd64|arm64)"/.test(page(registry, "version{")[0] ?? ""), "the platform has Go's names");
});

Deno.test("metrics: log messages are counted by level and written", () => {
  const registry = controllerMetrics({ now: () => 0 });
  const seen: string[] = [];
  const log = countingLog({ ...silentLog, warn: (message) => seen.push(message) }, registry);
  log.warn("careful", { a: 1 });
  log.error("bad");
  assertEquals(seen, ["careful"]);
  assertEquals(page(registry, 'log_messages{level="warning"}'), ['log_messages{level="warning"} 1']);
});

Deno.test("metrics: requests are counted by the status of the response, also without a response", async () => {
  const registry = controllerMetrics({ now: () => 0 });
  const transport = countingTransport({
    fetch: (path) =>
      path.includes("/pods/gone")
        ? Promise.reject(new TypeError("reset"))
        : Promise.resolve(new Response("", { status: 404 })),
    webSocket: () => Promise.reject(new Error("none")),
    close: () => {},
  }, () => registry);
  await transport.fetch("/api/v1/namespaces/a/pods/p");
  await assertRejects(() => transport.fetch("/api/v1/namespaces/a/pods/gone"), TypeError);
  assertEquals(page(registry, "k8s_request_total"), [
    'k8s_request_total{kind="pods",status_code="404",verb="Get"} 1',
    'k8s_request_total{kind="pods",status_code="0",verb="Get"} 1',
  ]);
  assert(page(registry, "k8s_request_duration_count").length === 2);
});

Deno.test("metrics: the wait of each request is observed as soon as the metrics exist", async () => {
  let registry = undefined as MetricRegistry | undefined;
  const list = { kind: "PodList", apiVersion: "v1", metadata: {}, items: [] };
  const transport = {
    fetch: () => Promise.resolve(Response.json(list)),
    webSocket: () => Promise.reject(new Error("none")),
    close: () => {},
  };
  const client = new KubeClient(transport, { rate: { qps: 1000, burst: 1 }, onWaited: waitObserver(() => registry) });
  await client.list(PODS, "a");
  registry = controllerMetrics({ now: () => 0 });
  for (const _ of [1, 2, 3]) await client.list(PODS, "a");
  assertEquals(page(registry, "client_rate_limiter_latency_count"), ["client_rate_limiter_latency_count 3"]);
});

Deno.test("metrics: a pod counts once for each phase that it enters", () => {
  const registry = controllerMetrics({ now: () => 0 });
  const counts = new PodCounts(registry, () => [{ status: { phase: "Running" } }, { status: { phase: "Failed" } }]);
  const pod = (phase?: "Pending" | "Running" | "Failed") => ({
    metadata: { uid: "1", namespace: "a" },
    status: phase ? { phase } : undefined,
  });
  for (const phase of [undefined, "Pending", "Running", "Running", "Failed"] as const) {
    counts.recordPod("modified", pod(phase));
  }
  counts.recordPod("deleted", pod("Failed"));
  assertEquals(page(registry, "pods_total_count").map((line) => line.split('phase="')[1]), [
    'Pending"} 1',
    'Running"} 1',
    'Failed"} 1',
  ]);
  assertEquals(page(registry, "pods_gauge"), ['pods_gauge{phase="Pending"} 0', 'pods_gauge{phase="Running"} 1']);
});

Deno.test("metrics: phases and conditions of workflows are current, whatever their status contains", () => {
  const registry = controllerMetrics({ now: () => 0 });
  const workflow = (status: unknown) => ({ metadata: { name: "w" }, status }) as never;
  readWorkflows(registry, () => [
    workflow(undefined),
    workflow({
      phase: "Failed",
      conditions: [{ type: "PodRunning", status: "False" }, { type: "Completed", status: "True" }, null],
    }),
    workflow({ phase: 7, conditions: "x" }),
  ]);
  assertEquals(page(registry, 'gauge{phase="Pending"}'), ['gauge{phase="Pending"} 2']);
  assertEquals(page(registry, 'gauge{phase="Failed"}'), ['gauge{phase="Failed"} 1']);
  assertEquals(page(registry, "workflow_condition").length, 2);
  assertEquals(page(registry, 'workflow_condition{status="False"'), [
    'workflow_condition{status="False",type="PodRunning"} 1',
  ]);
});

Deno.test("metrics: a queue reports its depth, its busy workers and the time of their work", () => {
  let now = 1000;
  const registry = controllerMetrics({ now: () => now });
  const watch = queueWatch(registry, "workflow_queue", () => now);
  watch.added("a");
  watch.added("a");
  watch.added("b");
  now += 500;
  watch.onBegin("a");
  now += 2000;
  const of = (name: string) => page(registry, `${name}{queue_name="workflow_queue"}`)[0]?.split(" ")[1];
  assertEquals(["queue_adds_count", "queue_depth_gauge", "queue_unfinished_work", "queue_longest_running"].map(of), [
    "2",
    "1",
    "2",
    "2",
  ]);
  watch.onEnd("a");
  assertEquals(of("queue_duration_sum"), "2");
  assertEquals(of("queue_latency_sum"), "0.5");
  assertEquals(page(registry, 'workers_busy_count{worker_type="workflow_queue"}')[0]?.split(" ")[1], "0");
});
