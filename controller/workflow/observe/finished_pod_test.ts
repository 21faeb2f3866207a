import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { FINALIZER, LABEL } from "@tiphys/base/constants";
import { mainNeverStarted } from "../../../lib/engine/pods/deleted_pods.ts";
import { retainedPod } from "./finished_pod.ts";

const ENDED = { terminated: { exitCode: 0, startedAt: "2026-03-28T11:00:00Z" } };

function pod(metadata: Pod["metadata"]): Pod {
  const resources = { requests: { cpu: "100m" } };
  return {
    metadata: { name: "p", annotations: { mine: "x" }, ...metadata },
    spec: {
      nodeName: "machine",
      serviceAccountName: "default",
      volumes: [{ name: "v" }],
      initContainers: [{ name: "init", image: "i", args: ["x"] }],
      containers: [{ name: "main", image: "busybox", command: ["sh"], env: [{ name: "A", value: "B" }], resources }],
    },
    status: {
      phase: "Succeeded",
      containerStatuses: [{ name: "main", image: "i", imageID: "i@1", containerID: "c://1", state: ENDED }],
      initContainerStatuses: [{ name: "init", state: ENDED }],
    },
  } as Pod;
}

Deno.test("retainedPod(): keeps the metadata, the ends of the containers and the requests of a released pod", () => {
  const whole = pod({ labels: { [LABEL.completed]: "true" } });
  const kept = retainedPod(whole);
  assertEquals(kept.metadata, whole.metadata);
  assertEquals<unknown>(kept.status, {
    phase: "Succeeded",
    containerStatuses: [{ name: "main", state: ENDED }],
    initContainerStatuses: [{ name: "init", state: ENDED }],
  });
  assertEquals<unknown>(kept.spec, {
    nodeName: "machine",
    initContainers: [{ name: "init", image: "i" }],
    containers: [{ name: "main", image: "busybox", resources: { requests: { cpu: "100m" } } }],
  });
});

Deno.test("retainedPod(): keeps a pod whole unless it has the label and not the controller's finalizer", () => {
  const not: Pod["metadata"][] = [
    {},
    { labels: { [LABEL.completed]: "false" } },
    { labels: { [LABEL.completed]: "true" }, finalizers: [FINALIZER.podStatus] },
  ];
  for (const metadata of not) {
    const whole = pod(metadata);
    assertStrictEquals(retainedPod(whole), whole);
  }
});

Deno.test("retainedPod(): keeps the evidence that a container was started, by keeping its name if its end does not show it", () => {
  const ends = [
    { state: { terminated: { exitCode: 137, reason: "ContainerStatusUnknown" } } },
    { state: { waiting: { reason: "ContainerCreating" } } },
    {},
  ];
  for (const end of ends) {
    for (const containerID of ["c://1", undefined]) {
      const whole = pod({ labels: { [LABEL.completed]: "true" } });
      Object.assign(whole.status!, { containerStatuses: [{ name: "main", containerID, ...end }] });
      assertEquals(mainNeverStarted(retainedPod(whole), undefined), containerID === undefined);
      assertEquals(mainNeverStarted(whole, undefined), containerID === undefined);
    }
  }
});

Deno.test("retainedPod(): shares the requests of containers between pods", () => {
  const [one, other] = ["one", "other"].map((name) =>
    retainedPod(pod({ name, labels: { [LABEL.completed]: "true" } }))
  );
  assertStrictEquals(one!.spec.containers, other!.spec.containers);
  const larger = pod({ labels: { [LABEL.completed]: "true" } });
  larger.spec.containers[0]!.resources = { requests: { cpu: "2" } };
  assertEquals(retainedPod(larger).spec.containers[0]!.resources, { requests: { cpu: "2" } });
});
