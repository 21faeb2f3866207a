import { assertEquals } from "@std/assert";
import { API_VERSION } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { EVENTS, KubeError, PODS, WORKFLOW_TASK_RESULTS, WORKFLOWS } from "@tiphys/kube";
import { createApiServer } from "../../local/api/mod.ts";
import { ClusterService } from "./cluster_service.ts";

const METADATA = { namespace: "default", labels: { [LABEL.workflow]: "w" } };

Deno.test("whyWaiting: a pod that cannot be parsed is the reason why its node waits, and its logs can still be read", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const line = new TextEncoder().encode("2026-01-01T00:00:00Z a line\n");
  api.useKubelet({ logs: () => ReadableStream.from([line]), exec: () => Promise.reject(new Error("nothing runs")) });
  await client.create(WORKFLOWS, "default", {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name: "w" },
    spec: { entrypoint: "main", templates: [{ name: "main", container: { image: "i" } }] },
    status: {
      phase: "Running",
      startedAt: "2026-01-01T00:00:00Z",
      nodes: { w: { id: "w", name: "w", displayName: "w", type: "Pod", phase: "Pending", templateName: "main" } },
    },
  });
  await client.create(PODS, "default", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...METADATA, name: "w", annotations: { [ANNOTATION.nodeId]: "w" } },
    spec: { containers: [{ name: "main", image: "i" }], activeDeadlineSeconds: "soon", nodeName: "here" },
  });
  await client.create(WORKFLOW_TASK_RESULTS, "default", {
    apiVersion: API_VERSION,
    kind: "WorkflowTaskResult",
    metadata: { ...METADATA, name: "gone" },
  });
  const service = new ClusterService(client);
  const [reason] = await service.why("default", "w");
  assertEquals(
    [reason?.code, reason?.text],
    ["Report", "the pod w cannot be read: spec.activeDeadlineSeconds: expected number, got a string"],
  );
  for (const follow of [false, true]) {
    const stop = new AbortController();
    for await (const { podName, line } of service.logs("default", "w", { follow }, stop.signal)) {
      assertEquals([podName, line.slice(-6)], ["w", "a line"]);
      stop.abort();
    }
  }
  api.close();
});

interface PodEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message?: string;
  readonly last: string;
}

const NO_SECRET = 'MountVolume.SetUp failed for volume "v" : secret "s" not found';
const UNABLE = "Unable to attach or mount volumes: unmounted volumes=[v]: timed out waiting for the condition";

/** The events of pods, and the obstacle that they show; undefined for none. */
const EVENTS_OF_POD: readonly [title: string, events: readonly PodEvent[], obstacle: string | undefined][] = [
  ["no events", [], undefined],
  [
    "a Secret that cannot be mounted",
    [
      { type: "Warning", reason: "FailedMount", message: NO_SECRET, last: "2026-01-01T00:00:09Z" },
      { type: "Normal", reason: "Scheduled", last: "2026-01-01T00:00:01Z" },
    ],
    `FailedMount: ${NO_SECRET}`,
  ],
  [
    "a timeout of the whole pod after the cause",
    [
      { type: "Normal", reason: "Scheduled", last: "2026-01-01T00:00:01Z" },
      { type: "Warning", reason: "FailedMount", message: NO_SECRET, last: "2026-01-01T00:00:09Z" },
      { type: "Warning", reason: "FailedMount", message: UNABLE, last: "2026-01-01T00:02:00Z" },
    ],
    `FailedMount: ${NO_SECRET}`,
  ],
  [
    "a volume that was mounted at last",
    [
      { type: "Warning", reason: "FailedMount", message: NO_SECRET, last: "2026-01-01T00:00:09Z" },
      { type: "Normal", reason: "Pulling", last: "2026-01-01T00:00:12Z" },
    ],
    undefined,
  ],
  [
    "a sandbox that cannot be created",
    [{ type: "Warning", reason: "FailedCreatePodSandBox", message: "no IP", last: "2026-01-01T00:00:09Z" }],
    "FailedCreatePodSandBox: no IP",
  ],
  [
    "a warning that does not keep a pod from starting",
    [{ type: "Warning", reason: "FailedToRetrieveImagePullSecret", message: "x", last: "2026-01-01T00:00:09Z" }],
    undefined,
  ],
];

for (const [title, events, obstacle] of EVENTS_OF_POD) {
  Deno.test(`whyWaiting: reads the events of pending step, agent and artifact GC pods: ${title}`, async () => {
    const api = createApiServer({ storePath: ":memory:" });
    const client = api.client();
    const node = (id: string, type: string) => [id, { id, name: id, displayName: id, type, phase: "Pending" }];
    const works = { entrypoint: "main", templates: [{ name: "main", container: { image: "i" } }] };
    const nodes = Object.fromEntries([node("w", "Pod"), node("h", "HTTP")]);
    await client.create(WORKFLOWS, "default", {
      apiVersion: API_VERSION,
      kind: "Workflow",
      metadata: { name: "w" },
      spec: works,
      status: { phase: "Running", startedAt: "2026-01-01T00:00:00Z", nodes },
    });
    await client.create(WORKFLOWS, "default", {
      apiVersion: API_VERSION,
      kind: "Workflow",
      metadata: { name: "kept", finalizers: ["workflows.argoproj.io/artifact-gc"] },
      spec: works,
      status: { phase: "Succeeded", finishedAt: "2026-01-01T00:00:00Z" },
    });
    const pods = [
      ["step", "w", {}],
      ["agent", "w", { [LABEL.component]: "agent" }],
      ["gc", "kept", { [LABEL.component]: "artifact-gc" }],
    ] as const;
    for (const [name, of, labels] of pods) {
      const { metadata: { uid } } = await client.create(PODS, "default", {
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
          name,
          labels: { [LABEL.workflow]: of, ...labels },
          annotations: name === "step" ? { [ANNOTATION.nodeId]: "w" } : {},
        },
        spec: { containers: [{ name: "main", image: "i" }], nodeName: "here" },
      });
      for (const [index, { last, ...event }] of events.entries()) {
        await client.create(EVENTS, "default", {
          apiVersion: "v1",
          kind: "Event",
          metadata: { name: `${name}.${index}` },
          involvedObject: { kind: "Pod", name, namespace: "default", uid },
          ...event,
          lastTimestamp: last,
        });
      }
    }
    const service = new ClusterService(client);
    const textsOf = async (name: string) => (await service.why("default", name)).map(({ text }) => text);
    const [step = "", agent = ""] = await textsOf("w");
    const [gc] = await textsOf("kept");
    assertEquals(step.startsWith(obstacle ?? "containers are being created"), true, step);
    assertEquals(agent, `agent pod agent: ${obstacle ?? "starting"}`);
    assertEquals(gc, `kept until its artifacts are deleted${obstacle ? `: pod gc: ${obstacle}` : ""}`);
    const list = client.list.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const refusing = (...args: unknown[]) =>
      args[0] === EVENTS ? Promise.reject(new KubeError("forbidden", { status: 403 })) : list(...args);
    Object.assign(client, { list: refusing });
    assertEquals((await textsOf("w"))[1], "agent pod agent: starting");
    api.close();
  });
}
