/** A report belongs to its pod: a report that another client writes for a node does not end that node. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Pod, Workflow, WorkflowTaskResult } from "@tiphys/model/api";
import { ANNOTATION, API_VERSION, ENV, LABEL } from "@tiphys/base/constants";
import { classifyError, PODS, WORKFLOW_TASK_RESULTS } from "@tiphys/kube";
import { openReport } from "../../executor/after_main/report.ts";
import { keyOf, sealReport } from "../../simulate/testing/seal_report.ts";
import { asIs, showingAsIs } from "./as_is.ts";
import { executorOf } from "./executor_of.ts";
import { auxAnnotationOf, ControllerWorld, nodeIdOf, sleepingWorkflow } from "./world.ts";

const EVIL = { result: "evil", parameters: [{ name: "p", value: "evil" }] };

/** A report of the node that the pod runs, as an executor would write it at its end. */
function reportOf(pod: Pod, more: Partial<WorkflowTaskResult> = {}, completed = true): WorkflowTaskResult {
  const workflow = pod.metadata.labels?.[LABEL.workflow] ?? "";
  return {
    apiVersion: API_VERSION,
    kind: "WorkflowTaskResult",
    metadata: {
      name: nodeIdOf(pod),
      namespace: "default",
      labels: { [LABEL.workflow]: workflow, [LABEL.reportOutputsCompleted]: String(completed) },
      ownerReferences: pod.metadata.ownerReferences?.filter(({ kind }) => kind === "Workflow"),
    },
    ...more,
  };
}

const succeeded = { phase: "Succeeded", outputs: EVIL } as const;

/** Creates or replaces a report. */
async function writeReport(world: ControllerWorld, report: WorkflowTaskResult): Promise<void> {
  const { name, namespace } = report.metadata;
  try {
    await world.client.create(WORKFLOW_TASK_RESULTS, namespace, report);
  } catch (error) {
    if (classifyError(error) !== "alreadyExists") throw error;
    await world.client.patch(WORKFLOW_TASK_RESULTS, namespace, name!, report);
  }
}

const patch = (world: ControllerWorld, pod: Pod, change: object) =>
  world.client.patch(WORKFLOW_TASK_RESULTS, "default", nodeIdOf(pod), change);

const completed = { labels: { [LABEL.reportOutputsCompleted]: "true" } };

/** The pod with the key of another one. */
function withKeyOf(pod: Pod, other: Pod): Pod {
  const key = { name: ENV.reportKey, value: keyOf(other) };
  return { ...pod, spec: { ...pod.spec, containers: [{ name: "supervisor", env: [key] }] } };
}

type ReportForgery = (world: ControllerWorld, victim: Pod, own: Pod) => Promise<unknown>;

const seal = (report: WorkflowTaskResult) => report.metadata.annotations?.[ANNOTATION.reportSeal] ?? "";
const annotated = (annotations: Record<string, string | null>) => ({ annotations });

