/** Reports about pods, and about what a pass requests: passes of the engine over a workflow with one node. */
import { assert } from "@std/assert";
import { type NodeStatus, parseWorkflow, type Pod, type Workflow } from "@tiphys/model/api";
import { ENGINE_CONFIG } from "../../../simulate/engine_config.ts";
import { decide, type EngineConfig, type ObservedState } from "@tiphys/engine";
import { interpretPod } from "@tiphys/engine/pod";
import { FINALIZER } from "@tiphys/base/constants";
import { classifyError, handlerTransport, KubeClient } from "@tiphys/kube";
import { NodeTable } from "../../../lib/engine/nodes/node_table.ts";
import { podFor } from "../../../lib/engine/pod/testing/pod_request.ts";
import { StoredNodes } from "../../../controller/workflow/record/stored_nodes.ts";
import { orphanActionOf } from "../../../controller/workflow/orphans/orphan_action.ts";
import { record, workflowPatch } from "../../../controller/workflow/record/record.ts";
import type { CallReport } from "../call_report.ts";

const NOTHING: ObservedState = {
  pods: new Map(),
  taskResults: new Map(),
  readConfigMaps: new Map(),
  claims: new Map(),
  refusals: new Map(),
  workflowTemplate: () => undefined,
  clusterWorkflowTemplate: () => undefined,
  configMap: () => undefined,
  serviceAccount: () => undefined,
};

const CREATED = "2026-01-01T00:00:05Z";

/** The node and the pod of a workflow with a single node. */
function podWith(status: Pod["status"], changes: Partial<NodeStatus> = {}) {
  const identity = { id: "w", name: "w", displayName: "w", type: "Pod", templateName: "main" } as const;
  const node: NodeStatus = { ...identity, phase: "Pending", startedAt: CREATED, ...changes };
  const annotations = { "workflows.argoproj.io/node-id": "w", "workflows.argoproj.io/node-name": "w" };
  const pod: Pod = {
    metadata: { name: "w", namespace: "n", uid: "uid-2", annotations },
    spec: { containers: [{ name: "main" }, { name: "wait" }] },
    status,
  };
  return { node, pod };
}

/** A pass over a running workflow whose only node has a pod with this status, ten seconds after its start. */
function passOver(status: Pod["status"], changes: Partial<NodeStatus> = {}, settings: Partial<EngineConfig> = {}) {
  const { node, pod } = podWith(status, changes);
  const state = { phase: "Running", startedAt: CREATED, nodes: { w: node } };
  return passOf({}, state, { pods: new Map([["w", pod]]) }, settings);
}

/** A pass, ten seconds after the start, over a workflow with these fields of its spec and this status. */
function passOf(
  spec: object,
  status: object | undefined,
  observed: Partial<ObservedState> = {},
  settings: Partial<EngineConfig> = {},
) {
  const main = { name: "main", container: { image: "busybox", command: ["true"] } };
  const labels = status && "finishedAt" in status ? { "workflows.argoproj.io/completed": "true" } : {};
  const read = parseWorkflow({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w", namespace: "n", uid: "uid-1", labels },
    spec: { entrypoint: "main", templates: [main], ...spec },
    status,
  });
  assert(read.ok);
  const now = new Date("2026-01-01T00:00:15Z");
  return decide(read.value, { ...NOTHING, ...observed }, now, { ...ENGINE_CONFIG, ...settings });
}

/** The phase and the message of the node after a pass. */
function endOf(...args: Parameters<typeof passOver>) {
  const { workflow } = passOver(...args);
  const { phase, message = "" } = workflow.status!.nodes!.w!;
  return `${phase}: ${message}`;
}

function ended(name: string, exitCode: number, reason = exitCode ? "Error" : "Completed") {
  return { name, state: { terminated: { exitCode, reason, finishedAt: "2026-01-01T00:00:12Z" } } };
}

