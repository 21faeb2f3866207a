import { assert, assertEquals } from "@std/assert";
import { parseWorkflow, type Pod } from "@tiphys/model/api";
import { ENGINE_CONFIG } from "../../../simulate/engine_config.ts";
import { decide, type EngineConfig, type ObservedState } from "../mod.ts";

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

/** The node events of a pass over a workflow with one pod, which was pending and now has `status`. */
function eventsOf(status: Pod["status"], settings: Partial<EngineConfig> = {}) {
  const read = parseWorkflow({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w", namespace: "default", uid: "uid-1" },
    spec: { entrypoint: "main", templates: [{ name: "main", container: { image: "busybox" } }] },
    status: {
      phase: "Running",
      startedAt: "2026-01-01T00:00:05Z",
      nodes: {
        w: {
          id: "w",
          name: "w",
          displayName: "w",
          type: "Pod",
          phase: "Pending",
          templateName: "main",
          startedAt: "2026-01-01T00:00:05Z",
        },
      },
    },
  });
  assert(read.ok);
  const annotations = { "workflows.argoproj.io/node-id": "w", "workflows.argoproj.io/node-name": "w" };
  const pod: Pod = {
    metadata: { name: "the-pod", namespace: "default", uid: "uid-2", annotations },
    spec: { containers: [{ name: "main" }] },
    status,
  };
  const observed = { ...NOTHING, pods: new Map([["w", pod]]) };
  const config = { ...ENGINE_CONFIG, nodeEvents: true, ...settings };
  const { actions } = decide(read.value, observed, new Date("2026-01-01T00:00:10Z"), config);
  return actions.flatMap((action) =>
    action.kind === "event" && action.reason.startsWith("WorkflowNode") ? [action] : []
  );
}

const RUNNING: Pod["status"] = { phase: "Running" };
const FAILED: Pod["status"] = { phase: "Failed", message: "no more memory" };

Deno.test("node events: contain the node and its start in nanoseconds", () => {
  assertEquals(eventsOf(RUNNING), [{
    kind: "event",
    type: "Normal",
    reason: "WorkflowNodeRunning",
    message: "Running node w",
    annotations: {
      "workflows.argoproj.io/node-type": "Pod",
      "workflows.argoproj.io/node-name": "w",
      "workflows.argoproj.io/node-id": "w",
      "workflows.argoproj.io/node-start-time": "1767225605000000000",
    },
  }]);
});

Deno.test("node events: a node that ended without being observed as running gets both events, and the second one has its message", () => {
  const events = eventsOf(FAILED).map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
  assertEquals(events, [
    "Normal WorkflowNodeRunning: Running node w",
    "Warning WorkflowNodeFailed: Failed node w: no more memory",
  ]);
});

Deno.test("node events: the settings can attach them to pods, or disable them", () => {
  const [event] = eventsOf(RUNNING, { attachesNodeEventsToPods: true });
  assertEquals(event?.pod, { name: "the-pod", uid: "uid-2" });
  assertEquals(event?.annotations?.["workflows.argoproj.io/workflow-name"], "w");
  assertEquals(event?.annotations?.["workflows.argoproj.io/workflow-uid"], "uid-1");
  assertEquals(eventsOf(RUNNING, { nodeEvents: false }), []);
});
