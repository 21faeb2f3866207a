/** The pod layout that is chosen for a cluster, from responses of the API server and the machines. */
import { assertEquals, assertMatch } from "@std/assert";
import { ClusterLayout } from "../../controller/config/cluster_layout.ts";
import { type ControllerConfig, defaultConfig } from "../../controller/config/config.ts";
import { knownIncompatibility } from "../../controller/config/probe_runtimes.ts";
import { silentLog } from "../../controller/mod.ts";
import type { ContainerState, Pod, PodPhase } from "@tiphys/model/api";
import { KubeClient, NODES, PODS } from "@tiphys/kube";
import { Informer } from "@tiphys/kube/informers";
import { ControllerWorld } from "./world.ts";

const auto: ControllerConfig = defaultConfig({ executorImage: "argoexec:test" });

Deno.test("layout: init-less when every machine runs a program from an image volume", async () => {
  await using probing = await Probing.start({ m1: "containerd://2.1.4" });
  probing.answer = () => ({ phase: "Succeeded" });
  assertEquals(await probing.layout(), "initless");
  assertMatch(probing.reason, /every container runtime does/);
  assertEquals((await probing.world.client.list(PODS, "argo")).items.length, 0, "the probe pods are gone");
});

Deno.test("layout: legacy for all pods when a machine mounts the image empty or forbids execution; the reason names the machine", async () => {
  await using probing = await Probing.start({ good: "containerd://2.1.4", bad: "cri-o://1.31.0" });
  probing.answer = (machine) =>
    machine === "good" ? { phase: "Succeeded" } : {
      phase: "Failed",
      state: { terminated: { exitCode: 128, reason: "StartError", message: "permission denied" } },
    };
  assertEquals(await probing.layout(), "legacy");
  assertMatch(probing.reason, /node "bad" \(cri-o:\/\/1\.31\.0\).*permission denied/);
  assertMatch(probing.engine.legacyLayoutReason ?? "", /node "bad"/);
});

Deno.test("layout: legacy for all pods when a machine cannot mount the image volume", async () => {
  await using probing = await Probing.start({ m1: "other://1" });
  probing.answer = () => ({
    phase: "Pending",
    state: { waiting: { reason: "CreateContainerError", message: "mount.HostPath is empty" } },
  });
  assertEquals(await probing.layout(), "legacy");
  assertMatch(probing.reason, /mount\.HostPath is empty/);
});

Deno.test("layout: a node that cannot pull the image does not cause the legacy layout", async () => {
  await using probing = await Probing.start({ m1: "containerd://2.1.4" }, 300);
  probing.answer = () => ({ phase: "Pending", state: { waiting: { reason: "ErrImagePull", message: "no route" } } });
  assertEquals(await probing.layout(), "initless");
  assertMatch(probing.reason, /some container runtimes could not be probed \(containerd:\/\/2\.1\.4: no route\)/);
});

Deno.test("layout: a runtime known to lack image volumes is not probed", async () => {
  await using probing = await Probing.start({ m1: "containerd://1.7.20" });
  assertEquals(await probing.layout(), "legacy");
  assertEquals(probing.probed, []);
});

Deno.test("layout: each version of a runtime is probed once, even if the settings change", async () => {
  await using probing = await Probing.start({
    m1: "containerd://2.1.4",
    m2: "containerd://2.1.4",
    m3: "cri-o://1.35.0",
  });
  probing.answer = () => ({ phase: "Succeeded" });
  await probing.layout();
  assertEquals(probing.probed.length, 2);
  assertEquals(await probing.layout({ ...auto, layout: "legacy" }), "legacy");
  assertEquals(probing.engine.legacyLayoutReason, undefined, "a setting can be overridden by a workflow");
  assertEquals(await probing.layout(), "initless");
  assertEquals(probing.probed.length, 2);
});

Deno.test("layout: legacy for all pods when the API server drops image volumes, and no machine is probed", async () => {
  await using probing = await Probing.start({ m1: "containerd://2.1.4" });
  probing.dropsImageVolumes = true;
  assertEquals(await probing.layout(), "legacy");
  assertMatch(probing.reason, /feature gate ImageVolume is off/);
  assertEquals(probing.probed, []);
});

Deno.test("knownIncompatibility: returns a reason for runtimes before the version with image volumes", () => {
  const fails = (runtime: string) => knownIncompatibility(runtime) !== undefined;
  assertEquals(["containerd://2.0.5", "cri-o://1.30.9", "docker://28.1.0"].map(fails), [true, true, true]);
  assertEquals(["containerd://2.1.0", "containerd://3.0.0", "cri-o://1.31.0", "new://1"].map(fails), [
    false,
    false,
    false,
    false,
  ]);
});

interface ProbeResult {
  readonly phase: PodPhase;
  readonly state?: ContainerState;
}

/** A cluster whose machines respond to probe pods as the test defines. */
class Probing implements AsyncDisposable {
  readonly world = new ControllerWorld();
  readonly probed: string[] = [];
  dropsImageVolumes = false;
  answer: (machine: string) => ProbeResult = () => ({ phase: "Running" });
  readonly #stop = new AbortController();
  readonly #layout: ClusterLayout;

  private constructor(patienceMillis: number | undefined) {
    const direct = this.world.client.transport;
    const client = new KubeClient({
      ...direct,
      fetch: async (path, init) => {
        const answer = await direct.fetch(path, init);
        return this.dropsImageVolumes && path.includes("dryRun=All") ? await withoutVolumes(answer) : answer;
      },
    });
    this.#layout = new ClusterLayout({
      client,
      namespace: "argo",
      log: silentLog,
      signal: this.#stop.signal,
      ...(patienceMillis === undefined ? {} : { patienceMillis }),
    });
  }

  static async start(machines: Record<string, string>, patienceMillis?: number): Promise<Probing> {
    const probing = new Probing(patienceMillis);
    for (const [name, containerRuntimeVersion] of Object.entries(machines)) {
      const status = { conditions: [{ type: "Ready", status: "True" }], nodeInfo: { containerRuntimeVersion } };
      const node = { apiVersion: "v1", kind: "Node", metadata: { name } };
      await probing.world.client.create(NODES, undefined, node);
      await probing.world.client.patch(NODES, undefined, name, { status }, "merge", { subresource: "status" });
    }
    const pods = new Informer<Pod>(probing.world.client, PODS);
    pods.onChange((type, pod) => {
      if (type === "added") void probing.#play(pod);
    });
    await pods.start(probing.#stop.signal);
    return probing;
  }

  /** The layout that is detected. */
  async layout(config = auto): Promise<string> {
    await this.#layout.determine(config);
    await this.#layout.probesFinished();
    return this.engine.legacyLayoutReason ? "legacy" : this.engine.executor.layout;
  }

  get engine() {
    return this.#layout.applyTo(auto.engine);
  }

  get reason(): string {
    return this.#layout.current.reason;
  }

  async #play(pod: Pod): Promise<void> {
    this.probed.push(pod.spec.nodeName!);
    const { phase, state } = this.answer(pod.spec.nodeName!);
    const containerStatuses = state ? [{ name: "main", state }] : [];
    await this.world.setStatus(pod.metadata.name!, { phase, containerStatuses }, "argo");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.world[Symbol.asyncDispose]();
  }
}

/** The response of a server whose feature gate is off. */
async function withoutVolumes(answer: Pick<Response, "json">): Promise<Response> {
  const pod: Pod = await answer.json();
  const containers = pod.spec.containers.map(({ volumeMounts: _, ...container }) => container);
  return Response.json({ ...pod, spec: { ...pod.spec, containers, volumes: [] } });
}
