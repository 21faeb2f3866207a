/** The controller and executor on CRDs that drop our additions, as those of an installed Argo do. */
import { assertEquals } from "@std/assert";
import type { Artifact, KindName, Pod, Workflow } from "@tiphys/model/api";
import { API_VERSION } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { type KubeObject, PODS, WORKFLOW_TASK_RESULTS, WORKFLOW_TEMPLATES } from "@tiphys/kube";
import { openReport } from "../../executor/after_main/report.ts";
import { additions } from "../../scripts/additions.ts";
import { customResourceDefinition } from "../../scripts/gen_crd.ts";
import { executorOf } from "../controller/executor_of.ts";
import { ControllerWorld, nodeIdOf } from "../controller/world.ts";
import { createCrds, foreignCrds } from "./crds.ts";

const STORED = { name: "out", s3: { bucket: "b", key: "k", endpoint: "e", accessKeySecret: { key: "a" } } };
const MEASURED = { ...STORED, archive: { none: {} }, digest: "sha256:00", size: 7, objects: 2 };
const LOG = { name: "main-logs", s3: { bucket: "b", key: "l", endpoint: "e" }, size: 3 };

const WORKFLOW = `
metadata: {name: wf}
spec:
  entrypoint: main
  templates:
  - name: main
    steps:
    - - {name: make, template: make}
    - - name: use
        template: use
        arguments: {artifacts: [{name: in, from: "{{steps.make.outputs.artifacts.out}}"}]}
  - name: make
    container: {image: busybox, command: [work]}
    outputs: {artifacts: [{name: out, path: /tmp/out, s3: {bucket: b, key: k}}]}
  - name: use
    inputs: {artifacts: [{name: in, path: /tmp/in}]}
    container: {image: busybox, command: [work]}
`;

/**
 * Runs a step that saves an artifact and its log, and a step that loads the artifact. Returns both nodes' artifacts.
 */
async function runOn(crds: readonly KubeObject[]) {
  await using world = new ControllerWorld();
  await createCrds(world.client, crds);
  await world.startController();
  await world.submit(WORKFLOW);
  const served = await world.api.serve();
  try {
    const make = await awaitPodCount(world, 1);
    await using executor = await executorOf(make, served);
    const report = await openReport(executor);
    await report.close({ outputs: { exitCode: "0", artifacts: [MEASURED, LOG] }, succeeded: true });
    const use = await awaitPodCount(world, 2);
    await using second = await executorOf(use, served);
    await (await openReport(second)).close({ succeeded: true });
    for (const pod of [make, use]) await world.endPod(pod.metadata.name!);
    const workflow = await world.awaitEnd("wf");
    const known = await Array.fromAsync(workflowVersions(world, workflow));
    return {
      phase: workflow.status?.phase,
      saved: workflow.status?.nodes?.[nodeIdOf(make)]?.outputs?.artifacts,
      loaded: workflow.status?.nodes?.[nodeIdOf(use)]?.inputs?.artifacts,
      isQuiet: new Set(known).size === 1,
    };
  } finally {
    await served.close();
  }
}

/** The versions of a workflow before and after further passes over it, which a report that is written again causes. */
async function* workflowVersions(world: ControllerWorld, { metadata }: Workflow) {
  const { items: [report] } = await world.client.list(WORKFLOW_TASK_RESULTS, "default");
  yield metadata.resourceVersion;
  if (report === undefined) return;
  await world.submit(
    "{metadata: {name: canary}, spec: {entrypoint: m, templates: [{name: m, suspend: {duration: '0'}}]}}",
  );
  await world.awaitEnd("canary");
  yield (await world.workflow("wf")).metadata.resourceVersion;
}

async function awaitPodCount(world: ControllerWorld, count: number): Promise<Pod> {
  const pods = async () => (await world.client.list<Pod>(PODS, "default")).items;
  await world.waitUntil(`there are ${count} pods`, async () => (await pods()).length === count);
  const name = (await pods()).find(({ status }) => status?.phase === "Pending")!.metadata.name!;
  return await world.startPod(name);
}

const measures = (artifact: Artifact | undefined) => {
  const { digest, size, objects } = artifact ?? { name: "" };
  return { digest, size, objects };
};
const ALL = { digest: "sha256:00", size: 7, objects: 2 };
const NONE = { digest: undefined, size: undefined, objects: undefined };

for (const set of ["minimal", "full"] as const) {
  Deno.test(`foreign CRDs: artifacts and logs arrive on Argo's ${set} set, and a finished workflow is not written again`, async () => {
    const { phase, saved, loaded, isQuiet } = await runOn(await foreignCrds(set));
    assertEquals([phase, isQuiet], ["Succeeded", true]);
    assertEquals(saved?.map(({ name, s3 }) => [name, s3?.key]), [["out", "k"], ["main-logs", "l"]]);
    assertEquals(loaded?.map(({ name, s3 }) => [name, s3?.key]), [["in", "k"]]);
    // The status of the minimal set is open, and keeps what the report carries in an annotation.
    assertEquals(measures(saved?.[0]), set === "minimal" ? ALL : NONE);
  });
}