/** Writes by another workflow's pod to the report of a victim, whose executor may have opened it already. */
const FORGERIES: Record<string, ReportForgery> = {
  "an end without a seal, before the executor has opened its report": (world, victim) =>
    writeReport(world, reportOf(victim, succeeded)),
  "an end without a seal, without an owner": (world, victim) => {
    const { metadata: { ownerReferences: _, ...metadata }, ...report } = reportOf(victim, succeeded);
    return writeReport(world, { ...report, metadata });
  },
  "an end under the forger's own seal": (world, victim, own) =>
    writeReport(world, sealReport(withKeyOf(victim, own), reportOf(victim, succeeded))),
  "an end under the seal of the forger's own report": (world, victim, own) => {
    const report = reportOf(victim, succeeded);
    const annotations = { [ANNOTATION.reportSeal]: seal(sealReport(own, reportOf(own, succeeded))) };
    return writeReport(world, { ...report, metadata: { ...report.metadata, annotations } });
  },
  "an end under an empty seal": (world, victim) => {
    const report = reportOf(victim, succeeded);
    return writeReport(world, {
      ...report,
      metadata: { ...report.metadata, annotations: { [ANNOTATION.reportSeal]: "" } },
    });
  },
  "the open report, ended": async (world, victim) => {
    await writeReport(world, sealReport(victim, reportOf(victim, {}, false)));
    await patch(world, victim, { ...succeeded, metadata: completed });
  },
  "the open report, ended, its seal taken away": async (world, victim) => {
    await writeReport(world, sealReport(victim, reportOf(victim, {}, false)));
    await awaitReportSeen(world, victim);
    const metadata = { ...completed, ...annotated({ [ANNOTATION.reportSeal]: null }) };
    await patch(world, victim, { ...succeeded, metadata });
  },
  "the open report, deleted and created again": async (world, victim) => {
    await writeReport(world, sealReport(victim, reportOf(victim, {}, false)));
    await awaitReportSeen(world, victim);
    await world.client.delete(WORKFLOW_TASK_RESULTS, "default", nodeIdOf(victim));
    await writeReport(world, reportOf(victim, succeeded));
  },
  "outputs in the open report": async (world, victim) => {
    await writeReport(world, sealReport(victim, reportOf(victim, {}, false)));
    await patch(world, victim, { outputs: EVIL, progress: "9/9" });
  },
  "outputs under their own empty seal": async (world, victim) => {
    await writeReport(world, sealReport(victim, reportOf(victim, {}, false)));
    await patch(world, victim, { outputs: EVIL, metadata: annotated({ [ANNOTATION.outputsSeal]: "" }) });
  },
  "a marker that main has started": async (world, victim) => {
    await writeReport(world, sealReport(victim, reportOf(victim, {}, false)));
    await patch(world, victim, { metadata: annotated({ [ANNOTATION.mainStarted]: "true" }), outputs: EVIL });
  },
  "another phase": (world, victim) => writeReport(world, reportOf(victim, { ...succeeded, phase: "Skipped" })),
};

/** Waits until the controller has read the open report: it knows that this pod seals its reports. */
async function awaitReportSeen(world: ControllerWorld, victim: Pod): Promise<void> {
  await patch(world, victim, {
    progress: "1/3",
    metadata: annotated({
      [ANNOTATION.reportSeal]: seal(sealReport(victim, reportOf(victim, { progress: "1/3" }, false))),
    }),
  });
  await world.waitUntil("the progress is shown", async () => (await nodeOf(world, victim))?.progress === "1/3");
}

async function nodeOf(world: ControllerWorld, pod: Pod) {
  const workflow: Workflow = await world.workflow(pod.metadata.labels?.[LABEL.workflow] ?? "");
  return workflow.status?.nodes?.[nodeIdOf(pod)];
}

async function submitAndStart(world: ControllerWorld, name: string): Promise<Pod> {
  await world.submit(sleepingWorkflow(name));
  const pod = await world.startPod(name);
  await world.waitUntil(`the node ${name} runs`, async () => (await nodeOf(world, pod))?.phase === "Running");
  return pod;
}

/** Runs a pod to its end by a report. Everything that was written earlier has been decided by then. */
async function runCanary(world: ControllerWorld, name = "canary"): Promise<void> {
  const pod = await submitAndStart(world, name);
  await writeReport(world, sealReport(pod, reportOf(pod, { phase: "Succeeded" })));
  await world.waitUntil("the canary ends by its report", async () => (await nodeOf(world, pod))?.phase === "Succeeded");
}

Deno.test("forged report: ends no node, and none of its fields is used; a failing pod fails", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const own = await submitAndStart(world, "own");
  const victims = await Promise.all(
    Object.entries(FORGERIES).map(async ([title, forge], index) => ({
      title,
      forge,
      pod: await submitAndStart(world, `victim-${index}`),
    })),
  );
  for (const { forge, pod } of victims) await forge(world, pod, own);
  await runCanary(world);
  for (const { title, pod } of victims) {
    const node = await nodeOf(world, pod);
    assertEquals([title, node?.phase, node?.outputs], [title, "Running", undefined]);
  }
  for (const { pod } of victims) await world.endPod(pod.metadata.name!, { main: { exitCode: 3 } });
  for (const [index, { title }] of victims.entries()) {
    const { status } = await world.awaitEnd(`victim-${index}`);
    assertEquals([title, status?.phase], [title, "Failed"]);
  }
});

