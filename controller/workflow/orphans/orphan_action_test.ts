import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import { orphanActionOf, ownerOf } from "./orphan_action.ts";

const NOW = new Date("2026-01-01T00:10:00Z");
const ENDED = "2026-01-01T00:09:00Z";

interface PodOptions {
  readonly phase?: "Running" | "Succeeded" | "Failed";
  readonly strategy?: string;
  readonly deleting?: boolean;
  readonly held?: boolean;
  readonly labeled?: boolean;
}

function pod({ phase = "Running", strategy, deleting = false, held = true, labeled = false }: PodOptions = {}): Pod {
  const over = phase !== "Running";
  return {
    metadata: {
      name: "p",
      namespace: "n",
      uid: "pod",
      labels: {
        "workflows.argoproj.io/workflow": "w",
        ...(labeled ? { "workflows.argoproj.io/completed": "true" } : {}),
      },
      annotations: {
        "workflows.argoproj.io/node-id": "node",
        ...(strategy ? { "workflows.argoproj.io/pod-gc-strategy": strategy } : {}),
      },
      ownerReferences: [{ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "w", uid: "ours" }],
      ...(held ? { finalizers: ["workflows.argoproj.io/status"] } : {}),
      ...(deleting ? { deletionTimestamp: ENDED } : {}),
    },
    spec: { containers: [] },
    status: {
      phase,
      containerStatuses: over ? [{ name: "main", state: { terminated: { exitCode: 0, finishedAt: ENDED } } }] : [],
    },
  };
}

function workflow(fields: { uid?: string; completed?: boolean; nodeOver?: boolean; deleting?: boolean }): KubeObject {
  return {
    metadata: {
      name: "w",
      namespace: "n",
      uid: fields.uid ?? "ours",
      labels: fields.completed ? { "workflows.argoproj.io/completed": "true" } : {},
      ...(fields.deleting ? { deletionTimestamp: ENDED } : {}),
    },
    status: { nodes: { node: fields.nodeOver ? { finishedAt: ENDED } : {} } },
  };
}

function action(options: PodOptions, report?: KubeObject): string {
  const result = orphanActionOf(pod(options), ownerOf(pod(options), () => report), NOW);
  return result.kind === "delete" ? `delete at ${new Date(result.at).toISOString().slice(11, 19)}` : result.kind;
}

Deno.test("ownerOf(): identifies a workflow by its UID, not only by its name", () => {
  assertEquals(ownerOf(pod(), () => workflow({})).kind, "there");
  assertEquals(ownerOf(pod(), () => workflow({ uid: "another" })).kind, "gone");
  assertEquals(ownerOf(pod(), () => undefined).kind, "gone");
});

Deno.test("ownerOf(): finds the workflow in the namespace of the pod", () => {
  const asked: string[] = [];
  ownerOf(pod(), (key) => void asked.push(key));
  assertEquals(asked, ["n/w"]);
});

Deno.test("orphanActionOf(): releases a pod whose workflow is gone or being deleted", () => {
  assertEquals(action({}), "release");
  assertEquals(action({}, workflow({ deleting: true })), "release");
  assertEquals(action({}, workflow({ uid: "another" })), "release");
});

Deno.test("orphanActionOf(): leaves a pod to the passes of its workflow", () => {
  assertEquals(action({}, workflow({})), "hold");
  assertEquals(action({ phase: "Succeeded" }, workflow({})), "hold");
  assertEquals(action({ phase: "Succeeded", strategy: "OnPodCompletion/0s" }, workflow({})), "hold");
});

Deno.test("orphanActionOf(): releases a finished pod if its workflow has finished and recorded the node's end (IL-70)", () => {
  assertEquals(action({ phase: "Succeeded" }, workflow({ completed: true, nodeOver: true })), "release");
  assertEquals(action({ phase: "Succeeded" }, workflow({ completed: true })), "hold");
});

Deno.test("orphanActionOf(): labels a finished pod that a failed deletion left without the controller's finalizer", () => {
  const over = workflow({ completed: true, nodeOver: true });
  assertEquals(action({ phase: "Succeeded", held: false }, over), "release");
  assertEquals(action({ phase: "Succeeded", held: false, labeled: true }, over), "hold");
});

Deno.test("orphanActionOf(): deletes an orphan after the delay in its annotation (IL-71)", () => {
  assertEquals(action({ phase: "Failed", strategy: "OnPodCompletion/0s" }), "delete at 00:09:00");
  assertEquals(action({ phase: "Failed", strategy: "OnWorkflowCompletion/90s" }), "delete at 00:10:30");
  assertEquals(action({ phase: "Succeeded", strategy: "OnPodSuccess/5s" }), "delete at 00:09:05");
  assertEquals(action({ phase: "Failed", strategy: "OnPodSuccess/5s" }), "release");
  assertEquals(action({ phase: "Succeeded", strategy: "OnWorkflowSuccess/5s" }), "delete at 00:09:05");
  assertEquals(action({ phase: "Failed", strategy: "OnWorkflowSuccess/5s" }), "release");
  assertEquals(action({ phase: "Succeeded", strategy: "/5s" }), "release");
});

Deno.test("orphanActionOf(): does not delete a running pod, or one that is already being deleted", () => {
  assertEquals(action({ phase: "Running", strategy: "OnPodCompletion/0s" }), "release");
  assertEquals(action({ phase: "Failed", strategy: "OnPodCompletion/0s", deleting: true }), "release");
});

Deno.test("orphanActionOf(): also deletes an orphan without the controller's finalizer, and does nothing else to it", () => {
  assertEquals(action({ phase: "Failed", strategy: "OnPodCompletion/0s", held: false }), "delete at 00:09:00");
  assertEquals(action({ phase: "Failed", held: false }), "hold");
});
