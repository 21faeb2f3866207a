import { assertEquals } from "@std/assert";
import type { Pod } from "../lib/api/mod.ts";
import { CONTAINER, LABEL } from "../lib/constants.ts";
import { PODS } from "../lib/kube/mod.ts";
import { createApiServer } from "../local/api/mod.ts";
import { LogFollower, MAIN } from "./pod_logs.ts";

Deno.test("LogFollower waits for main when another container of its pod runs already", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  let hasBegun = false;
  api.useKubelet({
    logs: () => ReadableStream.from(hasBegun ? [new TextEncoder().encode("late\n")] : []),
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  const containers = [CONTAINER.supervisor, CONTAINER.main].map((name) => ({ name, image: "busybox" }));
  await client.create<Pod>(PODS, "default", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "pod", namespace: "default", labels: { [LABEL.workflow]: "hello" } },
    spec: { containers, nodeName: "here" },
  });
  const report = async (main: Record<string, unknown>) => {
    const statuses = [{ name: CONTAINER.supervisor, state: { running: {} } }, { name: CONTAINER.main, state: main }];
    const status = { phase: "Running", containerStatuses: statuses };
    await client.patch(PODS, "default", "pod", { status }, "merge", { subresource: "status" });
  };
  await report({ waiting: { reason: "ContainerCreating" } });

  const seen = Promise.withResolvers<string>();
  const selection = { client, namespace: "default", workflowName: "hello", options: MAIN };
  const follower = new LogFollower(selection, (_pod, line) => seen.resolve(line));
  await follower.start();
  hasBegun = true;
  await report({ running: {} });
  assertEquals(await seen.promise, "late");
  follower.close();
  api.close();
});
