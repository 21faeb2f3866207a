/**
 * Artifact garbage collection: the controller over a real API; the test acts as the kubelet and as `argoexec artifact
 * delete`.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Pod, Workflow, WorkflowArtifactGCTask, WorkflowTaskResult } from "@tiphys/model/api";
import { ANNOTATION, API_VERSION, FINALIZER, LABEL } from "@tiphys/base/constants";
import { classifyError, PODS, WORKFLOW_ARTIFACT_GC_TASKS, WORKFLOW_TASK_RESULTS, WORKFLOWS } from "@tiphys/kube";
import { sealReport } from "../../simulate/testing/seal_report.ts";
import { ControllerWorld, nodeIdOf, type SentRequest, sleepingWorkflow } from "./world.ts";

type Strategy = "OnWorkflowCompletion" | "OnWorkflowDeletion" | "Never";

const HASH = "2166136261";

/** A workflow whose only pod has output artifacts. */
function workflowWithArtifacts(name: string, artifacts: Record<string, Strategy>, gc = "{strategy: Never}"): string {
  const outputs = Object.entries(artifacts).map(([artifact, strategy]) =>
    `{name: ${artifact}, path: /tmp/${artifact}, s3: {key: ${artifact}}, artifactGC: {strategy: ${strategy}}}`
  );
  return `
metadata: {name: ${name}}
spec:
  entrypoint: main
  artifactGC: ${gc}
  templates:
  - name: main
    container: {image: busybox, command: [sh]}
    outputs: {artifacts: [${outputs.join(", ")}]}
`;
}

/** Lets the executor of the workflow's pod report the artifacts that it saved, and ends the pod. */
async function saveArtifacts(world: ControllerWorld, name: string, artifacts: Record<string, Strategy>): Promise<void> {
  const pod = await world.startPod(name);
  const id = pod.metadata.labels?.[LABEL.instanceId];
  const labels = {
    [LABEL.workflow]: name,
    [LABEL.reportOutputsCompleted]: "true",
    ...(id ? { [LABEL.instanceId]: id } : {}),
  };
  const saved = Object.entries(artifacts).map(([artifact, strategy]) => ({
    name: artifact,
    path: `/tmp/${artifact}`,
    s3: { key: artifact },
    artifactGC: { strategy },
  }));
  const report: WorkflowTaskResult = sealReport(pod, {
    apiVersion: API_VERSION,
    kind: "WorkflowTaskResult",
    metadata: { name: nodeIdOf(pod), labels },
    outputs: { artifacts: saved },
  });
  await world.client.create(WORKFLOW_TASK_RESULTS, "default", report);
  await world.endPod(name);
}

async function tasksOf(world: ControllerWorld): Promise<WorkflowArtifactGCTask[]> {
  return (await world.client.list<WorkflowArtifactGCTask>(WORKFLOW_ARTIFACT_GC_TASKS, "default")).items;
}

/** Lets the pod delete the artifacts of its tasks, except those in `errors`, and ends it. */
async function collectArtifacts(
  world: ControllerWorld,
  podName: string,
  errors: Record<string, string> = {},
): Promise<void> {
  const pod = await world.startPod(podName);
  for (const { metadata, spec } of await tasksOf(world)) {
    if (!pod.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid)) continue;
    const artifactResultsByNode = Object.fromEntries(
      Object.entries(spec.artifactsByNode ?? {}).map(([node, { artifacts = {} }]) => [node, {
        artifactResults: Object.fromEntries(
          Object.keys(artifacts).map((name) => [name, { name, success: !(name in errors), error: errors[name] }]),
        ),
      }]),
    );
    await world.client.patch(
      WORKFLOW_ARTIFACT_GC_TASKS,
      "default",
      metadata.name!,
      {
        status: { artifactResultsByNode },
      },
      "merge",
      { subresource: "status" },
    );
  }
  await world.endPod(podName);
}

async function isGone(world: ControllerWorld, name: string): Promise<boolean> {
  try {
    await world.workflow(name);
    return false;
  } catch (error) {
    if (classifyError(error) === "notFound") return true;
    throw error;
  }
}

function isDeleted({ status }: Workflow, artifact: string): boolean {
  const nodes = Object.values(status?.nodes ?? {});
  return nodes.some(({ outputs }) => outputs?.artifacts?.some(({ name, deleted }) => name === artifact && deleted));
}

