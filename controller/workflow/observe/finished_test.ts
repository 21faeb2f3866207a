import { assertEquals, assertStrictEquals } from "@std/assert";
import { ANNOTATION, FINALIZER, LABEL } from "@tiphys/base/constants";
import type { KubeObject } from "@tiphys/kube";
import { isReduced, retainedWorkflow } from "./finished.ts";

function workflow(more: Partial<KubeObject["metadata"]> = {}, status: object = {}): KubeObject {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w", labels: { [LABEL.completed]: "true" }, ...more },
    spec: { entrypoint: "main", ttlStrategy: { secondsAfterCompletion: 9 }, templates: [{ name: "main" }] },
    status: { phase: "Succeeded", finishedAt: "2026-01-01T00:00:00Z", nodes: { w: { id: "w" } }, ...status },
  };
}

Deno.test("retainedWorkflow(): keeps the fields of a finished workflow that are needed after the end", () => {
  const kept = retainedWorkflow(
    workflow({ annotations: { mine: "x", "kubectl.kubernetes.io/last-applied-configuration": "{}" } }),
  );
  assertEquals([kept.metadata.annotations, kept.spec, kept.status, isReduced(kept)], [
    { mine: "x" },
    { ttlStrategy: { secondsAfterCompletion: 9 } },
    { phase: "Succeeded", finishedAt: "2026-01-01T00:00:00Z" },
    true,
  ]);
});

const WHOLE: Record<string, KubeObject> = {
  "that runs": workflow({ labels: { [LABEL.completed]: "false" } }, { phase: "Running" }),
  "whose labels lack the completion": workflow({ labels: {} }),
  "with pending archiving": workflow({ labels: { [LABEL.completed]: "true", [LABEL.archivingStatus]: "Pending" } }),
  "whose artifacts are to be deleted": workflow({ finalizers: [FINALIZER.artifactGc] }),
  "that is sealed": workflow({ annotations: { [ANNOTATION.storedSpecSeal]: "x" } }),
  "that holds a lock": workflow({}, { synchronization: { mutex: {} } }),
};

for (const [what, object] of Object.entries(WHOLE)) {
  Deno.test(`retainedWorkflow(): does not reduce a workflow ${what}`, () => {
    assertStrictEquals(retainedWorkflow(object), object);
    assertEquals(isReduced(object), false);
  });
}
