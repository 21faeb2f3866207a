/**
 * Runs the contract of the service on the implementation over a cluster: over the embedded API in this process, over
 * the same API behind HTTP, and over a real cluster if KUBECONFIG_TEST names its kubeconfig.
 */
import type { Pod, Workflow } from "@tiphys/model/api";
import { CONTAINER, LABEL } from "@tiphys/base/constants";
import { httpTransport, KubeClient, NAMESPACES, PODS, WORKFLOWS } from "@tiphys/kube";
import { connectTransport } from "@tiphys/kube/connections";
import { type ApiServer, createApiServer } from "../../local/api/mod.ts";
import { ClusterService } from "./mod.ts";
import { type Bench, PROMISES } from "./testing/contract.ts";

/** A cluster, and a function that creates fake pods if that is possible. */
interface Cluster {
  readonly client: KubeClient;
  readonly api?: ApiServer;
  close(): Promise<void>;
}

const realKubeconfig = Deno.env.get("KUBECONFIG_TEST");

const CLUSTERS: Readonly<Record<string, () => Promise<Cluster>>> = {
  "in process": () => {
    const api = createApiServer({ storePath: ":memory:" });
    return Promise.resolve({ client: api.client(), api, close: () => Promise.resolve(api.close()) });
  },
  "over HTTP": async () => {
    const api = createApiServer({ storePath: ":memory:" });
    const { url, token, close } = await api.serve();
    const credentials = () => Promise.resolve({ headers: { authorization: `Bearer ${token}` } });
    const client = new KubeClient(httpTransport({ server: url, credentials }));
    return {
      client,
      api,
      async close() {
        client.close();
        await close();
        api.close();
      },
    };
  },
  ...(realKubeconfig && {
    "of a real cluster": async () => {
      const client = new KubeClient(await connectTransport({ kubeconfig: realKubeconfig }));
      return { client, close: () => Promise.resolve(client.close()) };
    },
  }),
};

function benchOf({ client, api }: Cluster, namespace: string): Bench {
  const written = new Map<string, readonly string[]>();
  api?.useKubelet({
    logs: (_namespace, pod, _container, options) => {
      const lines = (written.get(pod) ?? []).slice(-(options.tailLines ?? Infinity));
      const shown = options.timestamps ? lines : lines.map((line) => line.slice(line.indexOf(" ") + 1));
      return ReadableStream.from([new TextEncoder().encode(shown.map((line) => `${line}\n`).join(""))]);
    },
    exec: () => Promise.reject(new Error("nothing runs")),
  });
  const pod = async (workflow: string, name: string, lines: readonly string[]) => {
    written.set(name, lines);
    await client.create<Pod>(PODS, namespace, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace, labels: { [LABEL.workflow]: workflow } },
      spec: { containers: [{ name: CONTAINER.main, image: "busybox" }], nodeName: "here" },
    });
    const containerStatuses = [{ name: CONTAINER.main, state: { terminated: { exitCode: 0 } } }];
    const status = { phase: "Succeeded", containerStatuses };
    await client.patch(PODS, namespace, name, { status }, "merge", { subresource: "status" });
  };
  return {
    service: new ClusterService(client),
    namespace,
    put: async (workflow) => void await client.create<Workflow>(WORKFLOWS, namespace, workflow),
    setStatus: async (name, status) => void await client.patch(WORKFLOWS, namespace, name, { status }),
    ...(api && { pod }),
  };
}

for (const [where, open] of Object.entries(CLUSTERS)) {
  for (const { title, needsPods, keep } of PROMISES) {
    const ignore = needsPods && where === "of a real cluster";
    Deno.test({ name: `the service over a cluster, ${where}: ${title}`, ignore: ignore === true }, async () => {
      const cluster = await open();
      const namespace = `service-${crypto.randomUUID().slice(0, 8)}`;
      try {
        const metadata = { name: namespace };
        await cluster.client.create(NAMESPACES, undefined, { apiVersion: "v1", kind: "Namespace", metadata });
        await keep(benchOf(cluster, namespace));
      } finally {
        await cluster.client.delete(NAMESPACES, undefined, namespace);
        await cluster.close();
      }
    });
  }
}