function conditionOf({ status }: Workflow): string | undefined {
  return status?.conditions?.find(({ type }) => type === "ArtifactGCError")?.message;
}

const MIXED = { early: "OnWorkflowCompletion", late: "OnWorkflowDeletion", kept: "Never" } as const;

for (const isSlow of [false, true]) {
  Deno.test(`garbage: artifacts are deleted when they are due, and their workflow after them${isSlow ? ", in the slow lane" : ""} (AR-140)`, async () => {
    await using world = new ControllerWorld();
    await world.startController({ isSlow: () => isSlow });
    await world.submit(workflowWithArtifacts("w", MIXED));
    await saveArtifacts(world, "w", MIXED);
    assertEquals((await world.workflow("w")).metadata.finalizers, [FINALIZER.artifactGc]);
    await world.awaitEnd("w");
    await collectArtifacts(world, `w-artgc-wfcomp-${HASH}`);
    await world.waitUntil("the first is gone", async () => isDeleted(await world.workflow("w"), "early"));
    await world.waitUntil("its task is gone", async () => (await tasksOf(world)).length === 0);
    await world.awaitPodDeletion(`w-artgc-wfcomp-${HASH}`);
    await world.client.delete(WORKFLOWS, "default", "w");
    await collectArtifacts(world, `w-artgc-wfdel-${HASH}`);
    await world.waitUntil("the workflow is gone", () => isGone(world, "w"));
    await world.waitUntil("its tasks are gone", async () => (await tasksOf(world)).length === 0);
  });
}

Deno.test("garbage: the task and the pod equal Argo's, except for the image and the form of the pod (AR-142)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const gc = "{strategy: Never, serviceAccountName: cleaner, podMetadata: {labels: {team: a}}}";
  await world.submit(workflowWithArtifacts("w", { early: "OnWorkflowCompletion" }, gc));
  await saveArtifacts(world, "w", { early: "OnWorkflowCompletion" });
  const pods = async () =>
    (await world.client.list<Pod>(PODS, "default", { labelSelector: `${LABEL.component}=artifact-gc` })).items;
  await world.waitUntil("the pod is made", async () => (await pods()).length === 1);
  const [pod] = await pods();
  const [task] = await tasksOf(world);
  assertMatch(pod!.metadata.name!, /^w-artgc-wfcomp-\d+$/);
  assertEquals(task!.metadata.name, `${pod!.metadata.name}-0`);
  const node = Object.values(task!.spec.artifactsByNode!)[0]!;
  assertEquals(Object.keys(task!.spec.artifactsByNode!), ["w"]);
  assertEquals(node.artifacts!.early!.s3, { key: "early" });
  assertEquals(task!.metadata.ownerReferences?.map(({ kind, name }) => [kind, name]), [["Workflow", "w"]]);
  assertEquals(pod!.metadata.ownerReferences?.map(({ kind, name }) => [kind, name]), [
    ["WorkflowArtifactGCTask", task!.metadata.name],
  ]);
  const main = pod!.spec.containers[0]!;
  const env = main.env?.find(({ name }) => name === "ARGO_ARTIFACT_POD_NAME")?.value;
  assertEquals(task!.metadata.labels, { "workflows.argoproj.io/artifact-gc-pod": env! });
  assertEquals(main.command?.slice(0, 3), ["argoexec", "artifact", "delete"]);
  assertEquals([pod!.spec.serviceAccountName, pod!.spec.restartPolicy, pod!.metadata.labels?.team], [
    "cleaner",
    "Never",
    "a",
  ]);
  assertEquals(pod!.metadata.finalizers, undefined);
  assertEquals(pod!.metadata.annotations?.["workflows.argoproj.io/artifact-gc-strategy"], "OnWorkflowCompletion");
});

