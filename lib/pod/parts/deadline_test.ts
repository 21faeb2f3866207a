import { assertEquals } from "@std/assert";
import type { Pod, Template } from "../../api/mod.ts";
import { envOf, LEGACY_LAYOUT, podFor } from "../testing/pod_request.ts";

const CONTAINER: Template = { container: { image: "busybox", command: ["sh"] } };
const LIMITED = { activeDeadlineSeconds: 9 };

function limitIn(pod: Pod, container: string): string | undefined {
  return envOf(pod, container, "TIPHYS_ACTIVE_DEADLINE_SECONDS");
}

Deno.test("buildPod() has the container beside main keep the limit, and the kubelet wait for main's end and its outputs", () => {
  const pod = podFor(CONTAINER, LIMITED);
  assertEquals(pod.spec.activeDeadlineSeconds, 9 + 30 + 60);
  assertEquals([limitIn(pod, "supervisor"), limitIn(pod, "main")], ["9", undefined]);
});

Deno.test("buildPod() has both executor containers of the legacy layout keep the limit", () => {
  const pod = podFor(CONTAINER, { ...LEGACY_LAYOUT, ...LIMITED });
  assertEquals([limitIn(pod, "init"), limitIn(pod, "wait"), limitIn(pod, "main")], ["9", "9", undefined]);
});

Deno.test("buildPod() leaves the limit to the kubelet where nobody stands beside main", () => {
  const pod = podFor({ resource: { action: "get", manifest: "kind: ConfigMap" } }, LIMITED);
  assertEquals([pod.spec.activeDeadlineSeconds, limitIn(pod, "main")], [9, undefined]);
});

Deno.test("buildPod() sets no limit on a pod that a person wants to look at", () => {
  const held = { container: { ...CONTAINER.container, env: [{ name: "ARGO_DEBUG_PAUSE_AFTER", value: "true" }] } };
  const pod = podFor(held, LIMITED);
  assertEquals([pod.spec.activeDeadlineSeconds, limitIn(pod, "supervisor")], [undefined, undefined]);
});
