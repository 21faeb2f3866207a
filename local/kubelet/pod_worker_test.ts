/** Tests pods whose containers take long to be created: what ends with them, and what remains. */

import { assertEquals, fail as unexpected } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { systemClock } from "@tiphys/base/clock";
import { EVENTS, KubeClient, type KubeObject, PODS } from "@tiphys/kube";
import { awaitFact } from "../../tests/await_fact.ts";
import { createApiServer } from "../api/mod.ts";
import type { AttemptLimits } from "./attempt_limits.ts";
import { startKubelet } from "./kubelet.ts";
import type { Container, ContainerRuntime, Ending } from "./runtime/runtime.ts";
import { ImageError } from "@tiphys/registry/image_error";
import { PLAIN_IMAGE } from "./runtime/runtime.ts";

/** A container that ends only after SIGKILL. */
function podThatIgnoresSigterm() {
  const signals: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<Ending>();
  const container: Container = {
    ended,
    signal(signal) {
      signals.push(signal);
      if (signal === "SIGKILL") resolve({ exitCode: 137, reason: "Error" });
    },
    exec: () => Promise.reject(new Error("it is not running")),
    remove: () => Promise.resolve(),
  };
  return { container, signals };
}

/** Whether a request fails with a temporary error of the API server. */
type FaultTest = (method: string, path: string) => boolean;