Deno.test("garbage: a pod that an admission webhook refuses is requested again until it is admitted (AR-143)", async () => {
  await using world = new ControllerWorld();
  let refusals = 0;
  world.between = async ({ method, path, body }, next) => {
    const isCollector = method === "POST" && path.includes("/pods") &&
      (body as Pod).metadata.labels?.[LABEL.component] === "artifact-gc";
    if (!isCollector || refusals >= 3) return await next();
    refusals++;
    const message = 'admission webhook "no.gc" denied the request';
    return Response.json({ kind: "Status", status: "Failure", message, reason: "Forbidden", code: 403 }, {
      status: 403,
    });
  };
  await world.startController();
  await world.submit(workflowWithArtifacts("w", { early: "OnWorkflowCompletion" }));
  await saveArtifacts(world, "w", { early: "OnWorkflowCompletion" });
  await world.waitUntil(
    "the condition names the reason",
    async () => conditionOf(await world.workflow("w")) !== undefined,
  );
  assertMatch(conditionOf(await world.workflow("w"))!, /could not be created: .*denied the request/);
  assertEquals((await world.workflow("w")).status?.artifactGCStatus?.strategiesProcessed, undefined);
  await collectArtifacts(world, `w-artgc-wfcomp-${HASH}`);
  await world.waitUntil(
    "the finalizer is removed",
    async () => !(await world.workflow("w")).metadata.finalizers?.length,
  );
  assertEquals(refusals, 3);
});

Deno.test("garbage: an artifact that cannot be deleted keeps its workflow; a forced removal still waits for every pod (AR-144)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const two = { a: "OnWorkflowCompletion", b: "OnWorkflowDeletion" } as const;
  await world.submit(workflowWithArtifacts("w", two, "{strategy: Never, forceFinalizerRemoval: true}"));
  await saveArtifacts(world, "w", two);
  await collectArtifacts(world, `w-artgc-wfcomp-${HASH}`, { a: "key 'k' of the secret 's' is not there" });
  await world.waitUntil(
    "the condition names the reason",
    async () => conditionOf(await world.workflow("w")) !== undefined,
  );
  assertEquals(
    conditionOf(await world.workflow("w")),
    `key 'k' of the secret 's' is not there (artifactGCTask: w-artgc-wfcomp-${HASH}-0)`,
  );
  await world.waitUntil("the event is recorded", async () => (await world.events("ArtifactGCFailed")).length === 1);
  assertEquals((await world.workflow("w")).metadata.finalizers, [FINALIZER.artifactGc]);
  await world.client.delete(WORKFLOWS, "default", "w");
  const pod = await world.startPod(`w-artgc-wfdel-${HASH}`);
  assert(!await isGone(world, "w"));
  const task = (await tasksOf(world)).find(({ metadata }) => metadata.name === `${pod.metadata.name}-0`);
  assertEquals(Object.keys(task!.spec.artifactsByNode!.w!.artifacts!), ["a", "b"]);
  await collectArtifacts(world, pod.metadata.name!, { a: "still not", b: "denied" });
  await world.waitUntil("the workflow is gone", () => isGone(world, "w"));
});

for (const instanceId of [undefined, "blue"]) {
  Deno.test(`garbage: a pod that Argo's controller started is waited for after a takeover${instanceId ? ", with an instance ID" : ""}`, async () => {
    await using world = new ControllerWorld();
    if (instanceId) world.configure({}, { instanceId });
    await world.startController(instanceId ? { instanceId } : {});
    const artifacts = { a: "OnWorkflowCompletion" } as const;
    const label = instanceId ? `labels: {${LABEL.instanceId}: ${instanceId}}, name: w` : "name: w";
    await world.submit(workflowWithArtifacts("w", artifacts).replace("name: w", label));
    await saveArtifacts(world, "w", artifacts);
    await world.awaitEnd("w");
    const name = `w-artgc-wfcomp-${HASH}`;
    const ours = await world.awaitPod(name);
    await world.stopController();
    await replaceByArgos(world, ours);
    const status = { artifactGCStatus: { strategiesProcessed: { OnWorkflowCompletion: true } } };
    await world.client.patch(WORKFLOWS, "default", "w", { status }, "merge");
    await world.startController(instanceId ? { instanceId } : {});
    await collectArtifacts(world, name);
    await world.waitUntil(
      "the finalizer is removed",
      async () => !(await world.workflow("w")).metadata.finalizers?.length,
    );
    assert(isDeleted(await world.workflow("w"), "a"));
    assertEquals((await world.workflow("w")).status?.artifactGCStatus?.podsRecouped, { [name]: true });
  });
}

