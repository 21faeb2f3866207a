/**
 * Workflows whose passes take long are processed in another thread, with the same result and without delaying others.
 */
import { assertEquals, assertMatch } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { CONFIGMAPS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { InProcessLane, LaneThread, silentLog } from "../../controller/mod.ts";
import { asIs, showingAsIs } from "./as_is.ts";
import { ControllerWorld, nodeIdOf, sleepingWorkflow } from "./world.ts";

/**
 * A workflow that reads everything a pass may need: templates and a ConfigMap of the cluster, results, loops, an exit
 * handler.
 */
const MANY_THINGS = `
metadata: {name: many}
spec:
  entrypoint: main
  onExit: last
  arguments:
    parameters:
    - {name: message, valueFrom: {configMapKeyRef: {name: words, key: hello}}}
  templates:
  - name: main
    steps:
    - - {name: one, templateRef: {name: shared, template: say}, arguments: {parameters: [{name: text, value: "{{workflow.parameters.message}}"}]}}
    - - {name: two, template: echo, withItems: [a, b], arguments: {parameters: [{name: text, value: "{{item}} {{steps.one.outputs.result}}"}]}}
  - name: echo
    inputs: {parameters: [{name: text}]}
    container: {image: busybox, command: [echo, "{{inputs.parameters.text}}"]}
  - name: last
    container: {image: busybox, command: [echo, "{{workflow.status}}"]}
`;

async function shareObjects(world: ControllerWorld): Promise<void> {
  const labels = { [LABEL.configMapType]: "Parameter" };
  await world.client.create(CONFIGMAPS, "default", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "words", labels },
    data: { hello: "good morning" },
  });
  await world.client.create(WORKFLOW_TEMPLATES, "default", {
    apiVersion: API_VERSION,
    kind: "WorkflowTemplate",
    metadata: { name: "shared" },
    spec: {
      templates: [{
        name: "say",
        inputs: { parameters: [{ name: "text" }] },
        container: { image: "busybox", command: ["echo", "{{inputs.parameters.text}}"] },
      }],
    },
  });
}

/** Ends every pod of a workflow successfully, with a result, until the workflow has finished. */
async function runWorkflow(world: ControllerWorld, name: string): Promise<Workflow> {
  const served = new Set<string>();
  await world.waitUntil(`the workflow ${name} has ended`, async () => {
    const { status } = await world.workflow(name);
    for (const node of Object.values(status?.nodes ?? {})) {
      const pod = node.type === "Pod" && !served.has(node.id) ? await podOf(world, name, node.id) : undefined;
      if (!pod) continue;
      served.add(node.id);
      const runs = await world.startPod(pod.metadata.name!);
      await world.report(runs, false);
      await world.report(runs, true, { result: JSON.stringify(`result of ${node.displayName}`) });
      await world.endPod(pod.metadata.name!);
    }
    return status?.finishedAt !== undefined;
  });
  return await world.workflow(name);
}

async function podOf(world: ControllerWorld, workflow: string, id: string) {
  const { items } = await world.client.list<Awaited<ReturnType<ControllerWorld["startPod"]>>>(
    { group: "", version: "v1", plural: "pods", kind: "Pod", namespaced: true },
    "default",
    { labelSelector: `${LABEL.workflow}=${workflow}` },
  );
  return items.find((pod) => nodeIdOf(pod) === id);
}

/** The part of a status that does not depend on time. */
function withoutTimes({ status }: Workflow) {
  const nodes = Object.values(status?.nodes ?? {}).map(({ name, phase, type, inputs, outputs, children, message }) => ({
    name,
    phase,
    type,
    inputs,
    result: outputs?.result,
    children,
    message,
  }));
  return { phase: status?.phase, message: status?.message, nodes: nodes.sort((a, b) => a.name < b.name ? -1 : 1) };
}

const LANES = {
  "among the others": { isSlow: () => false },
  "in the slow lane of another thread": { isSlow: () => true },
  "in a slow lane of the same thread": { isSlow: () => true, lane: () => new InProcessLane() },
  "now here and now there": { isSlow: createAlternation() },
};

function createAlternation(): () => boolean {
  let passes = 0;
  return () => ++passes % 3 === 0;
}

Deno.test("slow lane: a workflow has the same result in every lane", async () => {
  const ends: Record<string, unknown> = {};
  for (const [place, { isSlow, ...more }] of Object.entries(LANES)) {
    await using world = new ControllerWorld();
    await shareObjects(world);
    const lane = "lane" in more ? more.lane() : undefined;
    await world.startController({ isSlow, ...(lane && { lane }) });
    await world.submit(MANY_THINGS);
    ends[place] = withoutTimes(await runWorkflow(world, "many"));
  }
  const [expected, ...others] = Object.values(ends);
  const { phase, message } = expected as Record<string, string>;
  assertEquals([phase, message], ["Succeeded", undefined]);
  for (const other of others) assertEquals(other, expected);
});

/** A workflow that ends at once, and counts its end in a metric with its own help text. */
const counting = (name: string, help: string) => `
metadata: {name: ${name}}
spec:
  entrypoint: main
  templates: [{name: main, steps: []}]
  metrics: {prometheus: [{name: ended_workflows, help: ${help}, counter: {value: "1"}}]}
`;

