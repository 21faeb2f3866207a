/** Limits on workflows: disruption budgets, parallelism, the rate of pod creation, and retention. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { controllerMetrics } from "../../controller/metrics/own_metrics.ts";
import { exposition } from "@tiphys/base/metrics";
import { LABEL } from "@tiphys/base/constants";
import { classifyError, NAMESPACES, POD_DISRUPTION_BUDGETS, PODS, WORKFLOWS } from "@tiphys/kube";
import { ControllerWorld } from "./world.ts";

/** A workflow with one pod; `more` contains further lines of its spec. */
function singlePodWorkflow(name: string, more = ""): string {
  return `
metadata: {name: ${name}}
spec:
  entrypoint: main${more}
  templates: [{name: main, container: {image: busybox, command: [echo]}}]`;
}

/** Ends the only pod of a workflow, and waits for the workflow to finish. */
async function end(world: ControllerWorld, name: string, exitCode = 0, namespace = "default"): Promise<void> {
  const pod = await world.awaitPod(name, { namespace });
  await world.report(pod, true);
  await world.startPod(name, namespace);
  await world.endPod(name, { main: { exitCode } }, namespace);
  await world.waitUntil(`${name} has finished`, async () => {
    const { phase } = (await world.workflow(name, namespace)).status ?? {};
    return phase === "Succeeded" || phase === "Failed";
  });
}

async function budget(world: ControllerWorld, name: string) {
  try {
    return await world.client.get<{ metadata: object; spec: unknown }>(POD_DISRUPTION_BUDGETS, "default", name);
  } catch (error) {
    if (classifyError(error) === "notFound") return undefined;
    throw error;
  }
}

Deno.test("disruption budget: created before the first pod of a workflow that waited, and deleted at its end", async () => {
  await using world = new ControllerWorld();
  let limit = 1;
  const controller = await world.startController({ limits: () => ({ parallelism: limit }) });
  await world.submit(singlePodWorkflow("first"));
  await world.awaitPod("first");
  await world.submit(singlePodWorkflow("second", "\n  podDisruptionBudget: {minAvailable: 1}"));
  await world.waitUntil("the second waits", async () => (await world.workflow("second")).status?.phase === "Pending");
  assertEquals(await budget(world, "second"), undefined);
  limit = 2;
  controller.settingsChanged();
  await world.awaitPod("second");
  const selector = { matchLabels: { [LABEL.workflow]: "second" } };
  assertEquals((await budget(world, "second"))?.spec, { minAvailable: 1, selector });
  await end(world, "second");
  await world.waitUntil("the budget is gone", async () => await budget(world, "second") === undefined);
});

Deno.test("disruption budget: a budget that may not be deleted does not affect the end of its workflow", async () => {
  await using world = new ControllerWorld();
  world.between = async ({ method, path }, next) =>
    method === "DELETE" && path.includes("poddisruptionbudgets")
      ? Response.json({ kind: "Status", code: 403, reason: "Forbidden", message: "no" }, { status: 403 })
      : await next();
  await world.startController();
  await world.submit(singlePodWorkflow("w", "\n  podDisruptionBudget: {minAvailable: 1}"));
  await end(world, "w");
  await world.waitUntil(
    "the log has the reason",
    () => world.logLines.some((line) => line.includes("Could not delete a pod disruption budget")),
  );
  assertEquals((await world.workflow("w")).status?.phase, "Succeeded");
});

Deno.test("disruption budget: a deleted budget does not affect the end of its workflow", async () => {
  await using world = new ControllerWorld();
  const answers: number[] = [];
  world.between = async ({ method, path }, next) => {
    const response = await next();
    if (method !== "POST" && path.includes("poddisruptionbudgets")) answers.push(response.status);
    return response;
  };
  await world.startController();
  await world.submit(singlePodWorkflow("w", "\n  podDisruptionBudget: {minAvailable: 1}"));
  await world.awaitPod("w");
  await world.client.delete(POD_DISRUPTION_BUDGETS, "default", "w");
  await end(world, "w");
  await world.waitUntil("the controller has not found it", () => answers.includes(404));
  assertEquals((await world.workflow("w")).status?.phase, "Succeeded");
  assertEquals(world.logLines.filter((line) => line.includes("Could not delete a pod disruption budget")), []);
});

Deno.test("disruption budget: a budget that cannot be created fails its workflow before any pod is created", async () => {
  await using world = new ControllerWorld();
  world.between = async ({ method, path }, next) =>
    method === "POST" && path.includes("poddisruptionbudgets")
      ? Response.json({ kind: "Status", code: 422, reason: "Invalid", message: "spec: no" }, { status: 422 })
      : await next();
  await world.startController();
  await world.submit(singlePodWorkflow("w", "\n  podDisruptionBudget: {minAvailable: 1}"));
  await world.waitUntil("it failed", async () => (await world.workflow("w")).status?.phase === "Failed");
  const { message } = (await world.workflow("w")).status ?? {};
  assertStringIncludes(message ?? "", "Unable to create PDB resource for workflow, w error: spec: no");
  assertEquals((await world.client.list(PODS, "default")).items, []);
});