/** Replaces the tasks and the pod by those of Argo's controller: without annotations, and without its instance ID. */
async function replaceByArgos(world: ControllerWorld, pod: Pod): Promise<void> {
  const argosMetadata = ({ name, namespace, labels = {}, ownerReferences = [] }: Pod["metadata"]) => {
    const { [LABEL.instanceId]: _, ...rest } = labels;
    return { name, namespace, labels: rest, ownerReferences };
  };
  const [task] = await tasksOf(world);
  await world.client.delete(PODS, "default", pod.metadata.name!, { gracePeriodSeconds: 0 });
  await world.client.delete(WORKFLOW_ARTIFACT_GC_TASKS, "default", task!.metadata.name!);
  const { apiVersion, kind, spec } = task!;
  const made = await world.client.create(WORKFLOW_ARTIFACT_GC_TASKS, "default", {
    apiVersion,
    kind,
    metadata: argosMetadata(task!.metadata),
    spec,
  });
  const [owner] = pod.metadata.ownerReferences!;
  await world.client.create(PODS, "default", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...argosMetadata(pod.metadata), ownerReferences: [{ ...owner!, uid: made.metadata.uid! }] },
    spec: pod.spec,
  });
}

Deno.test("garbage: the status has artifactGCStatus from the first write on, and a retry empties it", async () => {
  await using world = new ControllerWorld();
  const written: unknown[] = [];
  world.between = async ({ method, path, body }, next) => {
    if (method === "PATCH" && path.includes("/workflows/w")) {
      written.push((body as { status?: { artifactGCStatus?: unknown } }).status?.artifactGCStatus);
    }
    return await next();
  };
  await world.startController();
  await world.submit(workflowWithArtifacts("w", { late: "OnWorkflowDeletion" }));
  await world.startPod("w");
  assertEquals(written[0], {});
  assertEquals((await world.workflow("w")).status?.artifactGCStatus, {});
});

for (const failure of ["fails", "cannot be created"]) {
  Deno.test(`garbage: with forceFinalizerRemoval, a collector that ${failure} is not retried, and the workflow is deleted`, async () => {
    await using world = new ControllerWorld();
    const collectors = new Set<string>();
    const letGo: (NonNullable<Workflow["status"]>["artifactGCStatus"])[] = [];
    world.between = async ({ method, path, body }, next) => {
      const { metadata, status } = (body ?? {}) as Partial<Workflow>;
      if (method === "POST" && path.endsWith("/pods") && metadata?.name?.includes("artgc")) {
        collectors.add(metadata.name);
        if (failure === "cannot be created") {
          const refusal = { kind: "Status", status: "Failure", message: "denied", reason: "Forbidden", code: 403 };
          return Response.json(refusal, { status: 403 });
        }
      }
      if (method === "PATCH" && path.includes("/workflows/w") && metadata?.finalizers !== undefined) {
        letGo.push(status?.artifactGCStatus);
      }
      return await next();
    };
    await world.startController();
    const gc = "{strategy: OnWorkflowCompletion, forceFinalizerRemoval: true}";
    await world.submit(workflowWithArtifacts("w", { a: "OnWorkflowCompletion" }, gc));
    await saveArtifacts(world, "w", { a: "OnWorkflowCompletion" });
    const name = `w-artgc-wfcomp-${HASH}`;
    if (failure === "fails") {
      await world.startPod(name);
      await world.endPod(name, { main: { exitCode: 1 } });
    }
    await world.waitUntil(
      "the finalizer is removed",
      async () => !(await world.workflow("w")).metadata.finalizers?.length,
    );
    const { status } = await world.workflow("w");
    assertEquals(status?.artifactGCStatus?.strategiesProcessed, { OnWorkflowCompletion: true });
    assertEquals(status?.artifactGCStatus?.podsRecouped, failure === "fails" ? { [name]: true } : undefined);
    assertEquals([...collectors], [name]);
    assertEquals(letGo.at(-1)?.strategiesProcessed, {
      OnWorkflowCompletion: true,
    });
    assertMatch(conditionOf(await world.workflow("w"))!, failure === "fails" ? /exited with non-zero/ : /denied/);
  });
}

Deno.test("garbage: a pod that a user deletes while it runs is created again under another name (AR-145)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(workflowWithArtifacts("w", { early: "OnWorkflowCompletion" }));
  await saveArtifacts(world, "w", { early: "OnWorkflowCompletion" });
  await world.startPod(`w-artgc-wfcomp-${HASH}`);
  await world.deletePod(`w-artgc-wfcomp-${HASH}`);
  await collectArtifacts(world, `w-artgc-wfcomp-${HASH}-r1`);
  await world.waitUntil(
    "the finalizer is removed",
    async () => !(await world.workflow("w")).metadata.finalizers?.length,
  );
  assert(isDeleted(await world.workflow("w"), "early"));
});