Deno.test("slow lane: a metric that conflicts with another workflow's is reported as a condition in every lane", async () => {
  for (const [place, { isSlow, ...more }] of Object.entries(LANES)) {
    await using world = new ControllerWorld();
    const lane = "lane" in more ? more.lane() : undefined;
    await world.startController({ isSlow, ...(lane && { lane }) });
    await world.submit(counting("first", "one text"));
    assertEquals((await world.awaitEnd("first")).status?.conditions?.map(({ type }) => type), ["Completed"], place);
    await world.submit(counting("second", "another text"));
    const { status } = await world.awaitEnd("second");
    const message = status?.conditions?.find(({ type }) => type === "MetricsError")?.message;
    const clash = "help for metric ended_workflows is already set to one text, it cannot be changed";
    assertEquals(message, `could not construct metric 'ended_workflows': ${clash}`, place);
  }
});

Deno.test("slow lane: a pass that takes too long on the main thread is discarded and repeated in the slow lane", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const key = `{{=len(map(1..4, sprig.bcrypt("word"))) > 3 ? "long" : "short"}}`;
  await world.submit(sleepingWorkflow("keys").replace('[sleep, "600"]', `[echo, '${key}']`));
  const pod = await world.awaitPod("keys");
  assertEquals(pod.spec.containers.find(({ name }) => name === "main")?.command?.at(-1), "long");
  assertEquals(world.logLines.some((line) => line.includes("Starting the slow lane")), true);
  await world.report(await world.startPod("keys"), true);
  await world.endPod("keys");
  assertEquals((await world.awaitEnd("keys")).status?.phase, "Succeeded");
});

Deno.test("slow lane: a pass that never ends is stopped with its thread, its workflow names the limit, and others continue", async () => {
  await using world = new ControllerWorld();
  const note = await Deno.makeTempFile({ prefix: "tiphys-thread-" });
  await using parts = new AsyncDisposableStack();
  parts.defer(() => Deno.remove(note));
  const program = new URL(`./hanging_thread.ts?note=${encodeURIComponent(note)}`, import.meta.url);
  // Long enough for a thread to start on a busy machine.
  const lane = new LaneThread({ log: silentLog, program, longestMillis: 12_000 });
  await world.startController({ lane, isSlow: () => true });
  await world.submit(sleepingWorkflow("before"));
  await world.awaitPod("before");
  await world.submit(sleepingWorkflow("hangs"));
  await world.waitUntil("it has ended", async () => (await world.workflow("hangs")).status?.finishedAt !== undefined);
  const { status } = await world.workflow("hangs");
  assertEquals(status?.phase, "Error");
  assertMatch(
    status?.message ?? "",
    /^the pass over workflow default\/hangs did not end within 12 s/,
  );
  for (const name of ["before", "after"]) {
    if (name === "after") await world.submit(sleepingWorkflow("after"));
    await world.report(await world.startPod(name), true);
    await world.endPod(name);
    assertEquals((await world.awaitEnd(name)).status?.phase, "Succeeded");
  }
  const place = await Deno.readTextFile(note);
  assertMatch(place, /^\d+\/task\/\d+$/);
  await world.waitUntil("its thread is gone", () => Deno.stat(`/proc/${place}`).then(() => false, () => true));
});

Deno.test("slow lane: slow workflows are processed on the main thread when no thread can be started", async () => {
  await using world = new ControllerWorld();
  const program = new URL("./nowhere.ts", import.meta.url);
  const lane = new LaneThread({ log: silentLog, program });
  await world.startController({ lane, isSlow: () => true });
  await world.submit(sleepingWorkflow("threadless"));
  await world.report(await world.startPod("threadless"), true);
  await world.endPod("threadless");
  assertEquals((await world.awaitEnd("threadless")).status?.phase, "Succeeded");
});

Deno.test("slow lane: a workflow nested too deeply to be sent to a thread fails with its own error, and others continue", async () => {
  await using world = new ControllerWorld();
  world.between = showingAsIs;
  await world.startController({ isSlow: () => true });
  let nested: unknown = 1;
  for (let depth = 0; depth < 3000; depth++) nested = [nested];
  const deep = {
    spec: { entrypoint: "main", templates: [], arguments: { parameters: [{ name: "p", value: nested }] } },
  };
  const metadata = { name: "deep", namespace: "default" };
  const object = { apiVersion: API_VERSION, kind: "Workflow", metadata, spec: { entrypoint: "main", templates: [] } };
  await world.client.create(WORKFLOWS, "default", asIs(object, deep));
  const { status } = await world.awaitEnd("deep");
  assertEquals(status?.phase, "Failed");
  assertMatch(status?.message ?? "", /^cannot unmarshall spec: /);
  await world.submit(sleepingWorkflow("plain"));
  await world.report(await world.startPod("plain"), true);
  await world.endPod("plain");
  assertEquals((await world.awaitEnd("plain")).status?.phase, "Succeeded");
});

Deno.test("slow lane: a user's change of a workflow is seen there", async () => {
  await using world = new ControllerWorld();
  await world.startController({ isSlow: () => true });
  await world.submit(sleepingWorkflow("changed"));
  await world.startPod("changed");
  await world.client.patch(
    { group: "argoproj.io", version: "v1alpha1", plural: "workflows", kind: "Workflow", namespaced: true },
    "default",
    "changed",
    { spec: { shutdown: "Terminate" } },
  );
  await world.endPod("changed", { main: { exitCode: 143 } });
  const { status } = await world.awaitEnd("changed");
  assertEquals([status?.phase, status?.message], ["Failed", "Stopped with strategy 'Terminate'"]);
});
