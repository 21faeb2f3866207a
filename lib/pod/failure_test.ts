import { assertEquals } from "@std/assert";
import type { ContainerStatus, Pod, PodStatus } from "../api/mod.ts";
import { auxNameOf, failureOf } from "./failure.ts";

function ended(
  name: string,
  exitCode: number,
  message?: string,
  reason = exitCode ? "Error" : "Completed",
): ContainerStatus {
  return { name, state: { terminated: { exitCode, reason, message } } };
}

function failedPod(containerStatuses: ContainerStatus[], status: Partial<PodStatus> = {}): Pod {
  return {
    metadata: { name: "p", namespace: "ns" },
    spec: { containers: containerStatuses.map(({ name }) => ({ name })) },
    status: { phase: "Failed", containerStatuses, ...status },
  };
}

const rows: [name: string, statuses: ContainerStatus[], phase: string, message: string][] = [
  [
    "main's message wins over a supervisor that failed after it (IL-10)",
    [ended("supervisor", 64, "no such file"), ended("main", 1)],
    "Failed",
    "main: Error (exit code 1)",
  ],
  [
    "a supervisor that ended well is not spoken of (IL-10)",
    [ended("supervisor", 0), ended("main", 1, "boom")],
    "Failed",
    "main: Error (exit code 1): boom",
  ],
  [
    "the supervisor tells why main never ran (IL-09)",
    [ended("supervisor", 64, "artifact a failed to load"), ended("main", 65, "argoexec pre-main: lost")],
    "Error",
    "supervisor: Error (exit code 64): artifact a failed to load",
  ],
  [
    "the supervisor's end by the kernel is named (IL-12)",
    [ended("supervisor", 137, undefined, "OOMKilled"), ended("main", 65, "argoexec pre-main: presumed dead")],
    "Error",
    "supervisor: OOMKilled (exit code 137)",
  ],
  [
    "a user's own 65 stays the user's (IL-57)",
    [ended("supervisor", 64, "no such file"), ended("main", 65)],
    "Failed",
    "main: Error (exit code 65)",
  ],
  [
    "a refusal to stage is not outranked by the missing outputs it causes (IL-56)",
    [ended("supervisor", 64, "no such file"), ended("main", 66, "refusing to stage input artifact")],
    "Failed",
    "main: Error (exit code 66): refusing to stage input artifact",
  ],
  [
    "the executor's own words before main are told without their mark",
    [ended("supervisor", 0), ended("main", 65, "argoexec pre-main: status marker never appeared within 120s")],
    "Failed",
    "main: Error (exit code 65): status marker never appeared within 120s",
  ],
  [
    "sidecars that were stopped are no failure",
    [ended("supervisor", 0), ended("main", 0), ended("proxy", 143), ended("other", 137)],
    "Succeeded",
    "",
  ],
  [
    "a sidecar that failed by itself is one",
    [ended("supervisor", 0), ended("main", 0), ended("proxy", 2)],
    "Failed",
    "proxy: Error (exit code 2)",
  ],
  [
    "a container that could not start names its reason",
    [{ name: "main", state: { waiting: { reason: "ImagePullBackOff", message: "no" } } }],
    "Error",
    "Pod failed before main container starts due to ImagePullBackOff: no",
  ],
  [
    "without the supervisor's status the text names the supervisor (IL-01)",
    [ended("main", 0), { name: "supervisor", state: {} }],
    "Failed",
    "pod failed: supervisor container did not complete successfully",
  ],
  [
    "in the legacy layout it names wait",
    [ended("main", 0), { name: "wait", state: {} }],
    "Failed",
    "pod failed: wait container did not complete successfully",
  ],
];

for (const [name, statuses, phase, message] of rows) {
  Deno.test(`failureOf(): ${name}`, () => {
    assertEquals(failureOf(failedPod(statuses), undefined), { phase: phase as "Failed", message });
  });
}

Deno.test("failureOf() repeats the pod's own message", () => {
  const pod = failedPod([ended("main", 137)], { message: "The node was low on resource: memory." });
  assertEquals(failureOf(pod, undefined).message, "The node was low on resource: memory.");
});

Deno.test("failureOf() blames init containers first", () => {
  const pod = failedPod([ended("main", 1)], { initContainerStatuses: [ended("init", 64, "no such bucket")] });
  assertEquals(failureOf(pod, undefined), { phase: "Error", message: "init: Error (exit code 64): no such bucket" });
});

Deno.test("failureOf() knows the members of a container set as main", () => {
  const template = { containerSet: { containers: [{ name: "a" }, { name: "b" }] } };
  const pod = failedPod([ended("supervisor", 64, "x"), ended("b", 3)]);
  assertEquals(failureOf(pod, template).message, "b: Error (exit code 3)");
});

Deno.test("failureOf() says so when there is nothing to find", () => {
  assertEquals(failureOf(failedPod([]), undefined).message, "can't find failed message for pod p namespace ns");
});

Deno.test("auxNameOf() prefers wait where a pod has both (IL-04)", () => {
  assertEquals(auxNameOf(failedPod([ended("supervisor", 0), ended("wait", 0)])), "wait");
  assertEquals(auxNameOf(failedPod([ended("supervisor", 0)])), "supervisor");
});
