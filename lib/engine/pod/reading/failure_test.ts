import { assertEquals } from "@std/assert";
import type { ContainerStatus, Pod, PodStatus } from "@tiphys/model/api";
import { formatTerminationMessage } from "@tiphys/model/termination_message";
import { auxNameOf, failureOf } from "./failure.ts";
import { LEGACY_LAYOUT, podFor } from "../testing/pod_request.ts";

/** The message of a main that timed out waiting for its supervisor. */
function timeoutMessage(cause: string): string {
  return formatTerminationMessage({ stage: "wait", cause });
}

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

interface Row {
  readonly title: string;
  readonly statuses: ContainerStatus[];
  readonly phase: "Succeeded" | "Failed" | "Error";
  readonly message: string;
}

const rows: readonly Row[] = [
  {
    title: "main's message takes precedence over a supervisor that failed later (IL-10)",
    statuses: [ended("supervisor", 64, "no such file"), ended("main", 1)],
    phase: "Failed",
    message: "main: Error (exit code 1)",
  },
  {
    title: "a supervisor that succeeded is not mentioned (IL-10)",
    statuses: [ended("supervisor", 0), ended("main", 1, "boom")],
    phase: "Failed",
    message: "main: Error (exit code 1): boom",
  },
  {
    title: "the supervisor's message explains why main never ran (IL-09)",
    statuses: [ended("supervisor", 64, "artifact a failed to load"), ended("main", 65, timeoutMessage("lost"))],
    phase: "Error",
    message: "supervisor: Error (exit code 64): artifact a failed to load",
  },
  {
    title: "a crashed supervisor is named with its signal",
    statuses: [ended("supervisor", 139), ended("main", 0)],
    phase: "Error",
    message:
      "supervisor: Error (exit code 139); the executor crashed with SIGSEGV, which is not a failure of the step: retry it",
  },
  {
    title: "a crash of the program in main is a failure of the step",
    statuses: [ended("supervisor", 0), ended("main", 139)],
    phase: "Failed",
    message: "main: Error (exit code 139)",
  },
  {
    title: "a supervisor that the kernel killed is named (IL-12)",
    statuses: [ended("supervisor", 137, undefined, "OOMKilled"), ended("main", 67, timeoutMessage("presumed dead"))],
    phase: "Error",
    message: "supervisor: OOMKilled (exit code 137)",
  },
  {
    title: "a deadline that the executor enforced is reported instead of main's exit code",
    statuses: [
      ended("supervisor", 64, formatTerminationMessage({ stage: "deadline", cause: "too late" })),
      ended("main", 143),
    ],
    phase: "Failed",
    message: "too late",
  },
  {
    title: "a deadline that was exceeded while loading inputs is reported",
    statuses: [
      ended("supervisor", 64, formatTerminationMessage({ stage: "deadline", cause: "too late" })),
      ended("main", 65, timeoutMessage("supervisor reported pre-main failure")),
    ],
    phase: "Failed",
    message: "too late",
  },
  {
    title: "a user's command cannot claim that it exceeded a deadline",
    statuses: [
      ended("supervisor", 0),
      ended("main", 3, formatTerminationMessage({ stage: "deadline", cause: "not so" })),
    ],
    phase: "Failed",
    message: "main: Error (exit code 3): not so",
  },
  {
    title: "exit code 65 of a user's command is attributed to the user (IL-57)",
    statuses: [ended("supervisor", 64, "no such file"), ended("main", 65)],
    phase: "Failed",
    message: "main: Error (exit code 65)",
  },
  {
    title: "a refusal to stage takes precedence over the missing outputs that it causes (IL-56)",
    statuses: [
      ended("supervisor", 64, "no such file"),
      ended("main", 66, formatTerminationMessage({ stage: "link", cause: "refusing to stage input artifact" })),
    ],
    phase: "Failed",
    message: "main: Error (exit code 66): refusing to stage input artifact",
  },
  {
    title: "the executor's message before main is reported without its marker",
    statuses: [ended("supervisor", 0), ended("main", 65, timeoutMessage("status marker never appeared within 120s"))],
    phase: "Failed",
    message: "main: Error (exit code 65): status marker never appeared within 120s",
  },
  {
    title: "stopped sidecars do not count as failed",
    statuses: [ended("supervisor", 0), ended("main", 0), ended("proxy", 143), ended("other", 137)],
    phase: "Succeeded",
    message: "",
  },
  {
    title: "a sidecar that ran out of memory counts as failed",
    statuses: [ended("supervisor", 0), ended("main", 0), ended("proxy", 137, undefined, "OOMKilled")],
    phase: "Failed",
    message: "proxy: OOMKilled (exit code 137)",
  },
  {
    title: "a sidecar that failed by itself counts as failed",
    statuses: [ended("supervisor", 0), ended("main", 0), ended("proxy", 2)],
    phase: "Failed",
    message: "proxy: Error (exit code 2)",
  },
  {
    title: "an artifact plugin that fails after everything was saved does not fail the pod",
    statuses: [ended("supervisor", 0), ended("main", 0), ended("artifact-plugin-x", 2)],
    phase: "Succeeded",
    message: "",
  },
  {
    title: "an artifact plugin that fails before everything was saved fails the aux container, which reports it",
    statuses: [ended("artifact-plugin-x", 2), ended("main", 0), ended("supervisor", 64, "failed to save out")],
    phase: "Error",
    message: "supervisor: Error (exit code 64): failed to save out",
  },
  {
    title: "a container that could not start is reported with its reason",
    statuses: [{ name: "main", state: { waiting: { reason: "ImagePullBackOff", message: "no" } } }],
    phase: "Error",
    message: "Pod failed before main container starts due to ImagePullBackOff: no",
  },
  {
    title: "the message names the supervisor if its status is missing (IL-01)",
    statuses: [ended("main", 0), { name: "supervisor", state: {} }],
    phase: "Failed",
    message: "pod failed: supervisor container did not complete successfully",
  },
  {
    title: "the message names wait in the legacy layout",
    statuses: [ended("main", 0), { name: "wait", state: {} }],
    phase: "Failed",
    message: "pod failed: wait container did not complete successfully",
  },
];

