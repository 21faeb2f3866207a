import { assertEquals } from "@std/assert";
import type { ConfigMap, Pod, Workflow } from "@tiphys/model/api";
import { API_VERSION } from "@tiphys/base/constants";
import { CONFIGMAPS, KubeClient, PODS, WORKFLOWS } from "@tiphys/kube";
import { createApiServer } from "../../../local/api/mod.ts";
import type { Refusal } from "@tiphys/engine";
import { createPod } from "./create_pod.ts";
import { ActionOutcomes } from "./outcomes.ts";
import type { ActionContext } from "./action_context.ts";

function podOf(owner?: Workflow): Pod {
  const { name, uid } = owner?.metadata ?? {};
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "p",
      namespace: "default",
      ...(owner ? { ownerReferences: [{ apiVersion: API_VERSION, kind: "Workflow", name: name!, uid: uid! }] } : {}),
    },
    spec: { containers: [{ name: "main", image: "busybox" }] },
  };
}

/** Requests a pod whose name is taken, and returns the outcome. */
async function meet(whose: "own" | "earlier" | "nobody"): Promise<{ nameCollisions: number; refusal?: Refusal }> {
  const api = createApiServer({ storePath: ":memory:" });
  const client = new KubeClient(api.client().transport);
  const workflow = (name: string) =>
    client.create<Workflow>(WORKFLOWS, "default", {
      apiVersion: API_VERSION,
      kind: "Workflow",
      metadata: { name },
      spec: {},
    });
  const [own, earlier] = [await workflow("own"), await workflow("earlier")];
  await client.create(PODS, "default", podOf({ own, earlier, nobody: undefined }[whose]));
  let taken = 0;
  const ledger = { recordPodRequest: () => () => false, recordPodWrite: () => taken++ };
  const podRate = { mayCreate: () => Promise.resolve(true) };
  const context = { client, ledger, podRate } as unknown as ActionContext;
  const outcomes = new ActionOutcomes();
  await createPod(context, own, outcomes, { kind: "createPod", nodeId: "node", pod: podOf(own) });
  api.close();
  return { nameCollisions: taken, refusal: outcomes.refusals.get("node") };
}

Deno.test("createPod(): an existing pod of the same workflow counts as created (IL-49)", async () => {
  assertEquals(await meet("own"), { nameCollisions: 1, refusal: undefined });
});

Deno.test("createPod(): waits until a pod of an earlier workflow of the same name is gone", async () => {
  const message = 'pod "p" of an earlier workflow has not been deleted yet';
  assertEquals(await meet("earlier"), { nameCollisions: 0, refusal: { message, transient: true } });
});

Deno.test("createPod(): fails permanently if the name is taken by another owner", async () => {
  assertEquals(await meet("nobody"), {
    nameCollisions: 0,
    refusal: { message: 'pods "p" already exists', transient: false },
  });
});

/** Requests a pod whose ConfigMap already exists; returns the writes to the ConfigMap and its data afterwards. */
async function meetConfigMap(
  there: ConfigMap["data"],
  requestedData: ConfigMap["data"],
): Promise<[number, ConfigMap["data"]]> {
  const api = createApiServer({ storePath: ":memory:" });
  let patches = 0;
  const { transport } = api.client();
  const client = new KubeClient({
    fetch: (path, init) => {
      if (init?.method === "PATCH") patches++;
      return transport.fetch(path, init);
    },
    webSocket: (path, protocols) => transport.webSocket(path, protocols),
    close: () => {},
  });
  const own = await client.create<Workflow>(WORKFLOWS, "default", {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name: "own" },
    spec: {},
  });
  const { spec: _, ...pod } = podOf(own);
  const configMap = (data: ConfigMap["data"]): ConfigMap => ({ ...pod, kind: "ConfigMap", ...(data ? { data } : {}) });
  await client.create(CONFIGMAPS, "default", configMap(there));
  const ledger = { recordPodRequest: () => () => false, recordPodWrite: () => {} };
  const podRate = { mayCreate: () => Promise.resolve(true) };
  const context = { client, ledger, podRate } as unknown as ActionContext;
  const action = { kind: "createPod", nodeId: "node", pod: podOf(own), configMap: configMap(requestedData) } as const;
  await createPod(context, own, new ActionOutcomes(), action);
  const { data } = await client.get<ConfigMap>(CONFIGMAPS, "default", "p");
  api.close();
  return [patches, data];
}

Deno.test("createPod(): writes an existing ConfigMap of the workflow only if its data differs", async () => {
  assertEquals(await meetConfigMap(undefined, undefined), [0, undefined]);
  assertEquals(await meetConfigMap({ a: "1" }, { a: "1" }), [0, { a: "1" }]);
  assertEquals(await meetConfigMap({ a: "1", b: "2" }, { a: "3" }), [1, { a: "3" }]);
});
