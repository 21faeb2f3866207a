/** The controller's own metrics while it runs: every series that Argo's dashboards read has its values. */
import { assert, assertEquals } from "@std/assert";
import { controllerMetrics } from "../../controller/metrics/own_metrics.ts";
import type { Workflow } from "@tiphys/model/api";
import { ANNOTATION, API_VERSION } from "@tiphys/base/constants";
import { CRON_WORKFLOWS, PODS, WORKFLOW_TASK_RESULTS, WORKFLOW_TEMPLATES } from "@tiphys/kube";
import { exposition, type MetricRegistry, type WorkSpan } from "@tiphys/base/metrics";
import { nodeSpanId } from "@tiphys/model/status";
import { ControllerWorld } from "./world.ts";

const SPEC = { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox", command: ["echo"] } }] };

/** The value of a series in the exposition; undefined when it is missing. */
function valueOf(metrics: MetricRegistry, series: string): string | undefined {
  const lines = [...exposition(metrics.instruments(), "")].join("").split("\n");
  return lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1);
}

Deno.test("metrics: a workflow of a template is counted as new, by phase and by duration; its pods by their pending reason", async () => {
  await using world = new ControllerWorld();
  const metrics = controllerMetrics({ now: Date.now });
  await world.startController({ metrics });
  await world.client.create(WORKFLOW_TEMPLATES, "default", {
    apiVersion: API_VERSION,
    kind: "WorkflowTemplate",
    metadata: { name: "t" },
    spec: SPEC,
  });
  await world.submit("metadata: {name: w}\nspec: {workflowTemplateRef: {name: t}}");
  let name = "";
  await world.waitUntil("a pod is made", async () => {
    const { items: [pod] } = await world.client.list(PODS, "default");
    name = pod?.metadata.name ?? "";
    return pod !== undefined;
  });
  const waiting = { reason: "ErrImagePull", message: "pull: no such image" };
  await world.setStatus(name, {
    phase: "Pending",
    containerStatuses: [{ name: "main", ready: false, state: { waiting } }],
  });
  const pending = 'pod_pending_count{namespace="default",reason="ErrImagePull"}';
  await world.waitUntil("it is counted", () => valueOf(metrics, pending) === "1");
  await world.report(await world.awaitPod(name), true);
  await world.startPod(name);
  await world.endPod(name);
  await world.waitUntil(
    "the workflow has finished",
    async () => (await world.workflow("w")).status?.phase === "Succeeded",
  );
  const triggered = (phase: string) =>
    `workflowtemplate_triggered_total{cluster_scope="false",name="t",namespace="default",phase="${phase}"}`;
  const runtime = 'workflowtemplate_runtime_count{cluster_scope="false",name="t",namespace="default"}';
  await world.waitUntil("its end is counted", () => valueOf(metrics, triggered("Succeeded")) === "1");
  assertEquals(
    [...["New", "Running"].map(triggered), runtime, 'pods_total_count{namespace="default",phase="Succeeded"}']
      .map((series) => valueOf(metrics, series)),
    ["1", "1", "1", "1"],
  );
  await world.waitUntil(
    "its clean-up is counted",
    () => Number(valueOf(metrics, 'queue_adds_count{queue_name="pod_cleanup_queue"}')) > 0,
  );
  assertEquals(valueOf(metrics, 'queue_depth_gauge{queue_name="workflow_ttl_queue"}'), "0");
});

Deno.test("metrics: a missing pod is counted once", async () => {
  await using world = new ControllerWorld();
  const metrics = controllerMetrics({ now: Date.now });
  world.configure({}, { statusFinalizer: false });
  await world.startController({ metrics });
  await world.submit(`metadata: {name: w}\nspec: ${JSON.stringify(SPEC)}`);
  await world.startPod("w");
  await world.waitUntil(
    "the workflow runs",
    async () => (await world.workflow("w")).status?.nodes?.w?.phase === "Running",
  );
  await world.client.delete(PODS, "default", "w", { gracePeriodSeconds: 0 });
  await world.waitUntil("the workflow has ended", async () => (await world.workflow("w")).status?.phase === "Error");
  assertEquals(valueOf(metrics, 'pod_missing{node_phase="Running",recently_started="false"}'), "1");
});