Deno.test("report: the pod's own report is used, whatever another client wrote before it", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const served = await world.api.serve();
  try {
    const pod = await submitAndStart(world, "honest");
    await writeReport(world, reportOf(pod, { phase: "Succeeded", progress: "5/5" }));
    await using executor = await executorOf(pod, served);
    const report = await openReport(executor);
    await report.progress("1/2");
    await world.waitUntil("the progress is shown", async () => (await nodeOf(world, pod))?.progress === "1/2");
    await report.close({ outputs: { result: "mine", exitCode: "0" }, progress: "2/2", succeeded: true });
    // The pod still runs: the node ends by its report.
    const { status } = await world.awaitEnd("honest");
    assertEquals(status?.phase, "Succeeded");
    const node = status?.nodes?.[nodeIdOf(pod)];
    assertEquals([node?.outputs, node?.progress], [{ result: "mine", exitCode: "0" }, "2/2"]);
  } finally {
    await served.close();
  }
});

Deno.test("report: outputs of main count together with the end reported by the executor, and only under their own seal", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const served = await world.api.serve();
  try {
    for (const isForged of [false, true]) {
      const pod = await submitAndStart(world, `own-work-${isForged}`);
      await using executor = await executorOf(pod, served);
      const [main, aux] = [await openReport(executor), await openReport(executor)];
      await main.outputs({ result: "mine" });
      if (isForged) await patch(world, pod, { outputs: EVIL });
      await aux.close({ succeeded: true });
      const { status } = await world.awaitEnd(pod.metadata.name!);
      const node = status?.nodes?.[nodeIdOf(pod)];
      assertEquals(node?.outputs, isForged ? { exitCode: "0" } : { result: "mine", exitCode: "0" });
    }
  } finally {
    await served.close();
  }
});

Deno.test("report: a log stored while main runs stays with the node when its pod is lost", async () => {
  const log = { name: "main-logs", s3: { key: "wf/pod/main.log" } };
  await using world = new ControllerWorld();
  world.configure({ podStatusHoldSeconds: 0 });
  await world.startController();
  const served = await world.api.serve();
  try {
    const pod = await submitAndStart(world, "lost");
    await using executor = await executorOf(pod, served);
    await (await openReport(executor)).before({ artifacts: [log] });
    const node = async () => (await world.workflow("lost")).status?.nodes?.[nodeIdOf(pod)];
    await world.waitUntil(
      "the node names the log",
      async () => (await node())?.outputs?.artifacts?.[0]?.name === log.name,
    );
    assertEquals((await node())?.phase, "Running");
    await world.deletePod(pod.metadata.name!);
    await world.waitUntil("the node has ended", async () => (await node())?.phase !== "Running");
    assertEquals((await node())?.phase, "Error");
    assertEquals<unknown>((await node())?.outputs?.artifacts, [log]);
  } finally {
    await served.close();
  }
});

Deno.test("report: logs of the executor are added to the outputs of main, each under its own seal", async () => {
  const log = { name: "main-logs", s3: { key: "wf/pod/main.log" } };
  const evil = { name: "main-logs", s3: { key: "somebody/elses" } };
  /** Changes by another client to a complete report, and the outputs that are believed. */
  const changes = [
    [{}, { result: "mine", artifacts: [log] }],
    [{ result: "evil" }, { artifacts: [log] }],
    [{ artifacts: [evil] }, {}],
    [{ parameters: EVIL.parameters }, { artifacts: [log] }],
  ] as const;
  await using world = new ControllerWorld();
  await world.startController();
  const served = await world.api.serve();
  try {
    for (const [index, [change, believed]] of changes.entries()) {
      const pod = await submitAndStart(world, `logs-${index}`);
      await using executor = await executorOf(pod, served);
      const [main, aux] = [await openReport(executor), await openReport(executor)];
      await main.outputs({ result: "mine" });
      // The other client writes before the controller reads the complete report.
      await world.stopController();
      await aux.close({ logs: [log], succeeded: true });
      await patch(world, pod, { outputs: change });
      await world.startController();
      const { status } = await world.awaitEnd(pod.metadata.name!);
      assertEquals<unknown>(status?.nodes?.[nodeIdOf(pod)]?.outputs, { ...believed, exitCode: "0" });
    }
  } finally {
    await served.close();
  }
});

