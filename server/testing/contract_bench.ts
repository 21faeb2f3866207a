/** The bench of the service's contract tests, for a service that calls a server. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { CONTAINER, LABEL } from "@tiphys/base/constants";
import { type KubeClient, PODS, WORKFLOWS } from "@tiphys/kube";
import { ServerService } from "@tiphys/service/server";
import type { Bench } from "../../lib/service/testing/contract.ts";
import type { ApiServer } from "../../local/api/mod.ts";
import { awaitFact } from "../../tests/await_fact.ts";

/** Sends a request to the server under test. The path begins with a slash. */
export type AskServer = (
  method: string,
  path: string,
  options?: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal?: AbortSignal;
  },
) => Promise<Response>;

/**
 * Returns a service that calls a server in front of an embedded API. Before it reads workflows, it waits until the
 * server's copy is current. `admin` writes to the cluster directly. The logs of pods are those that a test sets.
 */
export function contractBench(api: ApiServer, admin: KubeClient, namespace: string, ask: AskServer): Required<Bench> {
  const written = new Map<string, readonly string[]>();
  api.useKubelet({
    logs: (_namespace, pod, _container, options) => {
      const lines = (written.get(pod) ?? []).slice(-(options.tailLines ?? Infinity));
      const shown = options.timestamps ? lines : lines.map((line) => line.slice(line.indexOf(" ") + 1));
      return ReadableStream.from([new TextEncoder().encode(shown.map((line) => `${line}\n`).join(""))]);
    },
    exec: () => Promise.reject(new Error("no container is running")),
  });
  const synced = () =>
    awaitFact("the server's copy of workflows is current", async () => {
      const { items } = await (await ask("GET", `/api/v1/workflows/${namespace}`)).json();
      const there = await admin.list<Workflow>(WORKFLOWS, namespace);
      return versionsText(items ?? []) === versionsText(there.items);
    }, { seconds: 30 });
  const service = new ServerService(async ({ method, path, headers, body, signal }) => {
    // As over a network.
    signal?.throwIfAborted();
    if (method === "GET" && path.startsWith("/api/v1/workflows/")) await synced();
    return await ask(method, path, { headers, ...(body === undefined ? {} : { body }), ...(signal && { signal }) });
  });
  return {
    service,
    namespace,
    put: async (workflow) => void await admin.create(WORKFLOWS, namespace, workflow),
    setStatus: async (name, status) => void await admin.patch(WORKFLOWS, namespace, name, { status }),
    async pod(workflow, name, lines) {
      written.set(name, lines);
      await admin.create<Pod>(PODS, namespace, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, namespace, labels: { [LABEL.workflow]: workflow } },
        spec: { containers: [{ name: CONTAINER.main, image: "busybox" }], nodeName: "here" },
      });
      const containerStatuses = [{ name: CONTAINER.main, state: { terminated: { exitCode: 0 } } }];
      const status = { phase: "Succeeded", containerStatuses };
      await admin.patch(PODS, namespace, name, { status }, "merge", { subresource: "status" });
    },
  };
}

function versionsText(workflows: readonly Workflow[]): string {
  return workflows.map(({ metadata }) => metadata.resourceVersion ?? "").sort().join();
}
