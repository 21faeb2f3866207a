import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  CONFIGMAPS,
  httpTransport,
  KubeClient,
  KubeError,
  type KubeObject,
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  PODS,
  SECRETS,
  SERVICE_ACCOUNTS,
  WORKFLOW_ARTIFACT_GC_TASKS,
  WORKFLOW_TASK_RESULTS,
  WORKFLOWS,
} from "@tiphys/kube";
import { createApiServer, type KubeletHooks } from "../mod.ts";

const kubelet: KubeletHooks = {
  logs: () => ReadableStream.from([new TextEncoder().encode("log")]),
  exec: () => Promise.resolve({ exitCode: 0, stdout: "", stderr: "" }),
};

const spec = { nodeName: "one", containers: [{ name: "main", image: "a" }] };

type Owner = NonNullable<KubeObject["metadata"]["ownerReferences"]>[number];

interface World {
  readonly admin: KubeClient;
  /** The client with the token of the pod `p` of the workflow `own` in the namespace `a`. */
  readonly pod: KubeClient;
  /** The workflow `own`, and another one. */
  readonly own: Owner;
  readonly other: Owner;
  tokenOf(request: unknown): Promise<string>;
  clientOf(token: string): KubeClient;
}

async function withPod(test: (world: World) => Promise<void>): Promise<void> {
  const api = createApiServer({ storePath: ":memory:", kubelet });
  const served = await api.serve();
  const clients: KubeClient[] = [];
  const clientOf = (token: string) => {
    const credentials = () => Promise.resolve({ headers: { authorization: `Bearer ${token}` } });
    clients.push(new KubeClient(httpTransport({ server: served.url, credentials })));
    return clients.at(-1)!;
  };
  const admin = api.client();
  const tokenOf = async (body: unknown) => {
    const path = "/api/v1/namespaces/a/serviceaccounts/default/token";
    return (await admin.request<{ status: { token: string } }>("POST", path, { body: { spec: body } })).status.token;
  };
  try {
    const labels = { "workflows.argoproj.io/workflow": "own" };
    const ownerOf = async (name: string): Promise<Owner> => {
      const { metadata } = await admin.create<KubeObject>(WORKFLOWS, "a", workflow(name));
      return { ...argo("Workflow"), name, uid: metadata.uid! };
    };
    const [own, other] = [await ownerOf("own"), await ownerOf("other")];
    const { metadata } = await admin.create<KubeObject>(PODS, "a", {
      metadata: {
        name: "p",
        labels,
        annotations: { "workflows.argoproj.io/node-id": "own-1" },
        ownerReferences: [own],
      },
      spec,
    });
    const boundObjectRef = { kind: "Pod", name: "p", uid: metadata.uid };
    await test({ admin, own, other, pod: clientOf(await tokenOf({ boundObjectRef })), tokenOf, clientOf });
  } finally {
    for (const client of clients) client.close();
    await served.close();
    api.close();
  }
}

/** The result of a request: 200, or the status code of an error. */
async function codeOf(act: Promise<unknown>): Promise<number> {
  return await act.then(() => 200, (error) => error instanceof KubeError ? error.status : Promise.reject(error));
}

const report = (name: string, workflow: string) => ({
  ...argo("WorkflowTaskResult"),
  metadata: { name, labels: { "workflows.argoproj.io/workflow": workflow } },
});

const map = (name: string, rest: Partial<KubeObject["metadata"]> = {}) => ({ metadata: { name, ...rest } });

const argo = (kind: string) => ({ apiVersion: "argoproj.io/v1alpha1", kind });
const workflow = (name: string) => ({
  ...argo("Workflow"),
  metadata: { name },
  spec: { entrypoint: "a", templates: [{ name: "a", suspend: {} }] },
});

Deno.test("tokens: a pod's token is valid only while that pod exists, and not for another pod of the same name", () =>
  withPod(async ({ admin, pod }) => {
    assertEquals(await codeOf(pod.list(CONFIGMAPS, "a")), 200);
    await admin.delete(PODS, "a", "p", { gracePeriodSeconds: 0 });
    assertEquals(await codeOf(pod.list(CONFIGMAPS, "a")), 401);
    await admin.create(PODS, "a", { metadata: { name: "p" }, spec });
    assertEquals(await codeOf(pod.list(CONFIGMAPS, "a")), 401);
  }));

