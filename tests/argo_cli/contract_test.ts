/** The promises of the service, asked of Argo's own server: the CLI says of it what it says of ours, but for what is named. */
import { assertEquals } from "@std/assert";
import { CONTAINER, LABEL } from "../../lib/constants.ts";
import type { Pod, Workflow } from "../../lib/api/mod.ts";
import { type KubeClient, NAMESPACES, PODS, WORKFLOWS } from "../../lib/kube/mod.ts";
import { needs } from "../../lib/testing/needs.ts";
import { ServerService } from "../../lib/workflow_service/mod.ts";
import { PROMISES } from "../../lib/workflow_service/testing/contract.ts";
import { type ApiServer, createApiServer } from "../../local/api/mod.ts";
import { awaitFact } from "../await_fact.ts";
import { ARGO_PROGRAM, startArgoServer } from "./argo_server.ts";

const NAMESPACE = "tenant";

/** Promises that Argo's server does not keep, each with what it does instead. */
const NOT_KEPT: Readonly<Record<string, string>> = {
  "a list has what its query means, whatever it asks for": "finishedBefore means workflows that have not ended, too",
  "pages follow each other until everything was listed once": "a page does not say where the next one begins",
  "a workflow says why it waits, and one that is over waits for nothing": "there is no such route",
  "what runs is stopped and terminated; what has ended is neither stopped nor suspended":
    "the refusal says that the server is at fault",
  "a suspended workflow goes on, as a whole or by the nodes that are chosen":
    "the refusal of a choice that means no node says that the server is at fault",
  "a failed workflow goes on, or is made again; what runs does not": "the phase that a retry makes empty is left out",
  "a retry that was planned on an older version is a conflict, and changes nothing": "there is no such field",
  "the schedules of a cron workflow are suspended and go on": "what is not suspended is not said",
  "lint finds what is wrong, beside the templates that are stored":
    "a template counts once the server's copy has it, and one that is missing is not found instead of wrong",
};

/** Resolves when the server's copy has what the cluster has. */
async function copied(address: string, admin: KubeClient): Promise<void> {
  await awaitFact("the server's copy has what the cluster has", async () => {
    const { items } = await (await fetch(`${address}/api/v1/workflows/${NAMESPACE}`)).json();
    const there = await admin.list<Workflow>(WORKFLOWS, NAMESPACE);
    const versions = (all: readonly Workflow[] | null) =>
      (all ?? []).map(({ metadata }) => metadata.resourceVersion ?? "").sort().join();
    return versions(items) === versions(there.items);
  }, { seconds: 30 });
}

function benchOf(address: string, api: ApiServer) {
  const admin = api.client();
  const written = new Map<string, readonly string[]>();
  api.useKubelet({
    logs: (_namespace, pod, _container, options) => {
      const lines = (written.get(pod) ?? []).slice(-(options.tailLines ?? Infinity));
      const shown = options.timestamps ? lines : lines.map((line) => line.slice(line.indexOf(" ") + 1));
      return ReadableStream.from([new TextEncoder().encode(shown.map((line) => `${line}\n`).join(""))]);
    },
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  const service = new ServerService(async ({ method, path, headers, body, signal }) => {
    if (method === "GET" && path.startsWith("/api/v1/workflows/")) await copied(address, admin);
    return await fetch(`${address}${path}`, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body }),
      ...(signal && { signal }),
    });
  });
  return {
    service,
    namespace: NAMESPACE,
    put: async (workflow: Workflow) => void await admin.create(WORKFLOWS, NAMESPACE, workflow),
    setStatus: async (name: string, status: Workflow["status"]) =>
      void await admin.patch(WORKFLOWS, NAMESPACE, name, { status }),
    async pod(workflow: string, name: string, lines: readonly string[]) {
      written.set(name, lines);
      await admin.create<Pod>(PODS, NAMESPACE, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, namespace: NAMESPACE, labels: { [LABEL.workflow]: workflow } },
        spec: { containers: [{ name: CONTAINER.main, image: "busybox" }], nodeName: "here" },
      });
      const containerStatuses = [{ name: CONTAINER.main, state: { terminated: { exitCode: 0 } } }];
      const status = { phase: "Succeeded", containerStatuses };
      await admin.patch(PODS, NAMESPACE, name, { status }, "merge", { subresource: "status" });
    },
  };
}

Deno.test("each promise that Argo's server does not keep is one", () => {
  const titles = PROMISES.map(({ title }) => title);
  assertEquals(Object.keys(NOT_KEPT).filter((title) => !titles.includes(title)), []);
});

for (const { title, keep } of PROMISES) {
  if (title in NOT_KEPT) continue;
  Deno.test({
    ...needs("ARGO_CLI, Argo's program", ARGO_PROGRAM !== undefined, `the service over Argo's server: ${title}`),
    async fn() {
      const api = createApiServer({ storePath: ":memory:" });
      try {
        await api.client().create(NAMESPACES, undefined, {
          apiVersion: "v1",
          kind: "Namespace",
          metadata: { name: NAMESPACE },
        });
        await using server = await startArgoServer(api, { authMode: "server" });
        await keep(benchOf(server.address, api));
      } finally {
        api.close();
      }
    },
  });
}
