/** The finalizer of pods: no result of a pod is lost, and no pod stays forever. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { ANNOTATION, FINALIZER, LABEL } from "@tiphys/base/constants";
import { NAMESPACES, PODS, WORKFLOWS } from "@tiphys/kube";
import { releaseAllPods } from "../../controller/workflow/orphans/release_all.ts";
import { ControllerWorld, Gate, nodeIdOf, type SentRequest, sleepingWorkflow } from "./world.ts";

const isStatusWrite = ({ method, path, body }: SentRequest) =>
  method === "PATCH" && path.includes("/workflows/") && (body as Partial<Workflow>).status?.nodes !== undefined;

Deno.test("finalizer: a pod that is deleted before its end is recorded is still read, however long ago it ended (IL-66)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("held"));
  const pod = await world.startPod("held");
  await world.waitUntil("the node runs", async () => nodeOf(await world.workflow("held"), pod)?.phase === "Running");

  const gate = new Gate(isStatusWrite);
  world.between = gate.between;
  await world.report(pod, true);
  await world.endPod("held");
  await world.waitUntil("the end is about to be written", () => gate.held > 0);
  await world.deletePod("held");
  assertEquals((await world.pod("held"))?.metadata.finalizers, [FINALIZER.podStatus]);

  gate.open();
  assertEquals((await world.awaitEnd("held")).status?.phase, "Succeeded");
  await world.awaitPodDeletion("held");
});

Deno.test("finalizer: a deleted pod is read on its first event, on an update, and after a restart of the controller (IL-50)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  for (const name of ["seen-first", "changes"]) {
    await world.submit(sleepingWorkflow(name));
    const pod = await world.startPod(name);
    await world.waitUntil("the node runs", async () => nodeOf(await world.workflow(name), pod)?.phase === "Running");
  }
  await world.endPod("changes", { main: { exitCode: 7 } });
  await world.deletePod("changes");
  assertMatch((await world.awaitEnd("changes")).status?.message ?? "", /exit code 7/);

  await world.stopController();
  await world.endPod("seen-first", { main: { exitCode: 8 } });
  await world.deletePod("seen-first");
  await world.startController();
  assertMatch((await world.awaitEnd("seen-first")).status?.message ?? "", /exit code 8/);
  await world.awaitPodDeletion("seen-first");
  await world.awaitPodDeletion("changes");
});

Deno.test("finalizer: removed from pods although the feature has been disabled since (IL-67)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("switched-off"));
  const pod = await world.startPod("switched-off");
  assertEquals(pod.metadata.finalizers, [FINALIZER.podStatus]);
  world.configure({}, { statusFinalizer: false });
  await world.report(pod, true);
  await world.endPod("switched-off");
  await world.waitUntil("the finalizer is gone", async () => !await isHeld(world, "switched-off"));
  assertEquals((await world.pod("switched-off"))?.metadata.labels?.[LABEL.completed], "true");
});

Deno.test("finalizer: the end of a workflow releases its own pods, not those of the same name in another namespace (IL-68)", async () => {
  await using world = new ControllerWorld();
  await world.makeNamespace("elsewhere");
  await world.startController();
  for (const namespace of ["default", "elsewhere"]) {
    await world.submit(sleepingWorkflow("twin"), namespace);
    await world.startPod("twin", namespace);
  }
  await world.client.delete(WORKFLOWS, "default", "twin", { propagationPolicy: "Background" });
  await world.waitUntil("the pod is released", async () => !await isHeld(world, "twin"));
  assertEquals(await isHeld(world, "twin", "elsewhere"), true);
});

Deno.test("finalizer: pods of a workflow deleted while no controller ran are released by the next controller (IL-69)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(fanOutWorkflow("gone", 3));
  const pods = await awaitPods(world, 3);
  await world.stopController();
  await world.client.delete(WORKFLOWS, "default", "gone", { propagationPolicy: "Background" });
  assertEquals((await world.client.list(PODS, "default")).items.length, 3);
  await world.startController();
  for (const name of pods) await world.awaitPodDeletion(name);
});

Deno.test("finalizer: the sweep releases a pod that is labeled as completed (IL-70)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("labeled"));
  const pod = await world.startPod("labeled");
  await world.report(pod, true);
  await world.endPod("labeled");
  await world.awaitEnd("labeled");
  await world.waitUntil("the pod is released", async () => !await isHeld(world, "labeled"));
  await world.stopController();
  await world.client.patch(PODS, "default", "labeled", { metadata: { finalizers: [FINALIZER.podStatus, "a/b"] } });
  await world.startController();
  await world.waitUntil("the pod is released", async () => {
    const { finalizers } = (await world.pod("labeled"))!.metadata;
    return finalizers?.length === 1 && finalizers[0] === "a/b";
  });
});

Deno.test("finalizer: a finished pod without a workflow is deleted if its annotation is OnPodCompletion (IL-71)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("orphan"));
  await world.startPod("orphan");
  await world.stopController();
  await world.endPod("orphan");
  await world.client.patch(PODS, "default", "orphan", {
    metadata: { annotations: { [ANNOTATION.podGcStrategy]: "OnPodCompletion/0s" } },
  });
  await world.client.delete(WORKFLOWS, "default", "orphan", { propagationPolicy: "Orphan" });
  await world.waitUntil(
    "the pod has no owner",
    async () => !(await world.pod("orphan"))?.metadata.ownerReferences?.length,
  );
  await world.startController();
  await world.awaitPodDeletion("orphan");
});

Deno.test("finalizer: pods do not delay the deletion of a namespace (IL-72)", async () => {
  await using world = new ControllerWorld();
  await world.makeNamespace("leaving");
  await world.startController();
  await world.submit(sleepingWorkflow("stays"), "leaving");
  await world.startPod("stays", "leaving");
  // Another finalizer keeps the workflow, so the pod is not released by the workflow's end.
  await world.client.patch(WORKFLOWS, "leaving", "stays", { metadata: { finalizers: ["example.com/keep"] } });
  await world.client.delete(NAMESPACES, undefined, "leaving");
  await world.waitUntil("the pod is released", async () => !await isHeld(world, "stays", "leaving"));
  await world.client.patch(WORKFLOWS, "leaving", "stays", { metadata: { finalizers: null } });
});

Deno.test("finalizer: a pod without a reported end is given up after the configured time, and the workflow has a condition", async () => {
  await using world = new ControllerWorld();
  world.configure({ podStatusHoldSeconds: 0 });
  await world.startController();
  await world.submit(sleepingWorkflow("silent"));
  const pod = await world.startPod("silent");
  await world.waitUntil("the node runs", async () => nodeOf(await world.workflow("silent"), pod)?.phase === "Running");
  await world.deletePod("silent");
  const { status } = await world.awaitEnd("silent");
  const message = 'pod deleted: node "machine" has not confirmed the end of its containers for 0 seconds';
  assertEquals([status?.phase, status?.message], ["Error", message]);
  const condition = status?.conditions?.find(({ type }) => type === "PodStatusLost");
  assertEquals(condition, { type: "PodStatusLost", status: "True", message: `silent: ${message}` });
  await world.awaitPodDeletion("silent");
});

Deno.test("finalizer: pods do not delay the foreground deletion of their workflow", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("foreground"));
  await world.startPod("foreground");
  await world.client.delete(WORKFLOWS, "default", "foreground", { propagationPolicy: "Foreground" });
  await world.waitUntil("the pod is released", async () => !await isHeld(world, "foreground"));
  await world.deletePod("foreground");
  await world.awaitPodDeletion("foreground");
  await world.waitUntil("the workflow is gone", () => world.workflow("foreground").then(() => false, () => true));
});

Deno.test("finalizer: uninstalling removes it from every pod", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(fanOutWorkflow("many", 4));
  const names = await awaitPods(world, 4);
  await world.stopController();
  assertEquals(await releaseAllPods(world.client, {}), 4);
  for (const name of names) assertEquals(await isHeld(world, name), false);
  assertEquals(await releaseAllPods(world.client, {}), 0);
});

async function isHeld(world: ControllerWorld, name: string, namespace?: string): Promise<boolean> {
  return (await world.pod(name, namespace))?.metadata.finalizers?.includes(FINALIZER.podStatus) === true;
}

function nodeOf(workflow: Awaited<ReturnType<ControllerWorld["workflow"]>>, pod: Parameters<typeof nodeIdOf>[0]) {
  return workflow.status?.nodes?.[nodeIdOf(pod)];
}

function fanOutWorkflow(name: string, width: number): string {
  return `
metadata: {name: ${name}}
spec:
  entrypoint: main
  templates:
  - name: main
    steps:
    - - name: each
        template: sleep
        withSequence: {count: "${width}"}
  - name: sleep
    container: {image: busybox, command: [sleep, "600"]}
`;
}

async function awaitPods(world: ControllerWorld, count: number): Promise<string[]> {
  let names: string[] = [];
  await world.waitUntil(`there are ${count} pods`, async () => {
    names = (await world.client.list(PODS, "default")).items.map(({ metadata }) => metadata.name!);
    return names.length === count;
  });
  return names;
}