for (const { title, statuses, phase, message } of rows) {
  Deno.test(`failureOf(): ${title}`, () => {
    assertEquals(failureOf(failedPod(statuses), undefined), { phase, message });
  });
}

Deno.test("failureOf() returns the pod's message", () => {
  const pod = failedPod([ended("main", 137)], { message: "The node was low on resource: memory." });
  assertEquals(failureOf(pod, undefined).message, "The node was low on resource: memory.");
});

Deno.test("failureOf() explains a container that cannot find argoexec, and names the machine (IL-60)", () => {
  const words = 'exec: "/argo-bin/bin/argoexec": stat /argo-bin/bin/argoexec: no such file or directory';
  const pod = failedPod([ended("supervisor", 0), ended("main", 128, words, "StartError")]);
  const volumes = [{ name: "argoexec-bin", image: { reference: "argoexec:v1" } }];
  const onNode = { ...pod, spec: { ...pod.spec, nodeName: "n1", volumes } };
  assertEquals(
    failureOf(onNode, undefined).message,
    `main: StartError (exit code 128): ${words}; the image volume argoexec-bin contains no argoexec that can run on node ` +
      "n1: its container runtime does not support image volumes (KEP-4639)",
  );
  const missing = failedPod([ended("main", 128, 'exec: "nothing": not found', "StartError")]);
  assertEquals(failureOf({ ...missing, spec: onNode.spec }, undefined).message.includes("image volume"), false);
});

