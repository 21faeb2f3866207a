import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Pod } from "../../../lib/api/mod.ts";
import { FINALIZER, LABEL } from "../../../lib/constants.ts";
import { podAsKept } from "./finished_pod.ts";

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
    status: { phase: "Succeeded", containerStatuses: [{ name: "main", state: { terminated: { exitCode: 0 } } }] },
  } as Pod;
}

Deno.test("podAsKept() keeps of a pod that was let go its metadata, its status, and what its containers asked for", () => {
  const whole = pod({ labels: { [LABEL.completed]: "true" } });
  const kept = podAsKept(whole);
  assertEquals([kept.metadata, kept.status], [whole.metadata, whole.status]);
  assertEquals<unknown>(kept.spec, {
    nodeName: "machine",
    initContainers: [{ name: "init", image: "i" }],
    containers: [{ name: "main", image: "busybox", resources: { requests: { cpu: "100m" } } }],
  });
});

Deno.test("podAsKept() leaves a pod whole until it has its label and not our finalizer", () => {
  const not: Pod["metadata"][] = [
    {},
    { labels: { [LABEL.completed]: "false" } },
    { labels: { [LABEL.completed]: "true" }, finalizers: [FINALIZER.podStatus] },
  ];
  for (const metadata of not) {
    const whole = pod(metadata);
    assertStrictEquals(podAsKept(whole), whole);
  }
});