Deno.test("report: an executor of the legacy layout without seals is believed when its pod has ended", async () => {
  await using world = new ControllerWorld();
  world.configure({}, { layout: "legacy" });
  await world.startController();
  const pod = await submitAndStart(world, "older");
  await writeReport(world, reportOf(pod, { phase: "Succeeded", outputs: { result: "theirs" } }));
  await runCanary(world);
  assertEquals((await nodeOf(world, pod))?.phase, "Running");
  await world.endPod("older");
  const { status } = await world.awaitEnd("older");
  const node = status?.nodes?.[nodeIdOf(pod)];
  assertEquals([node?.phase, node?.outputs], ["Succeeded", { result: "theirs", exitCode: "0" }]);
});

Deno.test("report: a restarted controller believes no unsealed report of a pod without init containers", async () => {
  await using world = new ControllerWorld();
  world.configure({ recentlyDeletedPodSeconds: 0 });
  await world.startController();
  const pod = await submitAndStart(world, "restarted");
  await writeReport(world, sealReport(pod, reportOf(pod, {}, false)));
  await awaitReportSeen(world, pod);
  await world.stopController();
  const unsealed = { ...completed, ...annotated({ [ANNOTATION.reportSeal]: null }) };
  await patch(world, pod, { ...succeeded, metadata: unsealed });
  await world.endPod("restarted");
  await world.startController();
  const { status } = await world.awaitEnd("restarted");
  const node = status?.nodes?.[nodeIdOf(pod)];
  assertEquals([status?.phase, node?.phase, node?.outputs?.result], ["Error", "Error", undefined]);
  assertStringIncludes(node?.message ?? "", "the report of this node was not created by its pod");
});

Deno.test("forged report: a pod that succeeds without its own report ends in an error", async () => {
  await using world = new ControllerWorld();
  world.configure({ recentlyDeletedPodSeconds: 0 });
  await world.startController();
  const pod = await submitAndStart(world, "robbed");
  const own = await submitAndStart(world, "own");
  await writeReport(world, sealReport(withKeyOf(pod, own), reportOf(pod, succeeded)));
  await world.endPod("robbed");
  const { status } = await world.awaitEnd("robbed");
  const node = status?.nodes?.[nodeIdOf(pod)];
  assertEquals([status?.phase, node?.phase, node?.outputs?.result], ["Error", "Error", undefined]);
  assertStringIncludes(node?.message ?? "", "the report of this node was not created by its pod");
});

Deno.test("malformed report: ignored; a pod that succeeds ends in an error with the invalid field, one that fails fails", async () => {
  await using world = new ControllerWorld();
  world.between = showingAsIs;
  world.configure({ recentlyDeletedPodSeconds: 0 });
  await world.startController();
  const problem = "the report of this node cannot be read: outputs.parameters: expected list, got an object";
  const odd = await submitAndStart(world, "odd");
  const failing = await submitAndStart(world, "failing");
  for (const pod of [odd, failing]) {
    const report = sealReport(pod, reportOf(pod, { phase: "Succeeded" }));
    await writeReport(world, asIs(report, { outputs: { parameters: { p: 7 } } }));
  }
  await runCanary(world);
  for (const pod of [odd, failing]) assertEquals((await nodeOf(world, pod))?.phase, "Running");
  await world.endPod("odd");
  await world.endPod("failing", { main: { exitCode: 3 } });
  for (const pod of [odd, failing]) await world.awaitEnd(pod.metadata.labels?.[LABEL.workflow] ?? "");
  const ends = [await nodeOf(world, odd), await nodeOf(world, failing)];
  assertEquals(ends.map((node) => [node?.phase, node?.message]), [["Error", problem], [
    "Failed",
    "main: Error (exit code 3)",
  ]]);
});

Deno.test("report: numbers are read as strings", async () => {
  await using world = new ControllerWorld();
  world.between = showingAsIs;
  await world.startController();
  const pod = await submitAndStart(world, "numbers");
  const outputs = { result: null, parameters: [{ name: "p", value: 7 }] };
  const report = sealReport(pod, reportOf(pod, { outputs: { parameters: [{ name: "p", value: "7" }] } }));
  await writeReport(world, asIs(report, { outputs }));
  await world.endPod("numbers");
  const { status } = await world.awaitEnd("numbers");
  assertEquals(status?.nodes?.[nodeIdOf(pod)]?.outputs, { parameters: [{ name: "p", value: "7" }], exitCode: "0" });
});