Deno.test("garbage: a workflow that is deleted while it runs, or while no controller runs, is removed (AR-148)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  for (const name of ["runs", "alone"]) {
    await world.submit(workflowWithArtifacts(name, { late: "OnWorkflowDeletion" }));
    await world.startPod(name);
  }
  await world.client.delete(WORKFLOWS, "default", "runs");
  await world.waitUntil("its pod is being stopped", () => world.execs.some(({ pod }) => pod === "runs"));
  await world.endPod("runs", { main: { exitCode: 143 } });
  await world.waitUntil("the first is gone", () => isGone(world, "runs"));

  await saveArtifacts(world, "alone", { late: "OnWorkflowDeletion" });
  await world.awaitEnd("alone");
  await world.stopController();
  await world.client.delete(WORKFLOWS, "default", "alone", { propagationPolicy: "Foreground" });
  await world.startController();
  await collectArtifacts(world, `alone-artgc-wfdel-${HASH}`);
  await world.waitUntil("the second is gone", () => isGone(world, "alone"));
});

Deno.test("garbage: a new workflow of the same name does not inherit the garbage of the deleted one (issue 12621 of Argo)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const first = await world.submit(workflowWithArtifacts("w", { early: "OnWorkflowCompletion" }));
  await saveArtifacts(world, "w", { early: "OnWorkflowCompletion" });
  await world.startPod(`w-artgc-wfcomp-${HASH}`);
  // A user deletes the workflow without its finalizer, and the objects that it owned remain.
  await world.stopController();
  await world.client.patch(WORKFLOWS, "default", "w", { metadata: { finalizers: null } });
  await world.client.delete(WORKFLOWS, "default", "w", { propagationPolicy: "Orphan" });
  await world.deletePod("w");
  await world.startController();
  await world.waitUntil("the first is gone", () => isGone(world, "w"));
  const second = await world.submit(workflowWithArtifacts("w", { early: "OnWorkflowCompletion" }));
  assert(first.metadata.uid !== second.metadata.uid);
  await saveArtifacts(world, "w", { early: "OnWorkflowCompletion" });
  await world.waitUntil("its own task exists", async () => {
    const [task] = await tasksOf(world);
    return task?.metadata.ownerReferences?.[0]?.uid === second.metadata.uid;
  });
  await world.waitUntil("its own pod exists", async () => {
    const pod = await world.pod(`w-artgc-wfcomp-${HASH}`);
    // The kubelet ends the earlier pod, which has the same name.
    if (pod?.metadata.deletionTimestamp) await world.deletePod(pod.metadata.name!);
    return pod?.metadata.annotations?.[ANNOTATION.artifactGcRound]?.startsWith(second.metadata.uid!) === true;
  });
  await collectArtifacts(world, `w-artgc-wfcomp-${HASH}`);
  await world.waitUntil(
    "the finalizer is removed",
    async () => !(await world.workflow("w")).metadata.finalizers?.length,
  );
});

Deno.test("garbage: collected once although the controller restarts after each of its writes (AR-149)", async () => {
  await using world = new ControllerWorld();
  const made: string[] = [];
  let writes = 0;
  // Writes of reports and events do not count: they are made in any case.
  const isWrite = ({ method, path }: SentRequest) => method !== "GET" && !/\/(events|workflowtaskresults)/.test(path);
  world.between = async (sent, next) => {
    if (!isWrite(sent)) return await next();
    // One write succeeds; then requests fail as if the process had died.
    if (writes > 0) throw new TypeError("connection closed");
    writes++;
    const answer = await next();
    // A request that changed nothing does not count as a write.
    if (!answer.ok) writes--;
    const { metadata } = sent.body as Pod ?? {};
    if (sent.method === "POST" && answer.ok && /-artgc-/.test(metadata?.name ?? "")) made.push(metadata.name!);
    return answer;
  };
  const restart = async () => {
    await world.stopController();
    writes = 0;
    await world.startController();
  };
  const podName = `w-artgc-wfcomp-${HASH}`;
  await world.startController();
  await world.submit(workflowWithArtifacts("w", { early: "OnWorkflowCompletion" }));
  await world.waitUntil("the workflow's pod is made", async () => {
    if (await world.pod("w")) return true;
    await restart();
    return false;
  });
  await saveArtifacts(world, "w", { early: "OnWorkflowCompletion" });
  let hasCollected = false;
  await world.waitUntil("the finalizer is removed", async () => {
    if (!hasCollected && await world.pod(podName)) {
      hasCollected = true;
      await collectArtifacts(world, podName);
    }
    const workflow = await world.workflow("w");
    if (isDeleted(workflow, "early") && !workflow.metadata.finalizers?.length) return true;
    await world.waitUntil("something is written", () => writes > 0);
    await restart();
    return false;
  });
  assertEquals(made, [`${podName}-0`, podName]);
});

