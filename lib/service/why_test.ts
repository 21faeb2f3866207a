import { assertEquals } from "@std/assert";
import { API_VERSION } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { PODS, WORKFLOW_TASK_RESULTS, WORKFLOWS } from "@tiphys/kube";
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