Deno.test("stolen key: detected at the end of the pod", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(`
metadata: {name: stolen}
spec:
  entrypoint: main
  templates:
  - name: main
    steps: [[{name: a, template: sleep}], [{name: b, template: sleep}]]
  - name: sleep
    container: {image: busybox, command: [sleep, "600"]}
`);
  const { items: [made] } = await awaitPods(world, 1);
  const pod = await world.startPod(made?.metadata.name!);
  await writeReport(world, sealReport(pod, reportOf(pod, succeeded)));
  await awaitPods(world, 2);
  await world.endPod(pod.metadata.name!, { main: { exitCode: 1 } });
  const { status } = await world.awaitEnd("stolen");
  assertEquals([status?.phase, status?.message], [
    "Error",
    "node stolen[0].a succeeded by a report that was not its pod's: its pod failed (exit code 1)",
  ]);
});

Deno.test("report: the report of an earlier attempt does not end the next one", async () => {
  await using world = new ControllerWorld();
  world.configure({ maxPodRestarts: 3 });
  await world.startController();
  await world.submit(sleepingWorkflow("again"));
  const first = await world.awaitPod("again");
  await world.setStatus("again", { phase: "Failed", reason: "Evicted", message: "no room" });
  const second = await world.awaitPod("again", { not: first });
  await writeReport(world, sealReport(first, reportOf(first, succeeded)));
  await world.startPod("again");
  await runCanary(world);
  const node = await nodeOf(world, second);
  assertEquals([node?.phase, node?.outputs], ["Running", undefined]);
  const served = await world.api.serve();
  try {
    await using executor = await executorOf(second, served);
    await (await openReport(executor)).close({ outputs: { result: "second" }, succeeded: true });
    const { status } = await world.awaitEnd("again");
    assertEquals(status?.nodes?.[nodeIdOf(second)]?.outputs, { result: "second", exitCode: "0" });
  } finally {
    await served.close();
  }
});

Deno.test("report: a change after the end of its node has no effect, even when the pod is gone", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const pod = await submitAndStart(world, "done");
  await world.submit(sleepingWorkflow("open"));
  await writeReport(world, sealReport(pod, reportOf(pod, { phase: "Succeeded", outputs: { result: "mine" } })));
  await world.awaitEnd("done");
  await writeReport(world, reportOf(pod, succeeded));
  await runCanary(world, "first");
  await world.endPod("done");
  await world.deletePod("done");
  await world.awaitPodDeletion("done");
  await writeReport(world, reportOf(pod, succeeded));
  await runCanary(world, "second");
  assertEquals((await nodeOf(world, pod))?.outputs, { result: "mine", exitCode: "0" });
});

Deno.test("report key: in the containers that report, never in a user's container, and different for each pod", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const env = `env: [{name: ${ENV.reportKey}, value: mine}]`;
  await world.submit(`
metadata: {name: keys}
spec:
  entrypoint: main
  podSpecPatch: '{"containers": [{"name": "supervisor", "env": [{"name": "${ENV.reportKey}", "value": "mine"}]}]}'
  templates:
  - name: main
    container: {image: busybox, command: [argoexec, resource], ${env}}
    sidecars: [{name: side, image: busybox, command: [sleep], ${env}}]
`);
  await world.submit(sleepingWorkflow("other"));
  const pod = await world.awaitPod("keys");
  const holders = pod.spec.containers.filter((container) => container.env?.some(({ name }) => name === ENV.reportKey));
  assertEquals(holders.map(({ name }) => name), [auxAnnotationOf(pod)]);
  const keys = [keyOf(pod), keyOf(await world.awaitPod("other"))];
  assertEquals([new Set(keys).size, keys.includes("mine")], [2, false]);
});

async function awaitPods(world: ControllerWorld, count: number) {
  const list = () => world.client.list<Pod>(PODS, "default");
  await world.waitUntil(`there are ${count} pods`, async () => (await list()).items.length === count);
  return await list();
}