Deno.test("metrics: slots of a cron workflow, its concurrency policy and its errors are counted", async () => {
  await using world = new ControllerWorld();
  const metrics = controllerMetrics({ now: Date.now });
  await world.startController({ metrics });
  const cron = (name: string, schedule: string) =>
    world.client.create(CRON_WORKFLOWS, "default", {
      apiVersion: API_VERSION,
      kind: "CronWorkflow",
      metadata: { name },
      spec: { schedules: [schedule], concurrencyPolicy: "Forbid", workflowSpec: SPEC },
    });
  await cron("c", "@every 1s");
  await cron("bad", "61 * * * *");
  const labels = 'name="c",namespace="default"';
  await world.waitUntil(
    "a slot is counted",
    () => valueOf(metrics, `cronworkflows_triggered_total{${labels}}`) === "1",
  );
  await world.waitUntil("one is held back", () => {
    const series = `cronworkflows_concurrencypolicy_triggered{concurrency_policy="Forbid",${labels}}`;
    return Number(valueOf(metrics, series)) >= 1;
  });
  await world.waitUntil(
    "the mistake is counted",
    () => valueOf(metrics, 'error_count{cause="CronWorkflowSpecError"}') === "1",
  );
  assertEquals(valueOf(metrics, `cronworkflows_triggered_total{${labels}}`), "1");
});

Deno.test("traces: a workflow has a trace ID from its start, its pods know the span of their node, and the trace is emitted at the end", async () => {
  await using world = new ControllerWorld();
  world.configure({ sendsTraces: true });
  const ended: Workflow[] = [];
  await world.startController({ onWorkflowEnded: (workflow) => void ended.push(workflow) });
  await world.submit(`metadata: {name: w}\nspec: ${JSON.stringify(SPEC)}`);
  const pod = await world.awaitPod("w");
  await world.report(pod, true);
  const { metadata } = await world.workflow("w");
  const traceId = metadata.uid?.replaceAll("-", "");
  assertEquals(metadata.annotations?.[ANNOTATION.traceId], traceId);
  const main = pod.spec.containers.find(({ name }) => name === "main");
  const parent = main?.env?.find(({ name }) => name === "TRACEPARENT")?.value;
  assertEquals(parent, `00-${traceId}-${nodeSpanId(metadata.uid!, "w")}-01`);
  await world.startPod("w");
  await world.endPod("w");
  await world.waitUntil("it is handed over", () => ended.length > 0);
  assertEquals([ended.length, ended[0]?.status?.phase, ended[0]?.status?.nodes?.w?.phase], [
    1,
    "Succeeded",
    "Succeeded",
  ]);
});

Deno.test("traces: the span of a pod that ends after its workflow is emitted", async () => {
  await using world = new ControllerWorld();
  world.configure({ sendsTraces: true });
  const works: WorkSpan[] = [];
  await world.startController({ onWork: (work) => void works.push(work) });
  await world.submit(`metadata: {name: w}\nspec: ${JSON.stringify(SPEC)}`);
  const pod = await world.awaitPod("w");
  await world.startPod("w");
  await world.reportSuccess(pod);
  await world.awaitEnd("w");
  await world.endPod("w");
  await world.waitUntil(
    "the span of the pod is emitted",
    () => works.some(({ name }) => name === "run_main_container"),
  );
});

Deno.test("traces: the executor's container is emitted with the stages in its report", async () => {
  await using world = new ControllerWorld();
  world.configure({ sendsTraces: true });
  const works: WorkSpan[] = [];
  await world.startController({ onWork: (work) => void works.push(work) });
  const { metadata: { uid, name } } = await world.submit(`metadata: {name: w}\nspec: ${JSON.stringify(SPEC)}`);
  const pod = await world.awaitPod("w");
  await world.startPod("w");
  await world.report(pod, false);
  const now = Date.now();
  await world.client.patch(WORKFLOW_TASK_RESULTS, pod.metadata.namespace, "w", {
    metadata: {
      annotations: { [ANNOTATION.stageTimes]: `save_artifacts ${now} ${now}` },
      ownerReferences: [{ apiVersion: API_VERSION, kind: "Workflow", name, uid }],
    },
  });
  await world.report(pod, true);
  await world.endPod("w");
  const stages = () => works.filter(({ nodeId, partOf }) => nodeId !== undefined && partOf !== undefined);
  await world.waitUntil("the span of the stage is emitted", () => stages().length > 0);
  const executorSpan = works.find(({ key }) => key === stages()[0]?.partOf);
  assertEquals(stages().map(({ name, nodeId }) => [name, nodeId]), [["save_artifacts", "w"]]);
  const passes = new Set(works.filter(({ name }) => name === "reconcile_workflow").map(({ key }) => key));
  const writes = works.filter(({ name }) => name === "persist_updates");
  assert(writes.length > 0);
  assertEquals(writes.filter(({ partOf }) => !passes.has(partOf)), []);
  assertEquals(
    executorSpan?.attributes?.container,
    pod.spec.containers.find((container) => container.name !== "main")?.name,
  );
});
