import { assertEquals } from "@std/assert";
import type { ContainerStatus, NodeStatus, Pod, PodStatus, Template } from "@tiphys/model/api";
import { interpretPod } from "./interpret.ts";

const NODE: NodeStatus = { id: "wf-1", name: "wf.a", type: "Pod", phase: "Running" };

function podWith(status: PodStatus): Pod {
  return { metadata: { name: "p", namespace: "ns" }, spec: { containers: [{ name: "main" }], nodeName: "n1" }, status };
}

function running(name: string, ready = true): ContainerStatus {
  return { name, ready, state: { running: { startedAt: "2026-01-01T00:00:00Z" } } };
}

function endedContainer(name: string, exitCode: number, finishedAt: string): ContainerStatus {
  return { name, state: { terminated: { exitCode, reason: exitCode ? "Error" : "Completed", finishedAt } } };
}

Deno.test("interpretPod() uses the message of the first waiting container of a pending pod", () => {
  const waiting = (reason: string, message?: string) => ({ name: "main", state: { waiting: { reason, message } } });
  const message = (status: PodStatus) => interpretPod(podWith({ phase: "Pending", ...status }), NODE).message;
  assertEquals(message({ containerStatuses: [waiting("ErrImagePull", "not found")] }), "ErrImagePull: not found");
  assertEquals(message({ containerStatuses: [waiting("ContainerCreating")] }), "ContainerCreating");
  const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/1 nodes" }];
  assertEquals(message({ conditions }), "Unschedulable: 0/1 nodes");
  assertEquals(message({}), "");
});

Deno.test("interpretPod() reports why an image volume cannot be mounted, and keeps the node pending (IL-61)", () => {
  const message = 'Back-off pulling image "argoexec:v1": not found';
  const containerStatuses = [
    running("supervisor"),
    { name: "main", state: { waiting: { reason: "ImagePullBackOff", message } } },
  ];
  const facts = interpretPod(podWith({ phase: "Pending", containerStatuses }), NODE);
  assertEquals([facts.phase, facts.message], ["Pending", `ImagePullBackOff: ${message}`]);
});

Deno.test("interpretPod() reports the container that is stuck, not those that wait for it", () => {
  const waiting = (name: string, reason: string, message?: string) => ({
    name,
    state: { waiting: { reason, message } },
  });
  const turn = [waiting("wait", "PodInitializing"), waiting("main", "PodInitializing")];
  const message = (status: PodStatus) => interpretPod(podWith({ phase: "Pending", ...status }), NODE).message;
  const initContainerStatuses = [waiting("init", "ErrImagePull", "denied")];
  assertEquals(message({ initContainerStatuses, containerStatuses: turn }), "ErrImagePull: denied");
  const creating = [waiting("main", "ContainerCreating"), waiting("s", "CreateContainerConfigError", "no secret")];
  assertEquals(message({ containerStatuses: creating }), "CreateContainerConfigError: no secret");
  assertEquals(message({ containerStatuses: turn }), "PodInitializing");
});

Deno.test("interpretPod() reports that the aux container still runs after main has ended", () => {
  const status: PodStatus = {
    phase: "Running",
    containerStatuses: [running("supervisor"), endedContainer("main", 1, "2026-01-01T00:00:05Z")],
  };
  const facts = interpretPod(podWith(status), NODE);
  assertEquals([facts.phase, facts.isAuxRunning, facts.hasAuxFailed], ["Running", true, false]);
  assertEquals(facts.exitCode, "1");
  assertEquals(facts.finishedAt, undefined);
});

Deno.test("interpretPod() uses the latest end of a container as the end of the pod", () => {
  const containerStatuses = [
    endedContainer("supervisor", 0, "2026-01-01T00:00:07Z"),
    endedContainer("main", 0, "2026-01-01T00:00:05Z"),
  ];
  const facts = interpretPod(podWith({ phase: "Succeeded", containerStatuses }), NODE);
  assertEquals([facts.phase, facts.finishedAt, facts.hostNodeName], ["Succeeded", "2026-01-01T00:00:07Z", "n1"]);
});

Deno.test("interpretPod() expects no report from an aux container that failed or was evicted", () => {
  const broken = [
    endedContainer("supervisor", 64, "2026-01-01T00:00:07Z"),
    endedContainer("main", 0, "2026-01-01T00:00:05Z"),
  ];
  assertEquals(interpretPod(podWith({ phase: "Failed", containerStatuses: broken }), NODE).hasAuxFailed, true);
  const evicted = interpretPod(podWith({ phase: "Failed", reason: "Evicted", message: "low on memory" }), NODE);
  assertEquals([evicted.hasAuxFailed, evicted.phase, evicted.message], [true, "Failed", "low on memory"]);
});

