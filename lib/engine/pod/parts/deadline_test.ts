import { assertEquals } from "@std/assert";
import type { Pod, Template } from "@tiphys/model/api";
import { envOf, LEGACY_LAYOUT, podFor, refusalFor } from "../testing/pod_request.ts";

const CONTAINER: Template = { container: { image: "busybox", command: ["sh"] } };
const LIMITED = { activeDeadlineSeconds: 9 };

function limitIn(pod: Pod, container: string): string | undefined {
  return envOf(pod, container, "TIPHYS_ACTIVE_DEADLINE_SECONDS");
}

Deno.test("deadline: the supervisor enforces the limit, and the kubelet waits for main's end and outputs", () => {
  const pod = podFor(CONTAINER, LIMITED);
  assertEquals(pod.spec.activeDeadlineSeconds, 9 + 30 + 60);
  assertEquals([limitIn(pod, "supervisor"), limitIn(pod, "main")], ["9", undefined]);
});

Deno.test("deadline: both executor containers of the legacy layout enforce the limit", () => {
  const pod = podFor(CONTAINER, { ...LEGACY_LAYOUT, ...LIMITED });
  assertEquals([limitIn(pod, "init"), limitIn(pod, "wait"), limitIn(pod, "main")], ["9", "9", undefined]);
});

Deno.test("deadline: the kubelet enforces the limit in a pod without an aux container", () => {
  const pod = podFor({ resource: { action: "get", manifest: "kind: ConfigMap" } }, LIMITED);
  assertEquals([pod.spec.activeDeadlineSeconds, limitIn(pod, "main")], [9, undefined]);
});

Deno.test("deadline: a pod that pauses for debugging has no limit", () => {
  const held = { container: { ...CONTAINER.container, env: [{ name: "ARGO_DEBUG_PAUSE_AFTER", value: "true" }] } };
  const pod = podFor(held, LIMITED);
  assertEquals([pod.spec.activeDeadlineSeconds, limitIn(pod, "supervisor")], [undefined, undefined]);
});

for (const limit of [0, -1, 2 ** 31]) {
  Deno.test(`deadline: a limit of ${limit} seconds is rejected with the API server's message`, () => {
    const rule = "must be between 1 and 2147483647, inclusive";
    assertEquals(
      refusalFor(CONTAINER, { activeDeadlineSeconds: limit }),
      `Pod "wf-work-123" is invalid: spec.activeDeadlineSeconds: Invalid value: ${limit}: ${rule}`,
    );
  });
}

Deno.test("deadline: the kubelet's limit does not exceed the API server's maximum", () => {
  assertEquals(podFor(CONTAINER, { activeDeadlineSeconds: 2 ** 31 - 1 }).spec.activeDeadlineSeconds, 2 ** 31 - 1);
});
