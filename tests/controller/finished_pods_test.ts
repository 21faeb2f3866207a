/** Pods of finished workflows: the next controller does what the previous one left undone. */
import { LABEL } from "@tiphys/base/constants";
import { type KubeObject, PODS } from "@tiphys/kube";
import { ControllerWorld, sleepingWorkflow } from "./world.ts";

Deno.test("finished pod: labeled as completed even if its workflow finished before the controller started", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("w"));
  const pod = await world.startPod("w");
  const name = pod.metadata.name ?? "";
  await world.report(pod, true);
  await world.endPod("w");
  await world.awaitEnd("w");
  const isLabeled = async () => {
    const { metadata } = await world.client.get<KubeObject>(PODS, "default", name);
    return metadata.labels?.[LABEL.completed] === "true";
  };
  await world.waitUntil("the pod is labeled", isLabeled);
  await world.stopController();
  await world.client.patch(PODS, "default", name, { metadata: { labels: { [LABEL.completed]: "false" } } });
  await world.startController();
  await world.waitUntil("the pod is labeled again", isLabeled);
});