Deno.test("namespace parallelism: the label of the namespace overrides the settings until it is removed", async () => {
  await using world = new ControllerWorld();
  const label = (value: string | null) =>
    world.client.patch(NAMESPACES, undefined, "default", { metadata: { labels: { [LABEL.parallelismLimit]: value } } });
  await label("1");
  await world.startController({ limits: () => ({ namespaceParallelism: 5 }) });
  for (const name of ["a", "b", "c"]) await world.submit(singlePodWorkflow(name));
  const running = async () =>
    (await world.client.list(WORKFLOWS, "default", { labelSelector: `${LABEL.phase}=Running` })).items.length;
  const waiting = async () =>
    (await world.client.list(WORKFLOWS, "default", { labelSelector: `${LABEL.phase}=Pending` })).items.length;
  await world.waitUntil("one runs and two wait", async () => await running() === 1 && await waiting() === 2);
  await label("2");
  await world.waitUntil("two run", async () => await running() === 2);
  await label("many");
  await world.waitUntil("all run", async () => await running() === 3);
  await world.waitUntil(
    "the log has the reason",
    () => world.logLines.some((line) => line.includes("limit of a namespace is not a number")),
  );
});

Deno.test("resourceRateLimit: limits the rate of pod creation, and a workflow stopped meanwhile gets no pod", async () => {
  await using world = new ControllerWorld();
  const metrics = controllerMetrics({ now: Date.now });
  let rate: { limit: number; burst: number } | undefined = { limit: 0, burst: 1 };
  const controller = await world.startController({ metrics, podRate: () => rate });
  const many = (name: string) => `
metadata: {name: ${name}}
spec:
  entrypoint: main
  templates:
  - name: main
    steps: [[{name: a, template: run, withSequence: {count: "3"}}]]
  - {name: run, container: {image: busybox, command: [echo]}}`;
  const pods = async (name: string) =>
    (await world.client.list(PODS, "default", { labelSelector: `${LABEL.workflow}=${name}` })).items.length;
  await world.submit(many("slow"));
  await world.waitUntil("one pod is made", async () => await pods("slow") === 1);
  await world.submit(many("ended"));
  await world.waitUntil("the workflow runs", async () => (await world.workflow("ended")).status?.phase === "Running");
  await world.client.patch(WORKFLOWS, "default", "ended", { spec: { shutdown: "Terminate" } });
  await world.waitUntil(
    "the workflow has ended",
    async () => (await world.workflow("ended")).status?.phase === "Failed",
  );
  assertEquals(await pods("slow"), 1);
  rate = { limit: 1000, burst: 100 };
  controller.settingsChanged();
  await world.waitUntil("all are made", async () => await pods("slow") === 3);
  assertEquals(await pods("ended"), 0);
  const page = [...exposition(metrics.instruments(), "")].join("");
  assertStringIncludes(page, "resource_rate_limiter_latency_count 6");
});

Deno.test("retentionPolicy: keeps the newest finished workflows of each phase, up to its limits", async () => {
  await using world = new ControllerWorld();
  let policy: { completed?: number } | undefined = undefined;
  const controller = await world.startController({ retention: () => policy });
  for (const name of ["a", "b", "c", "failed"]) {
    await world.submit(singlePodWorkflow(name));
    await end(world, name, name === "failed" ? 1 : 0);
  }
  await world.submit(singlePodWorkflow("runs"));
  await world.awaitPod("runs");
  const names = async () =>
    (await world.client.list(WORKFLOWS, "default")).items.map(({ metadata }) => metadata.name).toSorted();
  assertEquals(await names(), ["a", "b", "c", "failed", "runs"]);
  policy = { completed: 2 };
  controller.settingsChanged();
  await world.waitUntil("the others are gone", async () => (await names()).length === 3);
  assertEquals((await names()).filter((name) => name === "runs" || name === "failed"), ["runs"]);
});

Deno.test("estimate: uses the last successful workflow of the template", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString().replace(".000", "");
  const past = (name: string, seconds: number, phase = "Succeeded") =>
    world.client.create(WORKFLOWS, "default", {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      metadata: {
        name,
        labels: { [LABEL.workflowTemplate]: "t", [LABEL.completed]: "true", [LABEL.phase]: phase },
      },
      spec: { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox", command: ["echo"] } }] },
      status: {
        phase,
        startedAt: at(0),
        finishedAt: at(seconds),
        nodes: { [name]: { id: name, name, type: "Pod", phase, startedAt: at(0), finishedAt: at(seconds - 1) } },
      },
    });
  await past("good", 30);
  await past("bad", 7, "Failed");
  await world.submit(
    singlePodWorkflow("next").replace("{name: next}", `{name: next, labels: {${LABEL.workflowTemplate}: t}}`),
  );
  await world.awaitPod("next");
  const { status } = await world.workflow("next");
  assertEquals([status?.estimatedDuration, status?.nodes?.next?.estimatedDuration], [30, 29]);
});
