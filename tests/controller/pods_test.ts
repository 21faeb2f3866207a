/** The controller's handling of pods: creation, termination and replacement. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { CONTAINER, VOLUME } from "@tiphys/base/constants";
import { PODS, WORKFLOWS } from "@tiphys/kube";
import { asIs, showingAsIs } from "./as_is.ts";
import {
  auxAnnotationOf,
  ControllerWorld,
  Gate,
  type Interceptor,
  nodeIdOf,
  type SentRequest,
  sleepingWorkflow,
} from "./world.ts";

const isPodCreation = ({ method, path }: SentRequest) => method === "POST" && /\/pods(\?|$)/.test(path);

Deno.test("layout: pods keep the layout of their creation and can be killed after the setting has changed (IL-46)", async () => {
  await using world = new ControllerWorld();
  world.configure({}, { layout: "legacy" });
  await world.startController();
  await world.submit(sleepingWorkflow("older"));
  await world.startPod("older");
  world.configure({}, { layout: "initless" });
  await world.submit(sleepingWorkflow("newer"));
  assertEquals(auxAnnotationOf(await world.startPod("newer")), CONTAINER.supervisor);
  assertEquals(auxAnnotationOf((await world.pod("older"))!), CONTAINER.wait);
  for (const name of ["older", "newer"]) {
    await world.client.patch(WORKFLOWS, "default", name, { spec: { shutdown: "Terminate" } });
    await world.waitUntil(
      `main of ${name} is stopped to end`,
      () =>
        world.execs.some(({ pod, container, command }) =>
          pod === name && container === "main" && command.join(" ").endsWith("argoexec kill 15 1")
        ),
    );
    const pod = (await world.pod(name))!;
    const { command } = world.execs.find((exec) => exec.pod === name && exec.container === "main")!;
    const mounts = pod.spec.containers.find((container) => container.name === "main")!.volumeMounts!;
    assert(mounts.some(({ mountPath }) => command[0]?.startsWith(`${mountPath}/`)), `${command[0]} is mounted`);
    await world.endPod(name, { main: { exitCode: 143 } });
    assertEquals((await world.awaitEnd(name)).status?.phase, "Failed");
  }
});

Deno.test("pods: the executor saves outputs without a time limit while sidecars and artifact plugins run", async () => {
  await using world = new ControllerWorld();
  const artifactDrivers = [{ name: "store", image: "store:v1" }];
  world.configure({}, { artifactDrivers, images: { "store:v1": { entrypoint: ["/serve"] } } });
  await world.startController();
  for (const [name, more] of [["plain", ""], ["side", "sidecars: [{name: side, image: busybox, command: [sleep]}]"]]) {
    await world.submit(`
metadata: {name: ${name}}
spec:
  entrypoint: main
  templates:
  - name: main
    container: {image: busybox, command: [sleep, "1"]}
    outputs: {artifacts: [{name: out, path: /out, plugin: {name: store, configuration: "", key: k}}]}
    ${more}
`);
    await world.startPod(name!);
    const { status } = (await world.pod(name!))!;
    const containerStatuses = status!.containerStatuses!.map((container) => ({
      ...container,
      ...(container.name === "main" && { state: { terminated: { exitCode: 0, reason: "Completed" } } }),
    }));
    await world.setStatus(name!, { ...status, containerStatuses });
  }
  await world.waitUntil("the sidecar is stopped", () => world.execs.some(({ container }) => container === "side"));
  const stopped = world.execs.map(({ pod, container }) => `${pod}/${container}`);
  assertEquals(stopped, ["side/side"]);
});

Deno.test("pod creation: an existing pod is the node's pod, and counts once for parallelism (IL-49)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  // The API server creates the first pod, but its response is lost: the controller requests it again.
  let lost = 0;
  world.between = async (sent, next) => {
    const answer = await next(sent.body);
    return isPodCreation(sent) && lost++ === 0 ? new Response("upstream", { status: 503 }) : answer;
  };
  await world.submit(`
metadata: {name: two}
spec:
  entrypoint: main
  parallelism: 1
  templates:
  - name: main
    steps:
    - - {name: a, template: sleep}
      - {name: b, template: sleep}
  - name: sleep
    container: {image: busybox, command: [sleep, "600"]}
`);
  const first = await awaitOnlyPod(world);
  await world.startPod(first.metadata.name!);
  await world.waitUntil("the node runs", async () => phaseOf(await world.workflow("two"), first) === "Running");
  assertEquals((await world.client.list(PODS, "default")).items.length, 1);
  await world.report(first, true);
  await world.endPod(first.metadata.name!);
  await world.waitUntil(
    "the other pod is made",
    async () => (await world.client.list(PODS, "default")).items.length === 2,
  );
});

Deno.test("pod restart: a pod evicted while its inputs are downloaded is replaced if the settings allow it (IL-63)", async () => {
  await using world = new ControllerWorld();
  world.configure({ maxPodRestarts: 3 });
  await world.startController();
  await world.submit(sleepingWorkflow("evicted"));
  const first = await world.startPod("evicted");
  await world.waitUntil("the node runs", async () => phaseOf(await world.workflow("evicted"), first) === "Running");
  await world.setStatus("evicted", {
    phase: "Failed",
    reason: "Evicted",
    message: "low on memory",
    // Its container ran, and waited for the supervisor.
    containerStatuses: [{ name: "main", state: { terminated: { exitCode: 137, startedAt: "2026-01-01T00:00:00Z" } } }],
  });
  const second = await world.awaitPod("evicted", { not: first });
  const waiting = (await world.workflow("evicted")).status?.nodes?.[nodeIdOf(second)];
  assertEquals([waiting?.phase, waiting?.failedPodRestarts], ["Pending", 1]);
  await world.startPod("evicted");
  await world.report(second, true);
  await world.endPod("evicted");
  assertEquals((await world.awaitEnd("evicted")).status?.phase, "Succeeded");
});

Deno.test("pod restart: a node drops its evicted pod even if the next pod ends before it is observed running", async () => {
  await using world = new ControllerWorld();
  world.configure({ maxPodRestarts: 3 });
  await world.startController();
  await world.submit(sleepingWorkflow("evicted"));
  const first = await world.startPod("evicted");
  await world.setStatus("evicted", { phase: "Failed", reason: "Evicted", containerStatuses: [] });
  const second = await world.awaitPod("evicted", { not: first });
  await world.report(second, true);
  await world.endPod("evicted");
  const node = (await world.awaitEnd("evicted")).status?.nodes?.[nodeIdOf(second)];
  assertEquals([node?.phase, node?.failedPodRestarts, node?.restartingPodUID], ["Succeeded", 1, undefined]);
});

Deno.test("pod restart: a pod whose machine shut down while main ran is replaced only with restartsPodsAfterShutdown", async () => {
  for (const restartsPodsAfterShutdown of [true, false]) {
    await using world = new ControllerWorld();
    world.configure({ restartsPodsAfterShutdown });
    await world.startController();
    await world.submit(sleepingWorkflow("stopped"));
    const first = await world.startPod("stopped");
    await world.waitUntil("the node runs", async () => phaseOf(await world.workflow("stopped"), first) === "Running");
    await world.report(first, false);
    await world.setStatus("stopped", {
      phase: "Failed",
      reason: "NodeShutdown",
      message: "The machine stopped",
      containerStatuses: [{ name: "main", state: { terminated: { exitCode: 137, reason: "ContainerStatusUnknown" } } }],
    });
    if (!restartsPodsAfterShutdown) {
      assertEquals((await world.awaitEnd("stopped")).status?.phase, "Failed");
      continue;
    }
    const second = await world.awaitPod("stopped", { not: first });
    const waiting = (await world.workflow("stopped")).status?.nodes?.[nodeIdOf(second)];
    assertEquals([waiting?.phase, waiting?.failedPodRestarts], ["Pending", 1]);
    await world.startPod("stopped");
    await world.report(second, true);
    await world.endPod("stopped");
    assertEquals((await world.awaitEnd("stopped")).status?.phase, "Succeeded");
  }
});

Deno.test("daemon: not ready while its inputs are being downloaded (IL-64)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(`
metadata: {name: daemon}
spec:
  entrypoint: main
  templates:
  - name: main
    steps:
    - - {name: server, template: server}
    - - {name: client, template: client}
  - name: server
    daemon: true
    container: {image: busybox, command: [serve]}
  - name: client
    container: {image: busybox, command: [ask]}
`);
  const pod = await awaitOnlyPod(world);
  const name = pod.metadata.name!;
  const running = await world.startPod(name, "default", ["main"]);
  // Another workflow that finishes later proves that the controller had time to make the mistake.
  await world.submit(sleepingWorkflow("other"));
  await world.report(await world.startPod("other"), true);
  await world.endPod("other");
  await world.awaitEnd("other");
  assertEquals((await world.workflow("daemon")).status?.nodes?.[nodeIdOf(pod)]?.daemoned, undefined);
  const ready = running.status!.containerStatuses!.map((status) => ({ ...status, ready: true }));
  await world.setStatus(name, { containerStatuses: ready });
  await world.waitUntil("the client starts", async () => (await world.client.list(PODS, "default")).items.length === 3);
});

Deno.test("injected proxy: stopped only after the supervisor (IL-76)", async () => {
  await using world = new ControllerWorld();
  world.between = injectProxy;
  await world.startController();
  await world.submit(`
metadata: {name: meshed}
spec:
  entrypoint: main
  templates:
  - name: main
    container: {image: busybox, command: [sleep, "600"]}
    sidecars: [{name: side, image: busybox, command: [sleep]}]
`);
  const pod = await world.startPod("meshed");
  const state = (code: number | undefined) =>
    code === undefined ? { running: {} } : { terminated: { exitCode: code, finishedAt: new Date().toISOString() } };
  const statuses = (ended: readonly string[]) =>
    pod.spec.containers.map(({ name }) => ({ name, ready: true, state: state(ended.includes(name) ? 0 : undefined) }));
  const stopped = () => world.execs.map(({ container }) => container);
  await world.setStatus("meshed", { containerStatuses: statuses(["main"]) });
  await world.waitUntil("the sidecar is being stopped", () => stopped().includes("side"));
  assertEquals(stopped(), ["side"]);
  await world.setStatus("meshed", { containerStatuses: statuses(["main", "side", "supervisor"]) });
  await world.waitUntil("the proxy is being stopped", () => stopped().includes("proxy"));
  assertEquals(world.execs.find(({ container }) => container === "proxy")?.command, ["/bin/sh", "-c", "kill -15 1"]);
  await world.report(pod, true);
  await world.endPod("meshed", { proxy: { exitCode: 143 } });
});

Deno.test("image volume: a server that drops it silently gets the pod in the legacy layout (IL-78)", async () => {
  await using world = new ControllerWorld();
  world.between = async (sent, next) =>
    await next(isPodCreation(sent) ? withoutImageVolume(sent.body as Pod) : sent.body);
  await world.startController();
  await world.submit(sleepingWorkflow("dropped"));
  await world.waitUntil("the pod is replaced", async () => {
    const pod = await world.pod("dropped");
    return pod !== undefined && auxAnnotationOf(pod) === CONTAINER.wait;
  });
  await world.waitUntil("the event is recorded", async () => (await world.events("ImageVolumeDropped")).length > 0);
  const [message] = await world.events("ImageVolumeDropped");
  assertStringIncludes(message ?? "", "ImageVolume");
  const pod = await world.startPod("dropped");
  await world.report(pod, true);
  await world.endPod("dropped");
  assertEquals((await world.awaitEnd("dropped")).status?.phase, "Succeeded");

  await world.submit(sleepingWorkflow("next"));
  await world.awaitPod("next");
  assertEquals((await world.events("ImageVolumeDropped")).length, 1, "the next pod is legacy at once");
});

Deno.test("image volume: a pod that lost it is deleted although the scheduler and the kubelet write to it (IL-78)", async () => {
  await using world = new ControllerWorld();
  world.between = async (sent, next) => {
    const isDeletion = sent.method === "DELETE" && sent.path.includes("/pods/dropped");
    if (isDeletion) await world.client.patch(PODS, "default", "dropped", { metadata: { labels: { started: "yes" } } });
    const isInitless = isPodCreation(sent) && (sent.body as Pod).spec.volumes?.some(({ image }) => image);
    if (!isInitless) return await next(sent.body);
    const answer = await next(withoutImageVolume(sent.body as Pod));
    await world.client.patch(PODS, "default", "dropped", { metadata: { labels: { scheduled: "yes" } } });
    return answer;
  };
  await world.startController();
  await world.submit(sleepingWorkflow("dropped"));
  await world.waitUntil("the pod is replaced", async () => {
    const pod = await world.pod("dropped");
    return pod !== undefined && auxAnnotationOf(pod) === CONTAINER.wait;
  });
});

Deno.test("image volume: a server that does not know it refuses the pod, and gets the legacy layout (IL-79)", async () => {
  await using world = new ControllerWorld();
  world.between = (sent, next) => {
    const volumes = isPodCreation(sent) ? (sent.body as Pod).spec.volumes ?? [] : [];
    const index = volumes.findIndex(({ image }) => image !== undefined);
    if (index < 0) return next(sent.body);
    assertMatch(sent.path, /fieldValidation=Strict/);
    const message = `Pod in version "v1" cannot be handled as a Pod: strict decoding error: ` +
      `unknown field "spec.volumes[${index}].image"`;
    const status = { kind: "Status", status: "Failure", reason: "BadRequest", code: 400, message };
    return Promise.resolve(Response.json(status, { status: 400 }));
  };
  await world.startController();
  await world.submit(sleepingWorkflow("unknown"));
  const pod = await world.startPod("unknown");
  assertEquals(auxAnnotationOf(pod), CONTAINER.wait);
  await world.waitUntil("the event is recorded", async () => (await world.events("ImageVolumeDropped")).length === 1);
  await world.report(pod, true);
  await world.endPod("unknown");
  assertEquals((await world.awaitEnd("unknown")).status?.phase, "Succeeded");
});

Deno.test("pods: no action is applied before the status that records it is written", async () => {
  await using world = new ControllerWorld();
  const gate = new Gate(({ method, path }) => method === "PATCH" && path.includes("/workflows/"));
  world.between = gate.between;
  await world.startController();
  await world.submit(sleepingWorkflow("later"));
  await world.waitUntil("the status is about to be written", () => gate.held > 0);
  assertEquals(await world.pod("later"), undefined);
  gate.open();
  await world.awaitPod("later");
});

const injectProxy: Interceptor = (sent, next) => {
  if (!isPodCreation(sent)) return next(sent.body);
  const pod = sent.body as Pod;
  const { spec } = pod;
  const proxy = { name: "proxy", image: "proxy", command: ["proxy"] };
  return next({ ...pod, spec: { ...spec, containers: [...spec.containers, proxy] } });
};

/** The pod as stored by a server whose feature gate ImageVolume is off. */
function withoutImageVolume(pod: Pod): Pod {
  const isKept = ({ name }: { name?: string }) => name !== VOLUME.argoexecBin;
  const { volumes = [], containers } = pod.spec;
  if (volumes.every(isKept) || !volumes.some(({ image }) => image)) return pod;
  return {
    ...pod,
    spec: {
      ...pod.spec,
      volumes: volumes.filter(isKept),
      containers: containers.map((container) => ({
        ...container,
        volumeMounts: container.volumeMounts?.filter(isKept),
      })),
    },
  };
}