Deno.test("tokens: a token for other audiences, or for a pod that does not exist, is rejected", () =>
  withPod(async ({ tokenOf, clientOf }) => {
    assertEquals(await codeOf(clientOf(await tokenOf({ audiences: ["vault"] })).list(PODS, "a")), 401);
    const boundObjectRef = { kind: "Pod", name: "p", uid: crypto.randomUUID() };
    assertEquals(await codeOf(clientOf(await tokenOf({ boundObjectRef })).list(PODS, "a")), 401);
    for (const expirationSeconds of ["x", -1, 0, 1e300, null]) {
      const code = await codeOf(tokenOf({ expirationSeconds }));
      assertEquals(code, expirationSeconds === null ? 200 : 400, `${expirationSeconds}`);
    }
  }));

Deno.test("tokens: a service account's token is valid only while that account exists, not for a new account with the same name", () =>
  withPod(async ({ admin, tokenOf, clientOf, pod }) => {
    const client = clientOf(await tokenOf({}));
    const secret = await admin.create<KubeObject & { data: { token: string } }>(SECRETS, "a", {
      type: "kubernetes.io/service-account-token",
      metadata: { generateName: "t-", annotations: { "kubernetes.io/service-account.name": "default" } },
    });
    const kept = clientOf(new TextDecoder().decode(Uint8Array.fromBase64(secret.data.token)));
    const codes = async () =>
      await Promise.all([client, kept, pod].map((kubeClient) => codeOf(kubeClient.list(CONFIGMAPS, "a"))));
    assertEquals(await codes(), [200, 200, 200]);
    await admin.delete(SERVICE_ACCOUNTS, "a", "default");
    assertEquals(await codes(), [401, 401, 401]);
    await admin.create(SERVICE_ACCOUNTS, "a", { metadata: { name: "default" } });
    assertEquals(await codes(), [401, 401, 401]);
    assertEquals(await codeOf(clientOf(await tokenOf({})).list(CONFIGMAPS, "a")), 200);
  }));

Deno.test("tokens: a Secret's token is valid only while the Secret exists", () =>
  withPod(async ({ admin, clientOf }) => {
    const secret = await admin.create<KubeObject & { data: { token: string } }>(SECRETS, "a", {
      type: "kubernetes.io/service-account-token",
      metadata: { generateName: "t-", annotations: { "kubernetes.io/service-account.name": "default" } },
    });
    const client = clientOf(new TextDecoder().decode(Uint8Array.fromBase64(secret.data.token)));
    assertEquals(await codeOf(client.list(PODS, "b")), 200);
    await admin.delete(SECRETS, "a", secret.metadata.name!);
    assertEquals(await codeOf(client.list(PODS, "b")), 401);
  }));

Deno.test("pods: may read and write in their own namespace, as resource templates do", () =>
  withPod(async ({ pod, own }) => {
    const made = { metadata: { name: "made", ownerReferences: [own] } };
    const acts: (() => Promise<unknown>)[] = [
      () => pod.create(CONFIGMAPS, "a", made),
      () => pod.create(WORKFLOWS, "a", workflow("child")),
      () => pod.create(PODS, "a", { metadata: { name: "helper", ownerReferences: [own] }, spec }),
      () => pod.create(PERSISTENT_VOLUME_CLAIMS, "a", map("claim")),
      () => pod.create(WORKFLOW_TASK_RESULTS, "a", report("own-1", "own")),
      () => pod.patch(CONFIGMAPS, "a", "made", { data: { a: "b" } }, "merge"),
      () => pod.get(WORKFLOWS, "a", "child"),
      () => pod.patch(PODS, "a", "p", { metadata: { annotations: { foo: "bar" } } }, "strategic"),
      () => pod.patch(WORKFLOWS, "a", "child", { spec: { suspend: true } }, "merge"),
      () => pod.list(NODES, undefined),
      () => pod.delete(PODS, "a", "helper", { gracePeriodSeconds: 0 }),
      () => pod.delete(CONFIGMAPS, "a", "made"),
      () => pod.delete(WORKFLOWS, "a", "child"),
    ];
    for (const act of acts) assertEquals(await codeOf(act()), 200, `${act}`);
  }));

