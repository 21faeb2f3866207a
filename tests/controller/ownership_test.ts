/** Claims and pods are changed only if they were created for the workflow, whatever its status contains. */
import { assertEquals } from "@std/assert";
import { ANNOTATION, API_VERSION, LABEL } from "@tiphys/base/constants";
import { CONFIGMAPS, type KubeObject, PERSISTENT_VOLUME_CLAIMS, PODS, WORKFLOWS } from "@tiphys/kube";
import { ControllerWorld, sleepingWorkflow } from "./world.ts";

const CLAIM_SPEC = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Mi" } } };

async function makeClaim(world: ControllerWorld, name: string, metadata: object = {}): Promise<KubeObject> {
  return await world.client.create<KubeObject>(PERSISTENT_VOLUME_CLAIMS, "default", {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, ...metadata },
    spec: CLAIM_SPEC,
  });
}

async function claimOwners(world: ControllerWorld): Promise<Record<string, string[]>> {
  const { items } = await world.client.list<KubeObject>(PERSISTENT_VOLUME_CLAIMS, "default");
  return Object.fromEntries(
    items.filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => [
      metadata.name,
      [...metadata.finalizers ?? []].sort(),
    ]),
  );
}

const volume = (name: string, claimName: string) => ({ name, persistentVolumeClaim: { claimName } });

/** A workflow with a status that a user wrote. It finishes soon, whatever its pods do. */
function workflowWithStatus(name: string, status: object, spec: object = {}): object {
  return {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name },
    spec: {
      entrypoint: "main",
      volumeClaimGC: { strategy: "OnWorkflowCompletion" },
      templates: [{ name: "main", container: { image: "busybox", command: ["true"] } }],
      ...spec,
    },
    status,
  };
}