async function awaitOnlyPod(world: ControllerWorld): Promise<Pod> {
  let only: Pod | undefined;
  await world.waitUntil("there is one pod", async () => {
    const [pod, ...others] = (await world.client.list<Pod>(PODS, "default")).items;
    only = others.length === 0 ? pod : undefined;
    return only !== undefined;
  });
  return only!;
}

function phaseOf(workflow: Awaited<ReturnType<ControllerWorld["workflow"]>>, pod: Pod): string | undefined {
  return workflow.status?.nodes?.[nodeIdOf(pod)]?.phase;
}

Deno.test("malformed pod: ends its node with the field that is invalid, and does not affect other nodes", async () => {
  await using world = new ControllerWorld();
  world.between = showingAsIs;
  await world.startController();
  for (const name of ["odd", "other"]) {
    await world.submit(sleepingWorkflow(name));
    const pod = await world.startPod(name);
    await world.waitUntil(`${name} runs`, async () => phaseOf(await world.workflow(name), pod) === "Running");
  }
  await world.client.patch(PODS, "default", "odd", asIs({ metadata: {} }, { spec: { containers: [{ name: 7 }] } }));
  const odd = await world.awaitEnd("odd");
  assertEquals([odd.status?.phase, odd.status?.message], [
    "Error",
    "the pod odd cannot be read: spec.containers[0].name: expected string, got a number",
  ]);
  assertStringIncludes(world.logLines.join("\n"), "A pod cannot be parsed");
  await world.report(await world.awaitPod("other"), true);
  await world.endPod("other");
  assertEquals((await world.awaitEnd("other")).status?.phase, "Succeeded");
});
