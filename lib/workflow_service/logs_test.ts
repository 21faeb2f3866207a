import { assertEquals } from "@std/assert";
import { API_VERSION, type Pod, type Workflow } from "../api/mod.ts";
import { CONTAINER, LABEL } from "../constants.ts";
import { PODS, WORKFLOWS } from "../kube/mod.ts";
import { createApiServer } from "../../local/api/mod.ts";
import { ClusterService } from "./cluster_service.ts";

Deno.test("logs that are followed wait for main when another container of its pod runs already", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const asked: string[] = [];
  api.useKubelet({
    logs: (_namespace, pod) => {
      asked.push(pod);
      return ReadableStream.from([new TextEncoder().encode("a line\n")]);
    },
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  const create = async (name: string) => {
    const containers = [CONTAINER.supervisor, CONTAINER.main].map((name) => ({ name, image: "busybox" }));
    await client.create<Pod>(PODS, "default", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "default", labels: { [LABEL.workflow]: "hello" } },
      spec: { containers, nodeName: "here" },
    });
  };
  const report = async (name: string, main: Record<string, unknown>) => {
    const statuses = [{ name: CONTAINER.supervisor, state: { running: {} } }, { name: CONTAINER.main, state: main }];
    const status = { phase: "Running", containerStatuses: statuses };
    await client.patch(PODS, "default", name, { status }, "merge", { subresource: "status" });
  };
  await client.create<Workflow>(WORKFLOWS, "default", {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name: "hello" },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
  });
  await create("late");
  await report("late", { waiting: { reason: "ContainerCreating" } });
  await create("early");
  await report("early", { running: {} });

  const reader = new AbortController();
  const seen: string[] = [];
  for await (
    const { podName } of new ClusterService(client).logs("default", "hello", { follow: true }, reader.signal)
  ) {
    seen.push(podName);
    if (podName === "late") reader.abort();
    else {
      // The pods that were there are known now, and only the one whose main runs was asked.
      assertEquals(asked, ["early"]);
      await report("late", { running: {} });
    }
  }
  assertEquals(seen, ["early", "late"]);
  api.close();
});