Deno.test("pods: have no rights in other namespaces, nor to act as another pod", () =>
  withPod(async ({ admin, pod, other }) => {
    const others = [other];
    await admin.create(PERSISTENT_VOLUME_CLAIMS, "a", map("theirs", { ownerReferences: others }));
    await admin.create(CONFIGMAPS, "b", map("c"));
    await admin.create(WORKFLOWS, "a", workflow("w"));
    const labels = { "workflows.argoproj.io/workflow": "other" };
    await admin.create(PODS, "a", { metadata: { name: "q", labels, ownerReferences: others }, spec });
    const account = { "kubernetes.io/service-account.name": "default" };
    const token = { type: "kubernetes.io/service-account-token", metadata: { name: "t", annotations: account } };
    const acts: Record<string, () => Promise<unknown>> = {
      "read another namespace": () => pod.get(CONFIGMAPS, "b", "c"),
      "list another namespace": () => pod.list(CONFIGMAPS, "b"),
      "list all namespaces": () => pod.list(SECRETS, undefined),
      "create a namespace": () => pod.create(CONFIGMAPS, "c", map("c")),
      "create an object without a namespace": () => pod.create(NODES, undefined, map("n")),
      "run a command in a pod": () => pod.exec("a", "p", "main", ["true"]).then(({ exitCode }) => exitCode),
      "request a token": () => pod.request("POST", "/api/v1/namespaces/a/serviceaccounts/default/token", { body: {} }),
      "create a Secret with a token": () => pod.create(SECRETS, "a", token),
      "write the status of a pod": () =>
        pod.patch(PODS, "a", "p", { status: { phase: "Succeeded" } }, "merge", { subresource: "status" }),
      "change a workflow's pod": () => pod.patch(PODS, "a", "p", { metadata: { labels: { a: "b" } } }, "merge"),
      "remove the finalizers of a pod": () =>
        pod.patch(PODS, "a", "p", { metadata: { finalizers: ["a.b/c"], annotations: { a: "b" } } }, "merge"),
      "annotate another pod": () => pod.patch(PODS, "a", "q", { metadata: { annotations: { a: "b" } } }, "merge"),
      "delete a workflow's pod": () => pod.delete(PODS, "a", "p"),
      "evict a pod": () => pod.request("POST", "/api/v1/namespaces/a/pods/p/eviction", { body: {} }),
      "delete all pods": () => pod.request("DELETE", "/api/v1/namespaces/a/pods"),
      "create a pod of a workflow": () => pod.create(PODS, "a", { metadata: { name: "x", labels }, spec }),
      "apply a pod of a workflow": () =>
        pod.patch(PODS, "a", "x", { apiVersion: "v1", kind: "Pod", metadata: { name: "x", labels }, spec }, "apply", {
          fieldManager: "me",
        }),
      "create an object of another workflow": () => pod.create(CONFIGMAPS, "a", map("x", { ownerReferences: others })),
      "delete an object of another workflow": () => pod.delete(PERSISTENT_VOLUME_CLAIMS, "a", "theirs"),
      "delete all claims": () => pod.request("DELETE", "/api/v1/namespaces/a/persistentvolumeclaims"),
      "take over an object of another workflow": () =>
        pod.patch(PERSISTENT_VOLUME_CLAIMS, "a", "theirs", { metadata: { ownerReferences: null } }, "merge"),
      "write the status of a workflow": () =>
        pod.patch(WORKFLOWS, "a", "w", { status: { phase: "Succeeded" } }, "merge"),
    };
    for (const [what, act] of Object.entries(acts)) {
      assertEquals(await codeOf(act()).catch((error) => `${error}`), 403, what);
    }
    assertEquals(await codeOf(admin.get(PERSISTENT_VOLUME_CLAIMS, "a", "theirs")), 200);
  }));

Deno.test("pods: a refusal has the message of Kubernetes, and access reviews agree with it", () =>
  withPod(async ({ pod, admin }) => {
    const error = await assertRejects(() => pod.get(CONFIGMAPS, "b", "c"), KubeError);
    assertStringIncludes(
      error.message,
      'configmaps "c" is forbidden: User "system:serviceaccount:a:default" cannot get resource "configmaps" in API group "" ' +
        'in the namespace "b"',
    );
    const mayI = async (client: KubeClient, resourceAttributes: Record<string, string>) => {
      const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
      const { status } = await client.request<{ status: { allowed: boolean } }>("POST", path, {
        body: { spec: { resourceAttributes } },
      });
      return status.allowed;
    };
    assertEquals(await mayI(pod, { verb: "get", resource: "configmaps", namespace: "a" }), true);
    assertEquals(await mayI(pod, { verb: "get", resource: "configmaps", namespace: "b" }), false);
    assertEquals(await mayI(pod, { verb: "create", resource: "pods", subresource: "exec", namespace: "a" }), false);
    assertEquals(await mayI(admin, { verb: "create", resource: "pods", subresource: "exec", namespace: "a" }), true);
  }));