Deno.test("claim: a claim that a status names is deleted only if it was created for that workflow", async () => {
  await using world = new ControllerWorld();
  const foreign = { finalizers: ["example.com/keep", "kubernetes.io/pvc-protection"] };
  const byOther = {
    ...foreign,
    labels: { [LABEL.workflow]: "thief" },
    ownerReferences: [{ apiVersion: API_VERSION, kind: "Workflow", name: "thief", uid: "an-earlier-one" }],
  };
  await makeClaim(world, "others", foreign);
  await makeClaim(world, "thief-others", foreign);
  await makeClaim(world, "thief-earlier", byOther);
  const before = await claimOwners(world);
  const volumes = ["others", "thief-others", "thief-earlier", "thief-none"].map((name) => volume(name, name));
  const ended = { phase: "Succeeded", startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:01Z" };
  await world.startController();
  const status = { ...ended, persistentVolumeClaims: [...volumes, { name: "x", hostPath: { path: "/" } }] };
  await world.client.create(WORKFLOWS, "default", workflowWithStatus("thief", status));
  await world.waitUntil("the controller has read them", async () => {
    return (await world.workflow("thief")).status?.persistentVolumeClaims === undefined;
  });
  assertEquals(await claimOwners(world), before);
  // Claims in the status of a running workflow are forgotten or left unchanged, too.
  const running = { phase: "Running", startedAt: "2026-01-01T00:00:00Z", persistentVolumeClaims: volumes };
  await world.client.create(WORKFLOWS, "default", workflowWithStatus("runner", running));
  await world.endPod("runner", { main: { exitCode: 1 } });
  await world.awaitEnd("runner");
  assertEquals(await claimOwners(world), before);
});

const WITH_CLAIM = {
  volumeClaimTemplates: [{
    metadata: { name: "work", finalizers: ["example.com/keep"] },
    spec: CLAIM_SPEC,
  }],
  templates: [{
    name: "main",
    container: { image: "busybox", command: ["true"], volumeMounts: [{ name: "work", mountPath: "/work" }] },
  }],
};

for (const [keepsClaimProtection, left] of [[false, []], [true, ["kubernetes.io/pvc-protection"]]] as const) {
  const what = keepsClaimProtection ? "no finalizer" : "only the finalizer of Kubernetes";
  Deno.test(`claim: deletion removes ${what}`, async () => {
    await using world = new ControllerWorld();
    world.configure({ keepsClaimProtection });
    await world.startController();
    await world.client.create(WORKFLOWS, "default", workflowWithStatus("w", {}, WITH_CLAIM));
    await world.startPod("w");
    const own = async () => await world.client.get<KubeObject>(PERSISTENT_VOLUME_CLAIMS, "default", "w-work");
    await world.client.patch(PERSISTENT_VOLUME_CLAIMS, "default", "w-work", {
      metadata: { finalizers: ["example.com/keep", "kubernetes.io/pvc-protection"] },
    });
    await world.endPod("w", { main: { exitCode: 1 } });
    await world.waitUntil("the claim is released", async () => {
      return (await world.workflow("w")).status?.persistentVolumeClaims === undefined &&
        (await own()).metadata.deletionTimestamp !== undefined;
    });
    assertEquals((await own()).metadata.finalizers, ["example.com/keep", ...left]);
  });
}

Deno.test("claim: created although a forged status lists it; a claim of another owner is not mounted", async () => {
  await using world = new ControllerWorld();
  await makeClaim(world, "taken-work");
  await world.startController();
  const forgeries = [[volume("work", "others")], [{ name: "work", hostPath: { path: "/" } }]];
  for (const [index, persistentVolumeClaims] of forgeries.entries()) {
    const status = { phase: "Running", startedAt: "2026-01-01T00:00:00Z", persistentVolumeClaims };
    await world.client.create(WORKFLOWS, "default", workflowWithStatus(`liar-${index}`, status, WITH_CLAIM));
    const { spec } = await world.awaitPod(`liar-${index}`);
    const mounted = spec.volumes?.find(({ name }) => name === "work");
    assertEquals(mounted, volume("work", `liar-${index}-work`));
  }
  const status = { phase: "Running", persistentVolumeClaims: [volume("work", "taken-work")] };
  await world.client.create(WORKFLOWS, "default", workflowWithStatus("taken", status, WITH_CLAIM));
  const { status: end } = await world.awaitEnd("taken");
  assertEquals(end?.message, "pvc create error: taken-work pvc already exists with different ownerreference");
});

/** Pods that do not belong to the workflow, by how they resemble its pods. */
const FOREIGN_PODS: Record<string, { labels?: object; annotations?: object }> = {
  "plain": {},
  "labeled": { labels: { [LABEL.workflow]: "thief" }, annotations: { [ANNOTATION.nodeId]: "thief" } },
  "owned": { labels: { [LABEL.workflow]: "thief" }, annotations: { [ANNOTATION.nodeId]: "thief" } },
};

/** Nodes that a user wrote so that the controller would stop, label, release or delete a pod. */
function nodesTargeting(pod: string, index: number): Record<string, object> {
  const node = (id: string, more: object) => ({
    [id]: {
      id,
      name: pod,
      displayName: pod,
      type: "Pod",
      templateName: "",
      startedAt: "2026-01-01T00:00:00Z",
      ...more,
    },
  });
  return {
    ...node(`thief-${index}1`, { phase: "Running", daemoned: true }),
    ...node(`thief-${index}2`, { phase: "Succeeded", finishedAt: "2026-01-01T00:00:01Z" }),
    ...node(`thief-${index}3`, { phase: "Pending" }),
    ...node(`thief-${index}4`, { phase: "Failed", restartingPodUID: "x" }),
    ...node("thief", { name: "thief", phase: "Succeeded", daemoned: true }),
  };
}

Deno.test("forged nodes: do not make the controller stop, label or delete pods of others", async () => {
  await using world = new ControllerWorld();
  world.configure({ podNameFormat: "v1", podGcDeleteDelaySeconds: 0 });
  const driversWithoutKey = Object.entries(FOREIGN_PODS);
  const { metadata: { uid } } = await world.client.create<KubeObject>(CONFIGMAPS, "default", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "owner" },
  });
  for (const [name, metadata] of driversWithoutKey) {
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid };
    await world.client.create(PODS, "default", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, ...metadata, ...(name === "owned" ? { ownerReferences: [owner] } : {}) },
      spec: { containers: [{ name: "main", image: "busybox" }] },
    });
    await world.startPod(name);
  }
  const state = async () => {
    const { items } = await world.client.list<KubeObject>(PODS, "default", {});
    return items.filter(({ metadata: { name } }) => name! in FOREIGN_PODS || name === "neighbor");
  };
  await world.startController();
  await world.submit(sleepingWorkflow("neighbor"));
  await world.startPod("neighbor");
  const before = await state();
  const names = [...driversWithoutKey.map(([name]) => name), "neighbor"];
  const nodes = Object.assign({}, ...names.map((name, index) => nodesTargeting(name, index)));
  for (const phase of ["Running", "Succeeded"]) {
    const spec = { podGC: { strategy: "OnPodCompletion" }, shutdown: "Terminate" };
    const status = { phase, startedAt: "2026-01-01T00:00:00Z", nodes };
    await world.client.create(WORKFLOWS, "default", workflowWithStatus("thief", status, spec));
    await world.submit(sleepingWorkflow("canary"));
    await world.startPod("canary");
    await world.endPod("canary", { main: { exitCode: 1 } });
    await world.awaitEnd("canary");
    await world.client.delete(WORKFLOWS, "default", "canary");
    await world.client.delete(WORKFLOWS, "default", "thief");
    await world.awaitPodDeletion("canary");
  }
  assertEquals([await state(), world.execs], [before, []]);
});