Deno.test("failureOf() checks init containers first", () => {
  const pod = failedPod([ended("main", 1)], { initContainerStatuses: [ended("init", 64, "no such bucket")] });
  assertEquals(failureOf(pod, undefined), { phase: "Error", message: "init: Error (exit code 64): no such bucket" });
});

Deno.test("failureOf() attributes an init container named init to the user in the init-less layout", () => {
  const { spec, ...pod } = failedPod([ended("main", 0)], { initContainerStatuses: [ended("init", 3, "no")] });
  const volumes = [{ name: "argoexec-bin", image: { reference: "argoexec:v1" } }];
  const own = { ...pod, spec: { ...spec, volumes } };
  assertEquals(failureOf(own, undefined), { phase: "Failed", message: "init: Error (exit code 3): no" });
  const said = formatTerminationMessage({ stage: "deadline", cause: "DeadlineExceeded" });
  const status = { ...own.status, initContainerStatuses: [ended("init", 0, said)] };
  assertEquals(failureOf({ ...own, status }, undefined).message === "DeadlineExceeded", false);
});

Deno.test("failureOf() treats the members of a container set as main", () => {
  const template = { containerSet: { containers: [{ name: "a" }, { name: "b" }] } };
  const pod = failedPod([ended("supervisor", 64, "x"), ended("b", 3)]);
  assertEquals(failureOf(pod, template).message, "b: Error (exit code 3)");
});

Deno.test("failureOf() has a message for a failure without a cause", () => {
  assertEquals(failureOf(failedPod([]), undefined).message, "can't find failed message for pod p namespace ns");
});

Deno.test("auxNameOf() prefers wait if a pod has both, in any order (IL-04)", () => {
  assertEquals(auxNameOf(failedPod([ended("supervisor", 0), ended("wait", 0)])), "wait");
  assertEquals(auxNameOf(failedPod([ended("wait", 0), ended("supervisor", 0)])), "wait");
  assertEquals(auxNameOf(failedPod([ended("supervisor", 0)])), "supervisor");
});

Deno.test("failureOf() reads a pod by its own layout, whatever the current setting is (IL-46)", () => {
  for (const [changes, aux] of [[{}, "supervisor"], [LEGACY_LAYOUT, "wait"]] as const) {
    const built = podFor({ container: { image: "busybox", command: ["sh"] } }, changes);
    const pod = { ...built, status: { phase: "Failed" as const, containerStatuses: [ended("main", 0)] } };
    assertEquals(auxNameOf(pod), aux);
    assertEquals(
      failureOf(pod, undefined).message,
      `pod failed: ${aux} container did not complete successfully`,
    );
  }
});

Deno.test("failureOf() does not expect an aux container in a single-container pod", () => {
  const pod = failedPod([ended("main", 0), ended("proxy", 137)]);
  assertEquals(failureOf(pod, undefined).message, "pod failed: wait container did not complete successfully");
  const env = [{ name: "TIPHYS_SINGLE_CONTAINER", value: "true" }];
  const single = { ...pod, spec: { containers: [{ name: "main", env }, { name: "proxy" }] } };
  assertEquals(failureOf(single, undefined), { phase: "Succeeded", message: "" });
});

Deno.test("failureOf() names a NUL in a container's command, arguments or environment as the cause of a start failure", () => {
  const silent = { containerStatuses: [ended("main", 1)] };
  const withMain = (main: object) => ({
    ...failedPod(silent.containerStatuses),
    spec: { containers: [{ name: "main", image: "i", ...main }] },
  });
  const hint = "; its command, arguments or environment contain a NUL character, so no program can be started";
  for (const main of [{ command: ["a\0"] }, { args: ["a", "\0"] }, { env: [{ name: "E", value: "a\0b" }] }]) {
    assertEquals(failureOf(withMain(main), undefined).message, `main: Error (exit code 1)${hint}`);
  }
  const without = { args: ["a\\0"], env: [{ name: "E" }] };
  assertEquals(failureOf(withMain(without), undefined).message, "main: Error (exit code 1)");
});
