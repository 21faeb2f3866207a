/** Metrics of workflows under a whole controller, up to the page that is served. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { controllerMetrics } from "../../controller/metrics/own_metrics.ts";
import { exposition, type WorkSpan } from "@tiphys/base/metrics";
import { EVENTS, WORKFLOW_TEMPLATES } from "@tiphys/kube";
import { LIMITS } from "@tiphys/base/limits";
import { ControllerWorld } from "./world.ts";

Deno.test("metrics: the page has the workflow's metrics and the controller's own when the workflow has ended", async () => {
  await using world = new ControllerWorld();
  const metrics = controllerMetrics({ now: () => world.now().getTime() });
  await world.startController({ metrics });
  await world.submit(`
metadata: {name: w, namespace: default}
spec:
  entrypoint: main
  metrics:
    prometheus:
    - {name: ended, help: How many ended, labels: [{key: status, value: "{{workflow.status}}"}], counter: {value: "1"}}
    - {name: running, help: How long, gauge: {realtime: true, value: "{{workflow.duration}}"}}
    - {name: gauge, help: taken, gauge: {value: "1"}}
  templates:
  - name: main
    container: {image: busybox, command: [sleep]}
`);
  const page = (name: string) =>
    [...exposition(metrics.instruments(), "")].join("").split("\n").filter((line) => line.startsWith(name));
  const pod = await world.startPod("w");
  await world.waitUntil("the gauge moves", () => page("running").length === 1);
  await world.report(pod, true);
  await world.endPod("w");
  const { status } = await world.awaitEnd("w");
  await world.waitUntil("the workflow is counted", () => page("ended").length === 1);
  assertEquals(page("ended"), ['ended{status="Succeeded"} 1']);
  assertEquals(page("total_count"), [
    'total_count{namespace="default",phase="Running"} 1',
    'total_count{namespace="default",phase="Succeeded"} 1',
  ]);
  assertEquals(page('gauge{phase="Succeeded"}'), ['gauge{phase="Succeeded"} 1']);
  assertEquals(page("is_leader"), ["is_leader 1"]);
  const problem = status?.conditions?.find(({ type }) => type === "MetricsError")?.message;
  assertEquals(problem?.startsWith("could not construct metric 'gauge': help for metric gauge is already set"), true);
});

Deno.test("metrics: realtime gauges of running workflows and nodes exist under the next controller", async () => {
  await using world = new ControllerWorld();
  const startController = async () => {
    const metrics = controllerMetrics({ now: () => world.now().getTime() });
    await world.startController({ metrics });
    return () =>
      [...exposition(metrics.instruments(), "")].join("").split("\n").filter((line) => /^(whole|part)/.test(line));
  };
  await startController();
  await world.submit(`
metadata: {name: w, namespace: default}
spec:
  entrypoint: main
  metrics: {prometheus: [{name: whole, help: h, gauge: {realtime: true, value: "{{workflow.duration}}"}}]}
  templates:
  - name: main
    metrics: {prometheus: [{name: part, help: h, gauge: {realtime: true, value: "{{duration}}"}}]}
    container: {image: busybox, command: [sleep]}
`);
  const pod = await world.startPod("w");
  await world.stopController();
  const page = await startController();
  await world.waitUntil("both gauges exist", () => page().length === 2);
  await world.report(pod, true);
  await world.endPod("w");
  await world.awaitEnd("w");
});

Deno.test("metrics: a series that is refused because its namespace has too many is reported on its workflow", async () => {
  await using world = new ControllerWorld();
  const metrics = controllerMetrics({ now: () => world.now().getTime() });
  const label = "x".repeat(LIMITS.namespaceMetricsBytes / 4 - 500);
  metrics.record({ name: "large", help: "large", type: "gauge", labels: { label }, value: 1 }, "default");
  await world.startController({ metrics });
  const text = (namespace: string) => `
metadata: {name: w, namespace: ${namespace}}
spec:
  entrypoint: main
  metrics:
    prometheus:
    - {name: ended, help: How many ended, counter: {value: "1"}}
    - {name: running, help: How long, gauge: {realtime: true, value: "{{workflow.duration}}"}}
  templates: [{name: main, suspend: {duration: "0s"}}]
`;
  await world.submit(text("default"));
  const { status } = await world.awaitEnd("w");
  const refused = `the metrics of namespace "default" would take more than ${LIMITS.namespaceMetricsBytes} bytes`;
  const problem = status?.conditions?.find(({ type }) => type === "MetricsError")?.message;
  assertEquals(problem, `could not construct metric 'ended': ${refused}`);
  const events = () => world.client.list(EVENTS, "default");
  await world.waitUntil(
    "an event reports the gauge",
    async () =>
      JSON.stringify(await events()).includes(
        JSON.stringify(`metric 'running' is not recorded: ${refused}`).slice(1, -1),
      ),
  );
});

Deno.test("metrics: a client that sees the phase of a workflow finds it counted, even before the controller has its response", async () => {
  await using world = new ControllerWorld();
  const metrics = controllerMetrics({ now: () => world.now().getTime() });
  const seen = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  world.between = async ({ method, path }, next) => {
    const answer = await next();
    if (method !== "PATCH" || !path.includes("/workflows/w")) return answer;
    seen.resolve();
    await answered.promise;
    return answer;
  };
  await world.startController({ metrics });
  await world.submit(
    `{metadata: {name: w}, spec: {entrypoint: main, templates: [{name: main, suspend: {}}]}}`,
  );
  await seen.promise;
  assertEquals((await world.workflow("w")).status?.phase, "Running");
  const page = metrics.whenRecorded().then(() => [...exposition(metrics.instruments(), "")].join(""));
  answered.resolve();
  assertStringIncludes(await page, '\ntotal_count{namespace="default",phase="Running"} 1\n');
});

Deno.test("metrics: a workflow that finishes in its first pass is counted as run, and so is its template", async () => {
  await using world = new ControllerWorld();
  const metrics = controllerMetrics({ now: () => world.now().getTime() });
  await world.startController({ metrics });
  await world.client.create(WORKFLOW_TEMPLATES, "default", {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTemplate",
    metadata: { name: "t" },
    spec: {
      entrypoint: "main",
      templates: [
        { name: "main", steps: [[{ name: "a", template: "none", when: "false" }]] },
        { name: "none", suspend: {} },
      ],
    },
  });
  await world.submit("metadata: {name: w, namespace: default}\nspec: {workflowTemplateRef: {name: t}}");
  await world.submit(
    "metadata: {name: wrong, namespace: default}\nspec: {entrypoint: x, templates: [{name: a, suspend: {}}]}",
  );
  await world.awaitEnd("w");
  await world.awaitEnd("wrong");
  const page = (name: string) =>
    [...exposition(metrics.instruments(), "")].join("").split("\n").filter((line) => line.startsWith(name)).sort();
  await world.waitUntil("both are counted", () => page("total_count").length === 3);
  const counted = (phase: string) => `total_count{namespace="default",phase="${phase}"} 1`;
  assertEquals(page("total_count"), ["Failed", "Running", "Succeeded"].map(counted));
  const triggered = (phase: string) =>
    `workflowtemplate_triggered_total{cluster_scope="false",name="t",namespace="default",phase="${phase}"} 1`;
  assertEquals(page("workflowtemplate_triggered_total"), ["New", "Running", "Succeeded"].map(triggered));
});

Deno.test("traces: passes, writes, locks and pods of a workflow are emitted when traces are enabled (K-64)", async () => {
  await using world = new ControllerWorld();
  const spans: WorkSpan[] = [];
  await world.startController({ onWork: (work) => spans.push(work) });
  await world.submit(`
metadata: {name: w, namespace: default}
spec:
  entrypoint: main
  synchronization: {mutexes: [{name: alpha}]}
  templates:
  - name: main
    container: {image: busybox, command: [sleep]}
`);
  const pod = await world.startPod("w");
  await world.report(pod, true);
  await world.endPod("w");
  const { metadata: { uid }, status } = await world.awaitEnd("w");
  await world.waitUntil(
    "the span of its pod is emitted",
    () => spans.some(({ name }) => name === "run_main_container"),
  );
  const names = new Set(spans.map(({ name }) => name));
  assertEquals([...names].sort(), [
    "create_workflow_pod",
    "node_phase",
    "persist_updates",
    "reconcile_workflow",
    "run_main_container",
    "run_supervisor_container",
    "try_acquire_lock",
  ]);
  assertEquals(new Set(spans.map(({ workflow }) => workflow.metadata.uid)), new Set([uid]));
  const creations = spans.filter(({ name }) => name === "create_workflow_pod");
  assertEquals(creations.map(({ nodeId }) => nodeId), Object.keys(status?.nodes ?? {}));
  assertEquals(spans.filter(({ began, ended }) => !(began <= ended)), []);
});
