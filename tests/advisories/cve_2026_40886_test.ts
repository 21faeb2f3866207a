/** A pod whose annotation `pod-gc-strategy` had no "/" crashed the controller, again after each restart. */
import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { PODS } from "@tiphys/kube";
import { ControllerWorld, sleepingWorkflow } from "../controller/world.ts";

const ANNOTATIONS = [
  "NoSlash",
  "",
  "/",
  "OnPodCompletion",
  "OnPodCompletion/",
  "OnPodCompletion/no-duration",
  "OnPodCompletion/1s/2s",
  "OnPodCompletion/-5s",
  "OnPodCompletion/9223372036854775807h",
  "/5s",
  "\u0000",
  "x".repeat(10_000),
];

/** A pod that belongs to no workflow. Any user who may create pods can create it. */
function podWith(name: string, annotation: string): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "default",
      labels: { [LABEL.workflow]: "nobody" },
      annotations: { [ANNOTATION.podGcStrategy]: annotation },
    },
    spec: { containers: [{ name: "main", image: "busybox" }] },
  };
}

Deno.test("CVE-2026-40886: a malformed pod-gc-strategy annotation stops no workflow, also after a restart", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const annotations = ANNOTATIONS.map((annotation, index) => [`nobody-${index}`, annotation] as const);
  for (const [name, annotation] of annotations) {
    await world.client.create(PODS, "default", podWith(name, annotation));
    await world.endPod(name);
  }
  // A workflow may set the annotation on its own pods as well.
  await world.submit(
    sleepingWorkflow("bad", "    metadata: {annotations: {workflows.argoproj.io/pod-gc-strategy: NoSlash}}"),
  );
  await world.startPod("bad");
  await world.endPod("bad", { main: { exitCode: 1 } });
  assertEquals((await world.awaitEnd("bad")).status?.phase, "Failed");
  for (const name of ["before", "after"]) {
    await world.submit(sleepingWorkflow(name));
    await world.startPod(name);
    await world.endPod(name, { main: { exitCode: 1 } });
    assertEquals((await world.awaitEnd(name)).status?.phase, "Failed");
    await world.stopController();
    await world.startController();
  }
  assertEquals(world.logLines.filter((line) => line.includes("level=ERROR")), []);
});
