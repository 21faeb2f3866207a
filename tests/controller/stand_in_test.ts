/** Stand-ins for images: a workflow that ran on one has a condition. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { IMAGE_STAND_IN } from "@tiphys/base/constants";
import { EVENTS, PODS } from "@tiphys/kube";
import { ControllerWorld, sleepingWorkflow } from "./world.ts";

Deno.test("stand-in: a pod that runs on one gives its workflow a condition and an event", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("replaced"));
  const pod = await world.startPod("replaced");
  const conditionOf = async () =>
    (await world.workflow("replaced")).status?.conditions?.find(({ type }) => type === IMAGE_STAND_IN);
  assertEquals(await conditionOf(), undefined);
  const standIn = {
    type: IMAGE_STAND_IN,
    status: "True",
    reason: "RegistryUnreachable",
    message: "alpine:3.22, busybox",
  };
  await world.client.patch(
    PODS,
    "default",
    pod.metadata.name!,
    {
      status: { conditions: [...pod.status?.conditions ?? [], standIn] },
    },
    "merge",
    { subresource: "status" },
  );
  await world.waitUntil("the condition is set", async () => (await conditionOf())?.message === "alpine:3.22, busybox");
  await world.waitUntil("the event is recorded", async () => {
    const { items } = await world.client.list<{ reason?: string; message?: string }>(EVENTS, "default");
    const event = items.find(({ reason }) => reason === IMAGE_STAND_IN);
    if (event) assertStringIncludes(event.message ?? "", "alpine:3.22, busybox");
    return event !== undefined;
  });
});

Deno.test("stand-in: the workflow has the condition even if the report arrives before the pod is read", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("short"));
  const pod = await world.startPod("short");
  await world.stopController();
  const standIn = { type: IMAGE_STAND_IN, status: "True", reason: "RegistryUnreachable", message: "busybox" };
  const conditions = [...pod.status?.conditions ?? [], standIn];
  const name = pod.metadata.name!;
  await world.client.patch(PODS, "default", name, { status: { conditions } }, "merge", { subresource: "status" });
  await world.reportSuccess(pod);
  await world.startController();
  const { status } = await world.awaitEnd("short");
  assertEquals(status?.conditions?.find(({ type }) => type === IMAGE_STAND_IN)?.message, "busybox");
});