Deno.test("ConfigMap: an existing ConfigMap with the name of a pod is not used by the pod", async () => {
  await using world = new ControllerWorld();
  await world.client.create(CONFIGMAPS, "default", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "long" },
    data: { "ARGO_TEMPLATE": "{}" },
  });
  const source = "#".repeat(140_000);
  await world.startController();
  await world.client.create(
    WORKFLOWS,
    "default",
    workflowWithStatus("long", {}, {
      templates: [{ name: "main", script: { image: "busybox", command: ["sh"], source } }],
    }),
  );
  const { status } = await world.awaitEnd("long");
  assertEquals(
    status?.message,
    'error in entry template execution: configmaps "long" already exists and does not belong to this pod',
  );
  assertEquals(await world.pod("long"), undefined);
});

Deno.test("ConfigMap: a ConfigMap created in the name of the workflow is overwritten before the pod is created", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const source = "#".repeat(140_000);
  const templates = [{ name: "main", script: { image: "busybox", command: ["sh"], source } }];
  await world.client.create(WORKFLOWS, "default", workflowWithStatus("named", {}, { templates, suspend: true }));
  await world.waitUntil(
    "the workflow is running",
    async () => (await world.workflow("named")).status?.phase === "Running",
  );
  const { metadata: { uid } } = await world.workflow("named");
  await world.client.create(CONFIGMAPS, "default", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "named", ownerReferences: [{ apiVersion: API_VERSION, kind: "Workflow", name: "named", uid }] },
    data: { ARGO_TEMPLATE: "{}", stray: "evil" },
  });
  await world.client.patch(WORKFLOWS, "default", "named", { spec: { suspend: null } });
  await world.awaitPod("named");
  const { data } = await world.client.get<KubeObject & { data: Record<string, string> }>(
    CONFIGMAPS,
    "default",
    "named",
  );
  assertEquals([data.stray, data.ARGO_TEMPLATE?.includes(source)], [undefined, true]);
});

Deno.test("forged phase: a workflow created as Succeeded runs nothing", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.client.create(WORKFLOWS, "default", workflowWithStatus("over", { phase: "Succeeded" }));
  await world.submit(sleepingWorkflow("canary"));
  await world.startPod("canary");
  assertEquals(await world.pod("over"), undefined);
});
