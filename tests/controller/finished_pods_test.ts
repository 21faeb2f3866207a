/** Pods of finished workflows: the next controller does what the previous one left undone. */
import { LABEL } from "@tiphys/base/constants";
import { type KubeObject, PODS } from "@tiphys/kube";
import { ControllerWorld, sleeper } from "./world.ts";

Deno.test("finished pod: labeled as completed even if its workflow finished before the controller started", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleeper("w"));
  const pod = await world.podRuns("w");
  const name = pod.metadata.name ?? "";
  await world.report(pod, true);
  await world.podEnds("w");
  await world.ended("w");
  const isLabeled = async () => {
    const { metadata } = await world.client.get<KubeObject>(PODS, "default", name);
    return metadata.labels?.[LABEL.completed] === "true";
  };
  await world.until("the pod is labeled", isLabeled);
  await world.stopController();
  await world.client.patch(PODS, "default", name, { metadata: { labels: { [LABEL.completed]: "false" } } });
  await world.startController();
  await world.until("the pod is labeled again", isLabeled);
});
