/** The promises of the service, asked of the implementation over this server: the CLI and a page see no difference. */
import { CONTAINER, LABEL } from "../lib/constants.ts";
import type { Pod, Workflow } from "../lib/api/mod.ts";
import { PODS, WORKFLOWS } from "../lib/kube/mod.ts";
import { ServerService } from "../lib/workflow_service/mod.ts";
import { PROMISES } from "../lib/workflow_service/testing/contract.ts";
import { awaitFact } from "../tests/await_fact.ts";
import { NAMESPACE, type ServerBench, serverBench } from "./testing/server_bench.ts";

/** Resolves when the server's copy has what the cluster has. */
async function copied(bench: ServerBench): Promise<void> {
  await awaitFact("the server's copy has what the cluster has", async () => {
    const { items } = await (await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}`)).json();
    const there = await bench.admin.list<Workflow>(WORKFLOWS, NAMESPACE);
    const versions = new Set((items ?? []).map(({ metadata }: Workflow) => metadata.resourceVersion));
    return there.items.every(({ metadata }) => versions.has(metadata.resourceVersion));
  }, { seconds: 10 });
}

function benchOf(bench: ServerBench) {
  const written = new Map<string, readonly string[]>();
  bench.api.useKubelet({
    logs: (_namespace, pod, _container, options) => {
      const lines = (written.get(pod) ?? []).slice(-(options.tailLines ?? Infinity));
      const shown = options.timestamps ? lines : lines.map((line) => line.slice(line.indexOf(" ") + 1));
      return ReadableStream.from([new TextEncoder().encode(shown.map((line) => `${line}\n`).join(""))]);
    },
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  const service = new ServerService(async ({ method, path, headers, body, signal }) => {
    if (method === "GET" && path.startsWith("/api/v1/workflows/")) await copied(bench);
    return await bench.ask(method, path, {
      headers,
      ...(body === undefined ? {} : { body }),
      ...(signal && { signal }),
    });
  });
  return {
    service,
    namespace: NAMESPACE,
    put: async (workflow: Workflow) => void await bench.admin.create(WORKFLOWS, NAMESPACE, workflow),
    setStatus: async (name: string, status: Workflow["status"]) =>
      void await bench.admin.patch(WORKFLOWS, NAMESPACE, name, { status }),
    async pod(workflow: string, name: string, lines: readonly string[]) {
      written.set(name, lines);
      await bench.admin.create<Pod>(PODS, NAMESPACE, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, namespace: NAMESPACE, labels: { [LABEL.workflow]: workflow } },
        spec: { containers: [{ name: CONTAINER.main, image: "busybox" }], nodeName: "here" },
      });
      const containerStatuses = [{ name: CONTAINER.main, state: { terminated: { exitCode: 0 } } }];
      const status = { phase: "Succeeded", containerStatuses };
      await bench.admin.patch(PODS, NAMESPACE, name, { status }, "merge", { subresource: "status" });
    },
  };
}

for (const { title, keep } of PROMISES) {
  Deno.test(`the service over a server: ${title}`, async () => {
    await using bench = await serverBench(["server"]);
    await keep(benchOf(bench));
  });
}
