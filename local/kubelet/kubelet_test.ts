/** Tests the kubelet on the embedded API, with real processes. */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { ConfigMap, ContainerStatus, Pod, PodSpec } from "@tiphys/model/api";
import { CONFIGMAPS, type KubeClient, PODS } from "@tiphys/kube";
import { type ApiServer, createApiServer } from "../api/mod.ts";
import { type Kubelet, podsFolder, startKubelet } from "./kubelet.ts";
import { hostRuntime } from "./runtime/host.ts";
import { ControlGroups } from "./runtime/control_groups.ts";
import { removeTree } from "../image/remove_tree.ts";
import { RuntimeUnavailable } from "./runtime/runtime.ts";
import { limitsMemory } from "./runtime/testing/promises.ts";
import { needs } from "../../lib/base/testing/needs.ts";

/** An API and a kubelet with a temporary folder. */
class Machine implements AsyncDisposable {
  readonly client: KubeClient;

  private constructor(readonly api: ApiServer, public kubelet: Kubelet, readonly folder: string) {
    this.client = api.client();
  }

  static async make(): Promise<Machine> {
    const folder = await Deno.makeTempDir();
    await Deno.mkdir(`${folder}/executor/bin`, { recursive: true });
    await Deno.writeTextFile(`${folder}/executor/bin/argoexec`, "#!/bin/sh\necho executor $*\n", { mode: 0o755 });
    const api = createApiServer({ storePath: ":memory:" });
    return new Machine(api, await kubeletOf(api, folder), folder);
  }

  /** Stops the kubelet without reports, as in a crash, and starts another one. */
  async restartKubelet(): Promise<void> {
    await this.kubelet.close();
    this.kubelet = await kubeletOf(this.api, this.folder);
  }

  async create(name: string, spec: Partial<PodSpec>, metadata: Pod["metadata"] = {}): Promise<Pod> {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...metadata, name },
      spec: { restartPolicy: "Never", ...spec },
    };
    return await this.client.create<Pod>(PODS, "default", pod);
  }

  /** Waits until a pod fulfills a condition, or is deleted (undefined). Returns it in that state. */
  async until(name: string, holds: (pod: Pod | undefined) => boolean): Promise<Pod | undefined> {
    const { items, metadata } = await this.client.list<Pod>(PODS, "default", {
      fieldSelector: `metadata.name=${name}`,
    });
    if (holds(items[0])) return items[0];
    const from = { fieldSelector: `metadata.name=${name}`, resourceVersion: metadata.resourceVersion };
    for await (const { type, object } of this.client.watch<Pod>(PODS, "default", from, AbortSignal.timeout(60_000))) {
      if (type === "BOOKMARK") continue;
      const pod = type === "DELETED" ? undefined : object;
      if (holds(pod)) return pod;
    }
    throw new Error(`The watch of pod "${name}" ended`);
  }

  async ended(name: string): Promise<Pod> {
    return (await this.until(name, (pod) => pod?.status?.phase === "Succeeded" || pod?.status?.phase === "Failed"))!;
  }

  async logs(name: string, container?: string): Promise<string> {
    return await new Response(this.client.logs("default", name, { container, follow: true })).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kubelet.close();
    this.api.close();
    await removeTree(this.folder);
  }
}

async function kubeletOf(api: ApiServer, folder: string): Promise<Kubelet> {
  const pods = podsFolder(folder);
  await Deno.mkdir(pods, { recursive: true });
  const kubelet = await startKubelet({
    client: api.client(),
    dataDir: folder,
    executor: { image: "argoexec", folder: `${folder}/executor` },
    api: { url: "http://127.0.0.1:1" },
    runtime: await hostRuntime({ folder: pods, groups: ControlGroups.onThisMachine(pods) }),
    onError(what, error) {
      throw new Error(`The kubelet could not ${what}`, { cause: error });
    },
  });
  api.useKubelet(kubelet.hooks);
  return kubelet;
}

const sh = (script: string) => ({ name: "main", image: "busybox", command: ["sh", "-c", script] });

