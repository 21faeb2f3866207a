/** Reports about the state and the end of pods: passes of the engine over a workflow with one pod. */
import { assert } from "@std/assert";
import { type NodeStatus, parseWorkflow, type Pod } from "@tiphys/model/api";
import { ENGINE_CONFIG } from "../../../simulate/engine_config.ts";
import { decide, type EngineConfig, type ObservedState } from "@tiphys/engine";
import { interpretPod } from "@tiphys/engine/pod";
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
  const read = parseWorkflow({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w", namespace: "n", uid: "uid-1" },
    spec: { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox", command: ["true"] } }] },
    status: { phase: "Running", startedAt: CREATED, nodes: { w: node } },
  });
  assert(read.ok);
  const observed = { ...NOTHING, pods: new Map([["w", pod]]) };
  return decide(read.value, observed, new Date("2026-01-01T00:00:15Z"), { ...ENGINE_CONFIG, ...settings });
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

/** Reports about the state and the end of pods. */
export const POD_ENDS: readonly CallReport[] = [
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
        const status = { phase: "Failed", reason: "Evicted", message: "The node had condition: [DiskPressure]." };
        const { workflow, actions } = passOver(status, { failedPodRestarts }, { maxPodRestarts: 3 });
        return [workflow.status!.nodes!.w!.phase, actions.some(({ kind }) => kind === "deletePod")];
      }),
    returns: [["Pending", true], ["Pending", true], ["Failed", false]],
  },
];
