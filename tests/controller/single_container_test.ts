/** Pods of one container: only the kubelet's status counts, whatever a report contains. */
import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { ANNOTATION, API_VERSION, ENV, LABEL } from "@tiphys/base/constants";
import { WORKFLOW_TASK_RESULTS, WORKFLOWS } from "@tiphys/kube";
import { keyOf } from "../../simulate/testing/seal_report.ts";
import { ControllerWorld, nodeIdOf, sleepingWorkflow } from "./world.ts";

const FORGED_SEALS: readonly Record<string, string>[] = [{}, { [ANNOTATION.reportSeal]: "forged" }];

async function createSingleContainerWorld(): Promise<ControllerWorld> {
  const world = new ControllerWorld();
  world.configure({}, { singleContainer: true });
  await world.startController();
  return world;
}

async function nodeOf(world: ControllerWorld, pod: Pod) {
  const { status } = await world.workflow(pod.metadata.labels?.[LABEL.workflow] ?? "");
  return status?.nodes?.[nodeIdOf(pod)];
}

async function submitAndStart(world: ControllerWorld, name: string): Promise<Pod> {
  await world.submit(sleepingWorkflow(name));
  const pod = await world.startPod(name);
  await world.waitUntil(`the node ${name} runs`, async () => (await nodeOf(world, pod))?.phase === "Running");
  return pod;
}

/** Reports success of a node, as another pod may. The pod has no key, so the report cannot be sealed. */
async function forgeReport(world: ControllerWorld, pod: Pod, annotations: Record<string, string>): Promise<void> {
  await world.client.create(WORKFLOW_TASK_RESULTS, "default", {
    apiVersion: API_VERSION,
    kind: "WorkflowTaskResult",
    metadata: {
      name: nodeIdOf(pod),
      labels: {
        [LABEL.workflow]: pod.metadata.labels?.[LABEL.workflow] ?? "",
        [LABEL.reportOutputsCompleted]: "true",
      },
      annotations,
      ownerReferences: pod.metadata.ownerReferences?.filter(({ kind }) => kind === "Workflow"),
    },
    phase: "Succeeded",
    progress: "9/9",
    outputs: { result: "evil", parameters: [{ name: "p", value: "evil" }] },
  });
}

Deno.test("single container: a node succeeds by the pod's status, without a report", async () => {
  await using world = await createSingleContainerWorld();
  const pod = await submitAndStart(world, "plain");
  assertEquals([pod.spec.containers.map(({ name }) => name), keyOf(pod)], [["main"], undefined]);
  const knows = (name: string) => pod.spec.containers[0]?.env?.some((variable) => variable.name === name);
  assertEquals(knows(ENV.decidedOn), true);
  await world.endPod("plain");
  const { status } = await world.awaitEnd("plain");
  const node = status?.nodes?.[nodeIdOf(pod)];
  assertEquals([status?.phase, node?.phase, node?.outputs], ["Succeeded", "Succeeded", { exitCode: "0" }]);
});

Deno.test("single container: a report is never believed, whenever it is written", async () => {
  await using world = await createSingleContainerWorld();
  for (const [name, exitCode, phase] of [["good", 0, "Succeeded"], ["bad", 3, "Failed"]] as const) {
    for (const annotations of FORGED_SEALS) {
      const title = `${name}-${Object.keys(annotations).length}`;
      const pod = await submitAndStart(world, title);
      await forgeReport(world, pod, annotations);
      // Another pod of one container ends later: everything that was written earlier has been decided by then.
      await submitAndStart(world, `${title}-canary`);
      await world.endPod(`${title}-canary`);
      await world.awaitEnd(`${title}-canary`);
      const before = await nodeOf(world, pod);
      assertEquals([before?.phase, before?.outputs, before?.progress], ["Running", undefined, "0/1"]);
      await world.endPod(title, { main: { exitCode } });
      const { status } = await world.awaitEnd(title);
      const node = status?.nodes?.[nodeIdOf(pod)];
      assertEquals([node?.phase, node?.outputs], [phase, { exitCode: String(exitCode) }]);
    }
  }
});

Deno.test("single container: a main that was killed for lack of memory fails its node with the reason", async () => {
  await using world = await createSingleContainerWorld();
  const pod = await submitAndStart(world, "large");
  await world.endPod("large", { main: { exitCode: 137, reason: "OOMKilled" } });
  const { status } = await world.awaitEnd("large");
  const node = status?.nodes?.[nodeIdOf(pod)];
  assertEquals([node?.phase, node?.message], ["Failed", "main: OOMKilled (exit code 137)"]);
});

Deno.test("single container: a pod that the kubelet ended has the kubelet's message, for a deadline as well as an eviction", async () => {
  await using world = await createSingleContainerWorld();
  const words = {
    DeadlineExceeded: "Pod was active on the node longer than the specified deadline",
    Evicted: "The node was low on resource: memory.",
  };
  for (const [reason, message] of Object.entries(words)) {
    const name = reason.toLowerCase();
    const pod = await submitAndStart(world, name);
    await world.setStatus(name, { phase: "Failed", reason, message });
    const { status } = await world.awaitEnd(name);
    const node = status?.nodes?.[nodeIdOf(pod)];
    assertEquals([node?.phase, node?.message], ["Failed", message]);
  }
});

Deno.test("single container: the node of a stopped pod waits for its end and has its exit code", async () => {
  await using world = await createSingleContainerWorld();
  const pod = await submitAndStart(world, "stopped");
  await world.client.patch(WORKFLOWS, "default", "stopped", { spec: { shutdown: "Terminate" } });
  await world.waitUntil("main is being stopped", () => world.execs.some(({ container }) => container === "main"));
  assertEquals((await world.workflow("stopped")).status?.finishedAt, undefined);
  await world.endPod("stopped", { main: { exitCode: 143 } });
  const { status } = await world.awaitEnd("stopped");
  const node = status?.nodes?.[nodeIdOf(pod)];
  assertEquals([node?.phase, node?.outputs], ["Failed", { exitCode: "143" }]);
  assertEquals(node?.message, "workflow shutdown with strategy:  Terminate");
});