function statusOf(pod: Pod | undefined, name = "main"): ContainerStatus | undefined {
  const statuses = [...pod?.status?.initContainerStatuses ?? [], ...pod?.status?.containerStatuses ?? []];
  return statuses.find((status) => status.name === name);
}

const available = await isAvailable();

async function isAvailable(): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  try {
    await (await hostRuntime({ folder })).close();
    return true;
  } catch (error) {
    if (error instanceof RuntimeUnavailable) return false;
    throw error;
  } finally {
    await removeTree(folder);
  }
}

function test(sentence: string, fn: (machine: Machine) => Promise<void>): void {
  Deno.test({
    ...needs("namespaces", available, `the kubelet ${sentence}`),
    async fn() {
      await using machine = await Machine.make();
      await fn(machine);
    },
  });
}

test("reports a completed container with its times and its message", async (machine) => {
  await machine.create("p", { containers: [sh("echo out; printf why > /dev/termination-log")] });
  const pod = await machine.ended("p");
  assertEquals([pod.status?.phase, pod.spec.nodeName, pod.status?.hostIP], ["Succeeded", "local", "127.0.0.1"]);
  const { state, ready, restartCount } = statusOf(pod)!;
  const { exitCode, reason, message, startedAt, finishedAt } = state!.terminated!;
  assertEquals([exitCode, reason, message, ready, restartCount], [0, "Completed", "why", false, 0]);
  assertEquals(Date.parse(startedAt!) <= Date.parse(finishedAt!), true);
  assertEquals(await machine.logs("p"), "out\n");
});

test("reports a failed container, and falls back to its log if requested", async (machine) => {
  const container = { ...sh("echo the end; exit 3"), terminationMessagePolicy: "FallbackToLogsOnError" };
  await machine.create("p", { containers: [container] });
  const { exitCode, reason, message } = statusOf(await machine.ended("p"))!.state!.terminated!;
  assertEquals([exitCode, reason, message], [3, "Error", "the end"]);
});

