import { assertEquals } from "@std/assert";
import { PODS, WORKFLOWS } from "@tiphys/kube";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";

const PATH = `/api/v1/workflows/${NAMESPACE}/w/pod-times`;
const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
const terminated = (from: number, to: number) => ({
  terminated: { exitCode: 0, startedAt: at(from), finishedAt: at(to) },
});

Deno.test("pod times: contain the times that the containers report, for callers who may list pods", async () => {
  await using bench = await serverBench();
  await bench.admin.create(WORKFLOWS, NAMESPACE, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w" },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
  });
  const pod = async (name: string, workflow: string, states: Readonly<Record<string, unknown>>) => {
    await bench.admin.create(PODS, NAMESPACE, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, labels: { "workflows.argoproj.io/workflow": workflow } },
      spec: { containers: Object.keys(states).map((name) => ({ name, image: "busybox" })) },
    });
    const containerStatuses = Object.entries(states).map(([name, state]) => ({ name, state, ready: true }));
    await bench.admin.patch(PODS, NAMESPACE, name, { status: { phase: "Running", containerStatuses } }, "merge", {
      subresource: "status",
    });
  };
  await pod("w-saved", "w", { main: terminated(1, 3), supervisor: terminated(0, 7) });
  await pod("w-legacy", "w", { wait: terminated(0, 8), main: terminated(1, 4) });
  await pod("w-saves", "w", { main: terminated(1, 3), supervisor: { running: { startedAt: at(0) } } });
  await pod("w-runs", "w", { main: { running: { startedAt: at(2) } }, supervisor: { running: { startedAt: at(0) } } });
  await pod("w-waits", "w", { main: { waiting: { reason: "ContainerCreating" } } });
  await pod("other", "x", { main: terminated(1, 3) });
  const { token, grant } = await bench.account([{ verb: "get", group: "argoproj.io", resource: "workflows" }]);
  assertEquals((await bench.ask("GET", PATH, { token })).status, 403);
  await grant([
    { verb: "get", group: "argoproj.io", resource: "workflows" },
    { verb: "list", group: "", resource: "pods" },
  ]);
  bench.advanceClock(30_001);
  assertEquals(await (await bench.ask("GET", PATH, { token })).json(), {
    pods: {
      "w-saved": { started: at(1), ended: at(3), saved: at(7) },
      "w-legacy": { started: at(1), ended: at(4), saved: at(8) },
      "w-saves": { started: at(1), ended: at(3) },
      "w-runs": { started: at(2) },
    },
  });
  assertEquals((await bench.ask("GET", PATH.replace("/w/", "/none/"), { token })).status, 404);
});