Deno.test("pods: may only report about their own node, regardless of the report's name and labels", () =>
  withPod(async ({ admin, pod, own }) => {
    const reports: [string, string][] = [["other-1", "other"], ["own-2", "own"], ["own-1", "other"], ["own", "own"]];
    for (const [name, workflow] of reports) {
      assertEquals(await codeOf(pod.create(WORKFLOW_TASK_RESULTS, "a", report(name, workflow))), 403, name);
    }
    await admin.create(WORKFLOW_TASK_RESULTS, "a", report("other-1", "other"));
    const forged = { phase: "Succeeded", metadata: { ownerReferences: [own] } };
    assertEquals(await codeOf(pod.patch(WORKFLOW_TASK_RESULTS, "a", "other-1", forged, "merge")), 403);
    assertEquals(await codeOf(pod.delete(WORKFLOW_TASK_RESULTS, "a", "other-1")), 403);
    await pod.create(WORKFLOW_TASK_RESULTS, "a", report("own-1", "own"));
    const renamed = { metadata: { annotations: { "workflows.argoproj.io/node-id": "own-2" } } };
    assertEquals(await codeOf(pod.patch(PODS, "a", "p", renamed, "merge")), 403);
    const moved = { metadata: { labels: { "workflows.argoproj.io/workflow": "other" } } };
    assertEquals(await codeOf(pod.patch(WORKFLOW_TASK_RESULTS, "a", "own-1", moved, "merge")), 403);
    assertEquals(await codeOf(pod.patch(WORKFLOW_TASK_RESULTS, "a", "own-1", { phase: "Succeeded" }, "merge")), 200);
  }));

Deno.test("pods: may report on their own artifact deletion tasks, and may not change what is deleted", () =>
  withPod(async ({ admin, own, pod, tokenOf, clientOf }) => {
    const task = (name: string) => ({
      ...argo("WorkflowArtifactGCTask"),
      metadata: { name, ownerReferences: [own] },
      spec: { artifactsByNode: {} },
    });
    const { metadata } = await admin.create(WORKFLOW_ARTIFACT_GC_TASKS, "a", task("its"));
    await admin.create(WORKFLOW_ARTIFACT_GC_TASKS, "a", task("another"));
    const owner = { ...argo("WorkflowArtifactGCTask"), name: "its", uid: metadata.uid! };
    const made = await admin.create(PODS, "a", { metadata: { name: "collector", ownerReferences: [owner] }, spec });
    const boundObjectRef = { kind: "Pod", name: "collector", uid: made.metadata.uid };
    const collector = clientOf(await tokenOf({ boundObjectRef }));
    const tell = (client: typeof pod, name: string) =>
      client.patch(
        WORKFLOW_ARTIFACT_GC_TASKS,
        "a",
        name,
        { status: { artifactResultsByNode: { [crypto.randomUUID()]: {} } } },
        "merge",
        {
          subresource: "status",
        },
      );
    assertEquals(await codeOf(collector.list(WORKFLOW_ARTIFACT_GC_TASKS, "a")), 200);
    assertEquals(await codeOf(tell(collector, "its")), 200);
    assertEquals(await codeOf(tell(collector, "another")), 403);
    assertEquals(await codeOf(tell(pod, "its")), 403);
    const spec2 = { spec: { artifactsByNode: { n: {} } } };
    assertEquals(await codeOf(collector.patch(WORKFLOW_ARTIFACT_GC_TASKS, "a", "its", spec2, "merge")), 403);
    assertEquals(await codeOf(pod.create(WORKFLOW_ARTIFACT_GC_TASKS, "a", task("made"))), 403);
    assertEquals(await codeOf(pod.delete(WORKFLOW_ARTIFACT_GC_TASKS, "a", "its")), 403);
  }));