test("gives each pod a separate address, in its status, variables and hosts file", async (machine) => {
  const env = [{ name: "IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }];
  const told: string[] = [];
  for (const name of ["left", "right"]) {
    await machine.create(name, { containers: [{ ...sh(`echo $IP; grep ${name} /etc/hosts; sleep 60`), env }] });
  }
  for (const name of ["left", "right"]) {
    const pod = (await machine.until(name, (pod) => statusOf(pod)?.state?.running !== undefined))!;
    const podIP = pod.status!.podIP!;
    const lines = machine.client.logs("default", name, { follow: true }).pipeThrough(new TextDecoderStream());
    let log = "";
    for await (const text of lines) if ((log += text).split("\n").length > 2) break;
    assertEquals(log, `${podIP}\n${podIP}\t${name}\n`);
    told.push(podIP);
  }
  assertEquals(new Set(told).size, Deno.build.os === "linux" ? 2 : 1);
});

test("probes readiness at the pod's address and a named port", async (machine) => {
  const free = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = free.addr;
  free.close();
  const readinessProbe = { tcpSocket: { port: "web" }, periodSeconds: 1 };
  const ports = [{ name: "web", containerPort: port }];
  await machine.create("p", { containers: [{ ...sh("sleep 60"), ports, readinessProbe }] });
  const pod = (await machine.until("p", (pod) => statusOf(pod)?.state?.running !== undefined))!;
  assertEquals(statusOf(pod)?.ready, false);
  using server = Deno.listen({ hostname: pod.status!.podIP!, port });
  assertEquals(statusOf(await machine.until("p", (pod) => statusOf(pod)?.ready === true))?.ready, true);
  assertEquals(server.addr.port, port);
});

if (available && await limitsMemory()) {
  test("reports a container that exceeded its memory limit as OOMKilled", async (machine) => {
    const script = "x=aaaaaaaa; i=0; while [ $i -lt 24 ]; do x=$x$x; i=$((i + 1)); done";
    await machine.create("p", { containers: [{ ...sh(script), resources: { limits: { memory: "32Mi" } } }] });
    const { exitCode, reason } = statusOf(await machine.ended("p"))!.state!.terminated!;
    assertEquals([exitCode, reason], [137, "OOMKilled"]);
  });
}

test("runs init containers in order, before the main containers, with shared volumes", async (machine) => {
  const mounted = { volumeMounts: [{ name: "v", mountPath: "/v" }] };
  await machine.create("p", {
    initContainers: [
      { ...sh("echo 1 >> /v/order"), ...mounted, name: "first" },
      { ...sh("echo 2 >> /v/order"), ...mounted, name: "second" },
    ],
    containers: [{ ...sh("cat /v/order"), ...mounted }],
    volumes: [{ name: "v", emptyDir: {} }],
  });
  assertEquals((await machine.ended("p")).status?.phase, "Succeeded");
  assertEquals(await machine.logs("p", "main"), "1\n2\n");
});

test("runs no further container after a failed init container", async (machine) => {
  await machine.create("p", { initContainers: [{ ...sh("exit 5"), name: "init" }], containers: [sh("true")] });
  const pod = await machine.ended("p");
  assertEquals(pod.status?.phase, "Failed");
  assertEquals(statusOf(pod, "init")?.state?.terminated?.exitCode, 5);
  assertEquals(statusOf(pod)?.state?.waiting?.reason, "ContainerCreating");
});

test("restarts a failed container according to the policy, and keeps its last state", async (machine) => {
  const container = { ...sh("[ -e /v/x ] || { : > /v/x; exit 1; }"), volumeMounts: [{ name: "v", mountPath: "/v" }] };
  await machine.create("p", {
    restartPolicy: "OnFailure",
    containers: [container],
    volumes: [{ name: "v", emptyDir: {} }],
  });
  const pod = await machine.ended("p");
  const { restartCount, lastState, state } = statusOf(pod)!;
  assertEquals([pod.status?.phase, restartCount], ["Succeeded", 1]);
  assertEquals([lastState?.terminated?.exitCode, state?.terminated?.exitCode], [1, 0]);
});

test("sets variables, and expands references to them in commands as well", async (machine) => {
  const container = {
    ...sh('echo "$GREETING $0"'),
    args: ["$(WHO)"],
    env: [
      { name: "WHO", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      { name: "GREETING", value: "hello $(WHO)" },
    ],
  };
  await machine.create("p", { containers: [container] });
  await machine.ended("p");
  assertEquals(await machine.logs("p"), "hello p p\n");
});

test("mounts the service account, and sets the address of the API server", async (machine) => {
  const files = "/var/run/secrets/kubernetes.io/serviceaccount";
  const script =
    `cat ${files}/namespace; echo; wc -c < ${files}/token; echo $KUBERNETES_SERVICE_PORT $TIPHYS_API_SCHEME`;
  await machine.create("p", { serviceAccountName: "a-new-one", containers: [sh(script)] });
  await machine.ended("p");
  const [namespace, length, address] = (await machine.logs("p")).trim().split("\n");
  assertEquals([namespace, address], ["default", "1 http"]);
  assertEquals(Number(length) > 20, true);
});

test("runs the executor's image from its folder, and mounts it as an image volume", async (machine) => {
  await machine.create("p", {
    containers: [
      { name: "supervisor", image: "argoexec", command: ["argoexec", "supervisor"] },
      { ...sh("/exec/bin/argoexec main"), volumeMounts: [{ name: "bin", mountPath: "/exec", readOnly: true }] },
    ],
    volumes: [{ name: "bin", image: { reference: "argoexec" } }],
  });
  assertEquals((await machine.ended("p")).status?.phase, "Succeeded");
  assertEquals(await machine.logs("p", "supervisor"), "executor supervisor\n");
  assertEquals(await machine.logs("p", "main"), "executor main\n");
});

test("waits for a missing ConfigMap, and names it", async (machine) => {
  await machine.create("p", {
    containers: [{ ...sh("cat /c/key"), volumeMounts: [{ name: "c", mountPath: "/c" }] }],
    volumes: [{ name: "c", configMap: { name: "late" } }],
  });
  const waiting = await machine.until("p", (pod) => statusOf(pod)?.state?.waiting?.message !== undefined);
  assertStringIncludes(statusOf(waiting)!.state!.waiting!.message!, 'configmap "late" not found');
  await assertRejects(
    () => machine.logs("p"),
    Error,
    'container "main" in pod "p" is waiting to start: ContainerCreating',
  );
  const late: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "late" }, data: { key: "value" } };
  await machine.client.create(CONFIGMAPS, "default", late);
  await machine.ended("p");
  assertEquals(await machine.logs("p"), "value");
});

test("ends a deleted pod gracefully, and then confirms its deletion", async (machine) => {
  await machine.create("p", {
    containers: [sh("trap 'exit 8' TERM; echo ready; while :; do sleep 0.05; done")],
  }, { finalizers: ["tests/last-status"] });
  await untilLogged(machine, "p", "ready");
  await machine.client.delete(PODS, "default", "p");
  const pod = await machine.ended("p");
  assertEquals(statusOf(pod)?.state?.terminated?.exitCode, 8);
  await machine.client.patch(PODS, "default", "p", { metadata: { finalizers: null } });
  await machine.until("p", (pod) => pod === undefined);
});

test("kills containers that do not end within the grace period", async (machine) => {
  const stubborn = sh("trap '' TERM; echo ready; while :; do sleep 0.05; done");
  await machine.create("p", { containers: [stubborn], terminationGracePeriodSeconds: 1 }, {
    finalizers: ["tests/last"],
  });
  await untilLogged(machine, "p", "ready");
  await machine.client.delete(PODS, "default", "p");
  assertEquals(statusOf(await machine.ended("p"))?.state?.terminated?.exitCode, 137);
});

test("fails a pod that exceeds its deadline, with the message of Kubernetes", async (machine) => {
  await machine.create("p", {
    containers: [sh("exec sleep 60")],
    activeDeadlineSeconds: 1,
    terminationGracePeriodSeconds: 0,
  });
  const { status } = await machine.ended("p");
  assertEquals(status?.reason, "DeadlineExceeded");
  assertEquals(status?.message, "Pod was active on the node longer than the specified deadline");
});

test("supports a deadline that is longer than the maximum of a timer", async (machine) => {
  const year = 365 * 24 * 3600;
  await machine.create("p", { containers: [sh("sleep 0.2")], activeDeadlineSeconds: year });
  assertEquals((await machine.ended("p")).status?.phase, "Succeeded");
});

test("runs commands in a container, and refuses if it has ended", async (machine) => {
  await machine.create("p", { containers: [sh("touch /tmp/mine; exec sleep 60")] });
  await machine.until("p", (pod) => statusOf(pod)?.state?.running !== undefined);
  const script = "until [ -e /tmp/mine ]; do :; done; echo found; exit 4";
  assertEquals(await machine.client.exec("default", "p", "main", ["sh", "-c", script]), {
    exitCode: 4,
    stdout: "found\n",
    stderr: "",
  });
  await machine.client.delete(PODS, "default", "p", { gracePeriodSeconds: 0 });
  await machine.until("p", (pod) => pod === undefined);
  await assertRejects(() => machine.client.exec("default", "p", "main", ["true"]));
});

test("reports a container as ready when its probe succeeds", async (machine) => {
  const readinessProbe = { exec: { command: ["test", "-e", "/tmp/ready"] }, periodSeconds: 1 };
  await machine.create("p", { containers: [{ ...sh(": > /tmp/ready; exec sleep 60"), readinessProbe }] });
  const pod = await machine.until("p", (pod) => statusOf(pod)?.ready === true);
  assertEquals(pod?.status?.conditions?.find(({ type }) => type === "Ready")?.status, "True");
});

test("reports a container as ready after its startup probe has succeeded, and runs no other probe before", async (machine) => {
  const startupProbe = { exec: { command: ["test", "-e", "/tmp/started"] }, periodSeconds: 1 };
  const readinessProbe = { exec: { command: ["sh", "-c", ": > /tmp/asked"] }, periodSeconds: 1 };
  const source =
    "until [ -e /tmp/go ]; do sleep 0.05; done; [ -e /tmp/asked ] && exit 9; : > /tmp/started; exec sleep 60";
  await machine.create("p", { containers: [{ ...sh(source), startupProbe, readinessProbe }] });
  const pod = await machine.until("p", (pod) => statusOf(pod)?.state?.running !== undefined);
  assertEquals(statusOf(pod)?.ready, false);
  await machine.client.exec("default", "p", "main", ["touch", "/tmp/go"]);
  await machine.until("p", (pod) => statusOf(pod)?.ready === true);
});

test("stops sidecars when the main containers have ended", async (machine) => {
  await machine.create("p", {
    initContainers: [{
      ...sh("trap 'exit 0' TERM; while :; do sleep 0.05; done"),
      name: "side",
      restartPolicy: "Always",
    }],
    containers: [sh("true")],
  });
  const pod = await machine.ended("p");
  assertEquals(pod.status?.phase, "Succeeded");
});

test("fails the pods of an earlier kubelet without running them again, and keeps their logs", async (machine) => {
  await machine.create("p", { containers: [sh("echo once; exec sleep 60")] });
  await untilLogged(machine, "p", "once");
  // The API must not receive the end of the pod, as if the process was killed.
  const pod = await machine.client.get<Pod>(PODS, "default", "p");
  await machine.kubelet.close();
  await machine.client.patch(PODS, "default", "p", { status: pod.status }, "merge", { subresource: "status" });
  await machine.restartKubelet();
  const { status } = await machine.ended("p");
  assertEquals(status?.phase, "Failed");
  const { exitCode, reason } = statusOf({ ...pod, status })!.state!.terminated!;
  assertEquals([exitCode, reason], [137, "ContainerStatusUnknown"]);
  assertEquals(await machine.logs("p"), "once\n");
});

test("does not run a container again whose start was not reported", async (machine) => {
  await machine.create("p", { containers: [sh("echo once; exec sleep 60")] });
  await untilLogged(machine, "p", "once");
  await machine.kubelet.close();
  const unheard = { phase: "Pending", reason: null, message: null, containerStatuses: null };
  await machine.client.patch(PODS, "default", "p", { status: unheard }, "merge", { subresource: "status" });
  await machine.restartKubelet();
  const { status } = await machine.ended("p");
  assertEquals([status?.phase, status?.reason], ["Failed", "NodeShutdown"]);
  assertEquals(await machine.logs("p"), "once\n");
});

test("fails the pods that end with the kubelet, with that reason", async (machine) => {
  await machine.create("p", { containers: [sh("echo once; exec sleep 60")] });
  await untilLogged(machine, "p", "once");
  await machine.kubelet.close();
  const { status } = await machine.ended("p");
  assertEquals([status?.phase, status?.reason], ["Failed", "NodeShutdown"]);
});

test("removes leftovers of an earlier kubelet except for logs", async (machine) => {
  const pod = await machine.create("p", { containers: [sh("echo once")] });
  await machine.ended("p");
  await machine.kubelet.close();
  const pods = podsFolder(machine.folder);
  for (const left of [`${pods}/${pod.metadata.uid}/attempts/0/0/upper`, `${pods}/unknown/attempts/0/0`]) {
    await Deno.mkdir(left, { recursive: true });
  }
  await Deno.writeTextFile(`${pods}/unknown/attempts/0/0.log`, "");
  await machine.restartKubelet();
  const names = (folder: string) => Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
  assertEquals(names(pods), [pod.metadata.uid]);
  assertEquals(names(`${pods}/${pod.metadata.uid}/attempts/0`), ["0.log", "0.message"]);
  assertEquals(await machine.logs("p"), "once\n");
});

/** Waits until a container has written a text. */
async function untilLogged(machine: Machine, name: string, text: string): Promise<void> {
  await machine.until(name, (pod) => statusOf(pod)?.state?.running !== undefined);
  let seen = "";
  for await (const chunk of machine.client.logs("default", name, { follow: true })) {
    seen += new TextDecoder().decode(chunk);
    if (seen.includes(text)) return;
  }
  throw new Error(`The log of pod "${name}" ended without "${text}": ${seen}`);
}