Deno.test("garbage: a workflow without artifactGC causes no request and has no finalizer", async () => {
  await using world = new ControllerWorld();
  const requested: string[] = [];
  world.between = async ({ path }, next) => {
    if (path.includes("artifactgc")) requested.push(path);
    return await next();
  };
  await world.startController();
  await world.submit(sleepingWorkflow("w"));
  const pod = await world.startPod("w");
  await world.report(pod, true);
  await world.endPod("w");
  const { metadata, status } = await world.awaitEnd("w");
  assertEquals([metadata.finalizers, status?.artifactGCStatus], [undefined, { notSpecified: true }]);
  assertEquals(requested, []);
});

Deno.test("garbage: artifacts in a store that cannot delete stay, an event reports it, and the workflow can be deleted (AR-147)", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(`
metadata: {name: w}
spec:
  entrypoint: main
  artifactGC: {strategy: OnWorkflowDeletion}
  templates:
  - name: main
    container: {image: busybox, command: [sh]}
    outputs: {artifacts: [{name: page, path: /tmp/page, http: {url: "http://host/page"}}]}
`);
  await world.awaitPod("w");
  assertEquals((await world.workflow("w")).metadata.finalizers, undefined);
  await world.waitUntil("the event is recorded", async () => (await world.events("ArtifactsStay")).length === 1);
  assertMatch((await world.events("ArtifactsStay"))[0]!, /templates\.main\.outputs\.artifacts\.page/);
});

Deno.test("garbage: no workflow waits for its artifacts in a namespace that is being deleted", async () => {
  await using world = new ControllerWorld();
  world.between = async ({ method, path }, next) => {
    if (method !== "POST" || !path.includes("workflowartifactgctasks")) return await next();
    const status = {
      kind: "Status",
      status: "Failure",
      reason: "Forbidden",
      message: "unable to create new content in namespace default because it is being terminated",
      details: { causes: [{ reason: "NamespaceTerminating", message: "namespace default is being terminated" }] },
      code: 403,
    };
    return Response.json(status, { status: 403 });
  };
  await world.startController();
  await world.submit(workflowWithArtifacts("w", { late: "OnWorkflowDeletion" }));
  await saveArtifacts(world, "w", { late: "OnWorkflowDeletion" });
  await world.awaitEnd("w");
  await world.client.delete(WORKFLOWS, "default", "w");
  await world.waitUntil("the workflow is gone", () => isGone(world, "w"));
});

Deno.test("garbage: a retried workflow collects its new outputs, whichever client retried it", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(workflowWithArtifacts("w", { early: "OnWorkflowCompletion" }));
  await saveArtifacts(world, "w", { early: "OnWorkflowCompletion" });
  await collectArtifacts(world, `w-artgc-wfcomp-${HASH}`);
  await world.waitUntil(
    "the finalizer is removed",
    async () => !(await world.workflow("w")).metadata.finalizers?.length,
  );
  await world.awaitPodDeletion(`w-artgc-wfcomp-${HASH}`);
  await world.deletePod("w");
  await world.awaitPodDeletion("w");
  await world.waitUntil(
    "its report is gone",
    async () => (await world.client.list(WORKFLOW_TASK_RESULTS, "default")).items.length === 0,
  );
  // The retry of Argo's own client: the phase is Running, and the nodes to run again are removed.
  await world.client.patch(WORKFLOWS, "default", "w", {
    metadata: { labels: { [LABEL.completed]: "false", [LABEL.phase]: "Running" } },
    status: { phase: "Running", finishedAt: null, nodes: { w: null } },
  });
  await world.awaitPod("w");
  assertEquals((await world.workflow("w")).metadata.finalizers, [FINALIZER.artifactGc]);
  await saveArtifacts(world, "w", { early: "OnWorkflowCompletion" });
  await collectArtifacts(world, `w-artgc-wfcomp-${HASH}`);
  await world.waitUntil(
    "the finalizer is removed",
    async () => !(await world.workflow("w")).metadata.finalizers?.length,
  );
});