/** Reports about pods, and about what a pass requests. */
export const PASSES: readonly CallReport[] = [
  {
    issues: [15150],
    behavior: "failed pod: a container whose end is unknown does not count as succeeded",
    call: () => [
      endOf({ phase: "Failed", containerStatuses: [{ name: "main" }, { name: "wait" }] }),
      endOf({ phase: "Failed", containerStatuses: [ended("main", 0), { name: "wait" }] }),
      endOf({ phase: "Failed", containerStatuses: [{ name: "main" }, ended("wait", 0)] }),
    ],
    returns: [
      "Failed: pod failed: neither main nor wait container completed successfully",
      "Failed: pod failed: wait container did not complete successfully",
      "Failed: pod failed: main container did not complete successfully",
    ],
  },
  {
    issues: [15153],
    behavior: "sidecar out of memory: fails its node, unlike a sidecar that the executor killed",
    argo: "the node succeeds",
    call: () =>
      ["OOMKilled", "Error"].map((reason) => {
        const containerStatuses = [ended("main", 0), ended("wait", 0), ended("side", 137, reason)];
        const { pod, node } = podWith({ phase: "Failed", containerStatuses });
        const { phase, message } = interpretPod(pod, node, { container: {}, sidecars: [{ name: "side" }] });
        return [phase, message];
      }),
    returns: [["Failed", "side: OOMKilled (exit code 137)"], ["Succeeded", ""]],
  },
  {
    issues: [15086, 12572],
    behavior: "failedPodRestart: an evicted pod whose main container never ran is replaced, up to the limit",
    call: () =>
      [0, 2, 3].map((failedPodRestarts) => {
        const message = "The node had condition: [DiskPressure].";
        const status: Pod["status"] = { phase: "Failed", reason: "Evicted", message };
        const { workflow, actions } = passOver(status, { failedPodRestarts }, { maxPodRestarts: 3 });
        return [workflow.status!.nodes!.w!.phase, actions.some(({ kind }) => kind === "deletePod")];
      }),
    returns: [["Pending", true], ["Pending", true], ["Failed", false]],
  },
  {
    issues: [15164],
    behavior: "finalizer of a pod: removed from a deleted pod whose workflow is gone or being deleted",
    argo: "before 3.7.7: the pod is kept if the controller missed its deletion",
    call: () => {
      const { pod } = podWith({ phase: "Running" });
      const deleted = { ...pod.metadata, finalizers: [FINALIZER.podStatus], deletionTimestamp: CREATED };
      const workflow = { metadata: { name: "w", namespace: "n", uid: "uid-1", deletionTimestamp: CREATED } };
      return [{ kind: "gone" } as const, { kind: "there", workflow } as const].map((owner) =>
        orphanActionOf({ ...pod, metadata: deleted }, owner, new Date(CREATED)).kind
      );
    },
    returns: ["release", "release"],
  },
  {
    issues: [15935],
    behavior: "metrics: the duration of a workflow that has not started is not that since the year 1",
    argo: "before 4.0.5: 9223372036 seconds",
    call: () => {
      const gauge = { realtime: true, value: "{{workflow.duration}}" };
      const metrics = { prometheus: [{ name: "m", help: "h", gauge }] };
      const waiting = passOf({ metrics }, undefined, { mayStart: false });
      const running = passOf({ metrics }, undefined);
      return [waiting, running].map(({ gauges = [] }) => gauges.map(({ since }) => new Date(since).toISOString()));
    },
    returns: [[], ["2026-01-01T00:00:15.000Z"]],
  },
  {
    issues: [15654],
    behavior: "ttlStrategy: the time for the phase takes precedence over secondsAfterCompletion",
    call: () =>
      ["Succeeded", "Failed", "Error"].map((phase) => {
        const ttlStrategy = { secondsAfterCompletion: 1000, secondsAfterSuccess: 5, secondsAfterFailure: 0 };
        const { actions } = passOf({ ttlStrategy }, { phase, startedAt: CREATED, finishedAt: CREATED, nodes: {} });
        return actions.some(({ kind }) => kind === "deleteWorkflow");
      }),
    returns: [true, true, false],
  },
  {
    issues: [15220, 15219],
    behavior: "WorkflowTaskSet: has the instance ID of its controller",
    call: () => {
      const templates = [{ name: "main", http: { url: "http://example.org" } }];
      const executor = { ...ENGINE_CONFIG.executor, instanceId: "one" };
      const { actions } = passOf({ templates }, undefined, {}, { executor });
      return actions.flatMap((action) => action.kind === "addTasks" ? [action.instanceId] : []);
    },
    returns: ["one"],
  },
  {
    issues: [16775],
    behavior: "status: is written only to the version that was read, and not to a later workflow of that name",
    argo: "before 4.1.2: overwrites the status of the new workflow after a conflict",
    call: () => {
      const before = { metadata: { name: "w", namespace: "n", uid: "uid-1", resourceVersion: "7" }, spec: {} };
      return workflowPatch(before, { ...before, status: { phase: "Running" } }, new Map());
    },
    returns: { metadata: { resourceVersion: "7" }, status: { phase: "Running" } },
  },
  {
    issues: [16294, 16357],
    behavior: "status: a pass over an old version is not written, and its pods are created only after the write",
    argo: "before 4.1.0: a pod of a completed workflow runs again",
    async call() {
      const { workflow, actions } = passOf({}, undefined);
      const conflict = { kind: "Status", code: 409, reason: "Conflict", message: "the object has been modified" };
      const client = new KubeClient(handlerTransport(() => Promise.resolve(Response.json(conflict, { status: 409 }))));
      const before: Workflow = { metadata: { ...workflow.metadata, resourceVersion: "7" }, spec: workflow.spec };
      const table = NodeTable.reuseOrCreate("w", workflow.status!.nodes, undefined);
      const written = record(client, before, { head: workflow, nodes: table.snapshot() }, new StoredNodes(false));
      const outcome = await written.then(() => "written", classifyError);
      return [actions.some(({ kind }) => kind === "createPod"), outcome];
    },
    returns: [true, "conflict"],
  },
  {
    issues: [16161],
    behavior:
      "init-less pod: the manifest of a resource template that is an artifact is loaded, also without archived logs",
    argo: "found in a review of the beta: nothing loads it",
    call: () => {
      const manifestFrom = { artifact: { name: "m", s3: { bucket: "b", key: "k", endpoint: "minio:9000" } } };
      const { spec } = podFor({ resource: { action: "create", manifestFrom } });
      return [spec.initContainers ?? [], spec.containers.map(({ name }) => name)];
    },
    returns: [[], ["supervisor", "main"]],
  },
];