Deno.test("foreign CRDs: a report arrives although the API server drops a field of a location that its release does not have", async () => {
  const crds = await foreignCrds("minimal");
  for (const crd of crds) removeField(schemaOf(crd), "outputs.artifacts[].s3.endpoint".split("."));
  const { phase, saved } = await runOn(crds);
  assertEquals([phase, saved?.[0]?.s3?.key, saved?.[0]?.s3?.endpoint], ["Succeeded", "k", undefined]);
  assertEquals(measures(saved?.[0]), ALL);
});

const ADDITIONS = Object.entries(additions()) as [KindName, string[]][];

for (const [kind, paths] of ADDITIONS) {
  for (
    const path of paths.filter((path) =>
      /^(status|outputs)\b/.test(path) && !/storedTemplates|storedWorkflow/.test(path)
    )
  ) {
    Deno.test(`foreign CRDs: nothing depends on the addition ${kind}.${path}`, async () => {
      const crd = customResourceDefinition(kind, { dialect: "whole" }) as unknown as KubeObject;
      removeField(schemaOf(crd), path.split("."));
      const { phase, saved, isQuiet } = await runOn([crd]);
      assertEquals([phase, saved?.length, isQuiet], ["Succeeded", 2, true]);
    });
  }
}

/** A template whose artifacts carry measures wherever a spec has artifacts, and a workflow made from it. */
const WITH_MEASURES = `
metadata: {name: made}
spec:
  workflowTemplateRef: {name: stored}
  arguments: {artifacts: [{name: given, raw: {data: x}, digest: "sha256:00", size: 1, objects: 1}]}
`;
const STORED_TEMPLATE = {
  apiVersion: API_VERSION,
  kind: "WorkflowTemplate",
  metadata: { name: "stored" },
  spec: {
    entrypoint: "main",
    arguments: { artifacts: [{ name: "given", digest: "sha256:00", size: 1, objects: 1 }] },
    templates: [
      {
        name: "main",
        inputs: { artifacts: [{ name: "given", size: 1 }] },
        steps: [[{
          name: "use",
          template: "use",
          arguments: { artifacts: [{ name: "in", from: "{{inputs.artifacts.given}}", objects: 1 }] },
        }]],
      },
      {
        name: "use",
        inputs: { artifacts: [{ name: "in", path: "/tmp/in", size: 1, objects: 1 }] },
        outputs: { artifacts: [{ name: "out", path: "/tmp/out", s3: { bucket: "b", key: "k" }, size: 1 }] },
        container: { image: "busybox", command: ["work"] },
      },
    ],
  },
};

/** Runs the workflow of the template with measures; returns its end, and the inputs of its pod's node. */
async function createAndRun(crds: readonly KubeObject[]) {
  await using world = new ControllerWorld();
  await createCrds(world.client, crds);
  await world.client.create(WORKFLOW_TEMPLATES, "default", STORED_TEMPLATE);
  await world.startController();
  await world.submit(WITH_MEASURES);
  const served = await world.api.serve();
  const pod = await awaitPodCount(world, 1);
  try {
    await using executor = await executorOf(pod, served);
    await (await openReport(executor)).close({ succeeded: true });
  } finally {
    await served.close();
  }
  await world.endPod(pod.metadata.name!);
  const { status } = await world.awaitEnd("made");
  const node = status?.nodes?.[nodeIdOf(pod)];
  return { phase: status?.phase, inputs: node?.inputs?.artifacts?.map(({ name, raw }) => ({ name, raw })) };
}

for (const field of ["digest", "size", "objects"]) {
  Deno.test(`foreign CRDs: nothing depends on the addition ${field} of artifacts in specs`, async () => {
    const crds = ADDITIONS.filter(([kind]) => kind === "Workflow" || kind === "WorkflowTemplate").map(
      ([kind, paths]) => {
        const crd = customResourceDefinition(kind, { dialect: "whole" }) as unknown as KubeObject;
        for (const path of paths) {
          if (path.startsWith("spec.") && path.endsWith(`.${field}`)) removeField(schemaOf(crd), path.split("."));
        }
        return crd;
      },
    );
    assertEquals(await createAndRun(crds), {
      phase: "Succeeded",
      inputs: [{ name: "in", raw: { data: "x" } }],
    });
  });
}

function schemaOf(crd: KubeObject): unknown {
  const { versions } = crd.spec as { versions: { schema: { openAPIV3Schema: unknown } }[] };
  return versions[0]!.schema.openAPIV3Schema;
}

/**
 * Removes the field of a path such as `outputs.artifacts[].size` from a schema; no-op where the schema has no such
 * field.
 */
function removeField(schema: unknown, [step = "", ...rest]: readonly string[]): void {
  const { properties, additionalProperties } = fieldsOf(schema);
  if (step === "*") return removeField(additionalProperties, rest);
  const name = step.replace("[]", "");
  if (rest.length === 0) delete (fieldsOf(properties) as Record<string, unknown>)[name];
  else {
    const below = fieldsOf(properties)[name];
    removeField(step.endsWith("[]") ? fieldsOf(below).items : below, rest);
  }
}
