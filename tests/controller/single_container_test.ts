/** Pods of one container: what the kubelet says of them is all there is to know, whatever somebody reports. */
import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { ANNOTATION, API_VERSION, ENV, LABEL } from "@tiphys/base/constants";
import { WORKFLOW_TASK_RESULTS, WORKFLOWS } from "@tiphys/kube";
import { keyOf } from "../../simulate/testing/seal_report.ts";
import { ControllerWorld, nodeIdOf, sleeper } from "./world.ts";

const FORGED_SEALS: readonly Record<string, string>[] = [{}, { [ANNOTATION.reportSeal]: "forged" }];

async function singleWorld(): Promise<ControllerWorld> {
  const world = new ControllerWorld();
  world.configure({}, { singleContainer: true });
  await world.startController();
  return world;
}

async function nodeOf(world: ControllerWorld, pod: Pod) {
  const { status } = await world.workflow(pod.metadata.labels?.[LABEL.workflow] ?? "");
  return status?.nodes?.[nodeIdOf(pod)];
}

async function running(world: ControllerWorld, name: string): Promise<Pod> {
  await world.submit(sleeper(name));
  const pod = await world.podRuns(name);
  await world.until(`the node ${name} runs`, async () => (await nodeOf(world, pod))?.phase === "Running");
  return pod;
}

/** Writes that a node has ended well, as another pod may, which has no key of this one: there is none. */
async function forge(world: ControllerWorld, pod: Pod, annotations: Record<string, string>): Promise<void> {
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

Deno.test("a node whose pod has one container succeeds by what the kubelet says, without a report", async () => {
  await using world = await singleWorld();
  const pod = await running(world, "plain");
  assertEquals([pod.spec.containers.map(({ name }) => name), keyOf(pod)], [["main"], undefined]);
  const knows = (name: string) => pod.spec.containers[0]?.env?.some((variable) => variable.name === name);
  assertEquals(knows(ENV.decidedOn), true);
  await world.podEnds("plain");
  const { status } = await world.ended("plain");
  const node = status?.nodes?.[nodeIdOf(pod)];
  assertEquals([status?.phase, node?.phase, node?.outputs], ["Succeeded", "Succeeded", { exitCode: "0" }]);
});

Deno.test("a report in the name of a pod of one container is never believed, whenever it is written", async () => {
  await using world = await singleWorld();
  for (const [name, exitCode, phase] of [["good", 0, "Succeeded"], ["bad", 3, "Failed"]] as const) {
    for (const annotations of FORGED_SEALS) {
      const title = `${name}-${Object.keys(annotations).length}`;
      const pod = await running(world, title);
      await forge(world, pod, annotations);
      // Another pod of one container ends after that: what came before has been decided by then.
      await running(world, `${title}-canary`);
      await world.podEnds(`${title}-canary`);
      await world.ended(`${title}-canary`);
      const before = await nodeOf(world, pod);
      assertEquals([before?.phase, before?.outputs, before?.progress], ["Running", undefined, "0/1"]);
      await world.podEnds(title, { main: { exitCode } });
      const { status } = await world.ended(title);
      const node = status?.nodes?.[nodeIdOf(pod)];
      assertEquals([node?.phase, node?.outputs], [phase, { exitCode: String(exitCode) }]);
    }
  }
});

Deno.test("a main of one container that the kernel killed for want of memory fails its node with the reason", async () => {
  await using world = await singleWorld();
  const pod = await running(world, "large");
  await world.podEnds("large", { main: { exitCode: 137, reason: "OOMKilled" } });
  const { status } = await world.ended("large");
  const node = status?.nodes?.[nodeIdOf(pod)];
  assertEquals([node?.phase, node?.message], ["Failed", "main: OOMKilled (exit code 137)"]);
});

Deno.test("a pod of one container that the kubelet ended has the kubelet's words, a deadline as well as an eviction", async () => {
  await using world = await singleWorld();
  const words = {
    DeadlineExceeded: "Pod was active on the node longer than the specified deadline",
    Evicted: "The node was low on resource: memory.",
  };
  for (const [reason, message] of Object.entries(words)) {
    const name = reason.toLowerCase();
    const pod = await running(world, name);
    await world.setStatus(name, { phase: "Failed", reason, message });
    const { status } = await world.ended(name);
    const node = status?.nodes?.[nodeIdOf(pod)];
    assertEquals([node?.phase, node?.message], ["Failed", message]);
  }
});

Deno.test("a pod of one container that is stopped is waited for, and tells how it ended", async () => {
  await using world = await singleWorld();
  const pod = await running(world, "stopped");
  await world.client.patch(WORKFLOWS, "default", "stopped", { spec: { shutdown: "Terminate" } });
  await world.until("main is asked to end", () => world.execs.some(({ container }) => container === "main"));
  assertEquals((await world.workflow("stopped")).status?.finishedAt, undefined);
  await world.podEnds("stopped", { main: { exitCode: 143 } });
  const { status } = await world.ended("stopped");
  const node = status?.nodes?.[nodeIdOf(pod)];
  assertEquals([node?.phase, node?.outputs], ["Failed", { exitCode: "143" }]);
  assertEquals(node?.message, "workflow shutdown with strategy:  Terminate");
});