Deno.test("interpretPod() expects no report from a Failed pod with running containers, and uses the cluster's message", () => {
  const facts = interpretPod(
    podWith({
      phase: "Failed",
      conditions: [{ type: "DisruptionTarget", status: "True", message: "PodGC: node no longer exists" }],
      containerStatuses: [running("supervisor"), running("main")],
    }),
    NODE,
  );
  assertEquals([facts.phase, facts.hasAuxFailed], ["Failed", true]);
  assertEquals(facts.message, "pod failed: PodGC: node no longer exists");
});

Deno.test("interpretPod() fails immediately if main could not be started, without waiting for a report (IL-60)", () => {
  const text = 'exec: "/argo-bin/bin/argoexec": no such file or directory';
  const facts = interpretPod(
    podWith({
      phase: "Running",
      containerStatuses: [
        running("supervisor"),
        { name: "main", state: { terminated: { exitCode: 128, reason: "StartError", message: text } } },
      ],
    }),
    NODE,
  );
  assertEquals([facts.phase, facts.isAuxRunning, facts.hasAuxFailed], ["Failed", false, true]);
  assertEquals(facts.message, `main: StartError (exit code 128): ${text}`);
});

const DAEMON: Template = { daemon: true, container: { image: "x" } };

Deno.test("interpretPod() fails at once if the executor's own container could not be started", () => {
  const terminated = { exitCode: 128, reason: "StartError", message: "no such file" };
  for (const name of ["supervisor", "wait"]) {
    const pod = podWith({ phase: "Running", containerStatuses: [running("main"), { name, state: { terminated } }] });
    const { phase, message, hasAuxFailed } = interpretPod(pod, NODE);
    assertEquals([phase, message, hasAuxFailed], ["Error", `${name}: StartError (exit code 128): no such file`, true]);
  }
});

Deno.test("interpretPod() reports a daemon as running, with its address, once all containers are ready", () => {
  const status = (ready: boolean): PodStatus => ({
    phase: "Running",
    podIP: "10.0.0.7",
    containerStatuses: [running("supervisor"), running("main", ready)],
  });
  assertEquals(interpretPod(podWith(status(false)), { ...NODE, phase: "Pending" }, DAEMON).phase, undefined);
  const ready = interpretPod(podWith(status(true)), { ...NODE, phase: "Pending" }, DAEMON);
  assertEquals([ready.phase, ready.daemoned, ready.podIP], ["Running", true, "10.0.0.7"]);
});

Deno.test("interpretPod() treats a daemon that ends by itself as failed", () => {
  assertEquals(interpretPod(podWith({ phase: "Succeeded" }), NODE, DAEMON).phase, "Failed");
});

Deno.test("interpretPod() reports the state of every member of a container set", () => {
  const template = { containerSet: { containers: ["a", "b", "c", "d"].map((name) => ({ name })) } };
  const containerStatuses = [
    endedContainer("a", 0, "2026-01-01T00:00:05Z"),
    endedContainer("b", 64, "2026-01-01T00:00:05Z"),
    endedContainer("c", 3, "2026-01-01T00:00:05Z"),
    running("d"),
  ];
  const { containers } = interpretPod(podWith({ phase: "Running", containerStatuses }), NODE, template);
  assertEquals(containers, [
    { name: "a", phase: "Succeeded" },
    { name: "b", phase: "Error", message: "b: Error (exit code 64): " },
    { name: "c", phase: "Failed", message: "c: Error (exit code 3): " },
    { name: "d", phase: "Running" },
  ]);
});

Deno.test("interpretPod() fails the running members of a container set whose pod failed", () => {
  const template = { containerSet: { containers: ["a", "b"].map((name) => ({ name })) } };
  const containerStatuses = [running("a")];
  const { containers } = interpretPod(
    podWith({ phase: "Failed", message: "evicted", containerStatuses }),
    NODE,
    template,
  );
  assertEquals(
    containers,
    ["a", "b"].map((name) => ({
      name,
      phase: "Failed",
      message: "Pod Failed whilst container running",
    })),
  );
});

Deno.test("interpretPod() reports an unknown phase", () => {
  const facts = interpretPod(podWith({ phase: "Unknown" }), NODE);
  assertEquals([facts.phase, facts.message], ["Error", "Unexpected pod phase for p: Unknown"]);
});