/** A kubelet whose containers are created by `start`, by name. */
async function kubeletWith(
  start: (name: string) => Promise<Container>,
  onError: () => void = () => {},
  api = createApiServer({ storePath: ":memory:" }),
  troubled: FaultTest = () => false,
  pull: ContainerRuntime["pull"] = () => Promise.resolve(PLAIN_IMAGE),
  attempts?: AttemptLimits,
) {
  const dataDir = await Deno.makeTempDir();
  const transport = api.transport();
  const client = new KubeClient({
    ...transport,
    async fetch(path, init = {}) {
      if (!troubled(init.method ?? "GET", path)) return await transport.fetch(path, init);
      return Response.json({ kind: "Status", code: 503, reason: "ServiceUnavailable" }, { status: 503 });
    },
  });
  const runtime: ContainerRuntime = {
    name: "fake",
    pull,
    imageFolder: (image) => Promise.reject(new ImageError("InvalidImageName", `no such image: ${image}`)),
    start: ({ id }) => start(id.split("-").at(-2)!),
    close: () => Promise.resolve(),
  };
  const executor = { image: "none", folder: dataDir };
  const kubelet = await startKubelet({
    client,
    dataDir,
    executor,
    api: { url: "http://127.0.0.1" },
    runtime,
    attempts,
    onError,
  });
  const create = (names: readonly string[], terminationGracePeriodSeconds = 0) => {
    const containers = names.map((name) => ({ name, image: "i", command: ["run"] }));
    const spec = { restartPolicy: "Never", terminationGracePeriodSeconds, containers };
    return client.create(PODS, "n", { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
  };
  const dispose = async () => {
    api.close();
    await Deno.remove(dataDir, { recursive: true });
  };
  return { client, kubelet, create, [Symbol.asyncDispose]: dispose };
}

Deno.test("kubelet: closing also kills a container that is being created", async () => {
  const begun = Promise.withResolvers<void>();
  const made = Promise.withResolvers<Container>();
  await using bench = await kubeletWith(() => (begun.resolve(), made.promise));
  await bench.create(["slow"]);
  await begun.promise;
  const closing = bench.kubelet.close();
  const { container, signals } = podThatIgnoresSigterm();
  made.resolve(container);
  await closing;
  assertEquals(signals, ["SIGKILL"]);
});

Deno.test("kubelet: lets the executor end by itself when it closes after the end of main", async () => {
  const { container, signals } = podThatIgnoresSigterm();
  const executor = Promise.withResolvers<Ending>();
  const main = { ...container, ended: Promise.resolve<Ending>({ exitCode: 0, reason: "Completed" }) };
  await using bench = await kubeletWith((name) =>
    Promise.resolve(name === "main" ? main : { ...container, ended: executor.promise })
  );
  const containers = [{ name: "supervisor", image: "none", command: ["argoexec"] }, {
    name: "main",
    image: "i",
    command: ["run"],
  }];
  const spec = { restartPolicy: "Never", containers };
  await bench.client.create(PODS, "n", { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
  const status = async () => (await bench.client.get<Pod>(PODS, "n", "p")).status;
  const states = async () => (await status())?.containerStatuses?.map(({ state }) => Object.keys(state ?? {}).join());
  const isEnding = async () => (await states())?.join() === "terminated,running";
  await awaitFact("main has ended", isEnding, { seconds: 60 });
  const closing = bench.kubelet.close();
  executor.resolve({ exitCode: 0, reason: "Completed" });
  await closing;
  assertEquals([signals, (await status())?.phase], [[], "Succeeded"]);
});

Deno.test("kubelet: a pod with a container that cannot start is Pending, with the reason, until it is deleted", async () => {
  const { container, signals } = podThatIgnoresSigterm();
  await using bench = await kubeletWith(() => Promise.resolve(container));
  const absent = { name: "absent", key: "k" };
  const containers = [
    { name: "supervisor", image: "i", command: ["run"] },
    { name: "main", image: "i", command: ["run"], env: [{ name: "E", valueFrom: { configMapKeyRef: absent } }] },
  ];
  const spec = { restartPolicy: "Never", terminationGracePeriodSeconds: 0, containers };
  await bench.client.create(PODS, "n", { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
  const status = async () => (await bench.client.get<Pod>(PODS, "n", "p")).status;
  const reason = async () =>
    (await status())?.containerStatuses?.map(({ state }) => state?.waiting?.reason ?? Object.keys(state ?? {}).join());
  const isStuck = async () => (await reason())?.join() === "CreateContainerConfigError,running";
  await awaitFact("main waits while its supervisor runs", isStuck, { seconds: 60 });
  assertEquals((await status())?.phase, "Pending");
  await bench.client.delete(PODS, "n", "p");
  await awaitFact("the pod is gone", async () => (await bench.client.list(PODS, "n")).items.length === 0, {
    seconds: 60,
  });
  assertEquals(signals.at(-1), "SIGKILL");
  await bench.kubelet.close();
});

Deno.test("pod worker: a pod has ended after all its containers, including one that was being created when another failed", async () => {
  const begun = Promise.withResolvers<void>();
  const made = Promise.withResolvers<Container>();
  const { container, signals } = podThatIgnoresSigterm();
  await using bench = await kubeletWith(async (name) => {
    if (name === "slow") return (begun.resolve(), await made.promise);
    await begun.promise;
    throw new Error("no more processes");
  }, () => systemClock.after(200, () => made.resolve(container)));
  await bench.create(["slow", "bad"]);
  const { metadata } = await bench.client.list<Pod>(PODS, "n");
  for await (const { object } of bench.client.watch<Pod>(PODS, "n", { resourceVersion: metadata.resourceVersion })) {
    if (object.status?.phase === "Failed") break;
  }
  assertEquals(signals, ["SIGKILL"]);
  await bench.kubelet.close();
});

/** Requests of a kind, of which the first two fail temporarily. */
function podWithTwoFailures(failingCall: string): { troubled: FaultTest; calls: string[] } {
  const asked: string[] = [];
  const troubled: FaultTest = (method, path) => {
    const request = `${method} ${path.split("?")[0]}`;
    return request === failingCall && asked.push(request) <= 2;
  };
  return { troubled, calls: asked };
}

Deno.test("pod worker: the deletion of an ended pod is confirmed despite temporary API errors", async () => {
  const { container } = podThatIgnoresSigterm();
  const { troubled, calls } = podWithTwoFailures("DELETE /api/v1/namespaces/n/pods/p");
  const api = createApiServer({ storePath: ":memory:" });
  await using bench = await kubeletWith(() => Promise.resolve(container), undefined, api, troubled);
  await bench.create(["main"], 1);
  const client = api.client();
  const isRunning = async () => (await client.get<Pod>(PODS, "n", "p")).status?.phase === "Running";
  await awaitFact("the pod runs", isRunning, { seconds: 60 });
  await client.delete(PODS, "n", "p");
  await awaitFact("the pod is gone", async () => (await client.list(PODS, "n")).items.length === 0, { seconds: 60 });
  assertEquals(calls.length, 3);
  await bench.kubelet.close();
});

Deno.test("kubelet: a pod of an earlier kubelet is reported as lost despite temporary API errors", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const spec = { nodeName: "local", containers: [{ name: "main", image: "i" }] };
  await client.create(PODS, "n", { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
  const status = {
    phase: "Running",
    containerStatuses: [{ name: "main", containerID: "old", state: { running: {} } }],
  };
  await client.patch(PODS, "n", "p", { status }, "merge", { subresource: "status" });
  const { troubled, calls } = podWithTwoFailures("PATCH /api/v1/namespaces/n/pods/p/status");
  await using bench = await kubeletWith(() => Promise.reject(new Error("none")), undefined, api, troubled);
  await awaitFact(
    "the pod has failed",
    async () => (await client.get<Pod>(PODS, "n", "p")).status?.phase === "Failed",
    {
      seconds: 60,
    },
  );
  assertEquals(calls.length, 3);
  await bench.kubelet.close();
});

Deno.test("pod worker: a pod runs despite temporary API errors at its start", async () => {
  const ended = Promise.resolve<Ending>({ exitCode: 0, reason: "Completed" });
  const container = { ...podThatIgnoresSigterm().container, ended };
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const { troubled, calls } = podWithTwoFailures("PATCH /api/v1/namespaces/n/pods/p");
  await using bench = await kubeletWith(() => Promise.resolve(container), undefined, api, troubled);
  await bench.create(["main"]);
  await awaitFact("the pod has ended", async () => {
    const { phase } = (await client.get<Pod>(PODS, "n", "p")).status ?? {};
    return phase === "Succeeded" || phase === "Failed";
  }, { seconds: 60 });
  assertEquals([(await client.get<Pod>(PODS, "n", "p")).status?.phase, calls.length], ["Succeeded", 3]);
  await bench.kubelet.close();
});

interface EventRecord extends KubeObject {
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly fieldPath?: string };
}

Deno.test("kubelet: records events for the start and end of a pull, and no events for a cached image", async () => {
  const ended = Promise.resolve<Ending>({ exitCode: 0, reason: "Completed" });
  const fetched = Promise.withResolvers<void>();
  let pulls = 0;
  await using bench = await kubeletWith(
    () => Promise.resolve({ ...podThatIgnoresSigterm().container, ended }),
    undefined,
    undefined,
    undefined,
    async (_name, options) => {
      if (pulls++ > 0) return PLAIN_IMAGE;
      // Each fetched piece is reported, in one event.
      options?.onFetch?.();
      options?.onFetch?.();
      await fetched.promise;
      return PLAIN_IMAGE;
    },
  );
  await bench.create(["wait", "main"]);
  const told = async () => (await bench.client.list<EventRecord>(EVENTS, "n")).items;
  const reasons = async () => (await told()).map(({ reason }) => reason);
  await awaitFact("it pulls", async () => (await reasons()).includes("Pulling"), { seconds: 60 });
  assertEquals((await reasons()).includes("Pulled"), false);
  fetched.resolve();
  await awaitFact("both have begun", async () => (await told()).length === 5, { seconds: 60 });
  assertEquals((await reasons()).toSorted(), ["Pulled", "Pulling", "Scheduled", "Started", "Started"]);
  const [pulling, pulled] = await Promise.all(
    ["Pulling", "Pulled"].map(async (expected) => (await told()).find(({ reason }) => reason === expected)!),
  );
  assertEquals(pulling!.message, 'Pulling image "i"');
  assertEquals(pulled!.message.replace(/\d+\.\d/, "N"), 'Successfully pulled image "i" in Ns');
  assertEquals(pulled!.involvedObject.fieldPath, pulling!.involvedObject.fieldPath);
  await bench.kubelet.close();
});

/**
 * Returns the status of the pod of these containers when it has failed, and the number of pulls of the image `gone`.
 */
async function endOfPod(
  containers: readonly object[],
  fail: (pulls: number, status: () => Promise<Pod["status"]>) => ImageError | Promise<ImageError>,
  volumes: readonly object[] = [],
) {
  let pulls = 0;
  const pull = async (image: string) => {
    if (image === "gone") throw await fail(++pulls, status);
    return PLAIN_IMAGE;
  };
  const start = () => Promise.resolve(podThatIgnoresSigterm().container);
  await using bench = await kubeletWith(start, undefined, undefined, undefined, pull, { pulls: 2, setups: 2 });
  const status = async () => (await bench.client.get<Pod>(PODS, "n", "p")).status;
  const spec = { restartPolicy: "Never", terminationGracePeriodSeconds: 0, containers, volumes };
  await bench.client.create(PODS, "n", { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
  await awaitFact("the pod failed", async () => (await status())?.phase === "Failed", { seconds: 60 });
  await bench.kubelet.close();
  return { ...await status(), pulls };
}

Deno.test("kubelet with a limit of pulls: a pod fails after the last attempt, and its container has the reason", async () => {
  const main = { name: "main", image: "gone", command: ["run"] };
  const executor = { name: "supervisor", image: "none", command: ["run"] };
  const { reason, message, containerStatuses, pulls } = await endOfPod(
    [main, executor],
    (attempts) => Object.assign(new ImageError("ErrImagePull", "404"), { attempts }),
  );
  assertEquals([reason, message, pulls], ["ErrImagePull", undefined, 2]);
  assertEquals(containerStatuses?.find(({ name }) => name === "main")?.state, {
    waiting: { reason: "ErrImagePull", message: "404" },
  });
});

Deno.test("kubelet with a limit of pulls: an error that no attempt can change fails the pod at once", async () => {
  for (const reason of ["InvalidImageName", "ErrImageNeverPull"]) {
    const main = { name: "main", image: "gone", command: ["run"] };
    const ended = await endOfPod([main], () => new ImageError(reason, "no"));
    assertEquals([ended.reason, ended.pulls], [reason, 1]);
  }
});

Deno.test("kubelet with a limit of pulls: the pod's message is the pull error if another container has started", async () => {
  const main = { name: "main", image: "i", command: ["run"] };
  const sidecar = { name: "sidecar", image: "gone", command: ["run"] };
  const { message } = await endOfPod([main, sidecar], async (_, status) => {
    const isRunning = async () => (await status())?.containerStatuses?.some(({ state }) => state?.running) === true;
    await awaitFact("main runs", isRunning, { seconds: 60 });
    return Object.assign(new ImageError("ErrImagePull", "404"), { attempts: 2 });
  });
  assertEquals(message, "ErrImagePull: 404");
});

Deno.test("kubelet with a limit of pulls: the limit applies to image volumes", async () => {
  const main = { name: "main", image: "i", command: ["run"] };
  const volume = { name: "data", image: { reference: "A" } };
  const { containerStatuses } = await endOfPod([main], () => new ImageError("ErrImagePull", "404"), [volume]);
  assertEquals(containerStatuses?.[0]?.state?.waiting, {
    reason: "ContainerCreating",
    message: "InvalidImageName: no such image: A",
  });
});

Deno.test("kubelet with a limit of setups: a pod fails if an object that it needs is not created", async () => {
  const env = [{ name: "E", valueFrom: { secretKeyRef: { name: "absent", key: "k" } } }];
  const inVariable = await endOfPod(
    [{ name: "main", image: "i", command: ["run"], env }],
    () => unexpected("no pull fails"),
  );
  assertEquals(inVariable.containerStatuses?.[0]?.state?.waiting, {
    reason: "CreateContainerConfigError",
    message: 'secret "absent" not found',
  });
  const main = { name: "main", image: "i", command: ["run"] };
  const inVolume = await endOfPod([main], () => unexpected("no pull fails"), [{
    name: "data",
    configMap: { name: "absent" },
  }]);
  assertEquals(inVolume.containerStatuses?.[0]?.state?.waiting, {
    reason: "ContainerCreating",
    message: 'configmap "absent" not found',
  });
  assertEquals([inVariable.reason, inVolume.reason], ["CreateContainerConfigError", "ContainerCreating"]);
});

Deno.test("kubelet: records events for the node of a pod and the start of each container", async () => {
  const ended = Promise.resolve<Ending>({ exitCode: 0, reason: "Completed" });
  await using bench = await kubeletWith(() => Promise.resolve({ ...podThatIgnoresSigterm().container, ended }));
  await bench.create(["wait", "main"]);
  const told = async () =>
    (await bench.client.list<EventRecord>(EVENTS, "n")).items.map(({ reason, involvedObject: { fieldPath = "pod" } }) =>
      `${reason} ${fieldPath}`
    ).toSorted();
  await awaitFact("three events are recorded", async () => (await told()).length === 3, { seconds: 60 });
  assertEquals(await told(), ["Scheduled pod", "Started spec.containers{main}", "Started spec.containers{wait}"]);
  await bench.kubelet.close();
});
