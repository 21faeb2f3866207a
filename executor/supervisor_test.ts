import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Workflow, WorkflowTaskResult } from "../lib/api/mod.ts";
import { ENV, LABEL, PATH } from "../lib/constants.ts";
import { type KubeClient, WORKFLOW_TASK_RESULTS, WORKFLOWS } from "../lib/kube/mod.ts";
import { readMarker, untilFile } from "../lib/watch/mod.ts";
import { createApiServer } from "../local/api/mod.ts";
import { emissary } from "./emissary.ts";
import { writeExitCode } from "./exit_code.ts";
import { sendSignal } from "./signals.ts";
import { supervisor } from "./supervisor.ts";
import type { PodTemplate } from "./template.ts";
import { at, containerFolder, makeSharedFolder } from "./world.ts";
import { type TestWorld, testWorld } from "./world_for_tests.ts";

const WORKFLOW = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", spec: {} };

interface Pod extends AsyncDisposable {
  readonly world: TestWorld;
  readonly client: KubeClient;
  readonly main: TestWorld;
  /** What was reported. */
  result(): Promise<WorkflowTaskResult>;
}

/** A pod's folder as its supervisor sees it, beside a real API. */
async function podOf(template: PodTemplate, env: Record<string, string> = {}): Promise<Pod> {
  const api = createApiServer({ storePath: ":memory:" });
  const served = await api.serve(0);
  const client = api.client();
  // Without its owner a report would be swept away.
  const metadata = { name: "wf", namespace: "ns" };
  const workflow = await client.create<Workflow>(WORKFLOWS, "ns", { ...WORKFLOW, metadata });
  const url = new URL(served.url);
  const shared = {
    KUBERNETES_SERVICE_HOST: url.hostname,
    KUBERNETES_SERVICE_PORT: url.port,
    [ENV.apiScheme]: url.protocol.slice(0, -1),
    [ENV.nodeId]: "wf-1",
    [ENV.workflowName]: "wf",
    [ENV.workflowUid]: workflow.metadata.uid!,
    [ENV.template]: JSON.stringify(template),
    [ENV.initlessPod]: "true",
    ...env,
  };
  const world = await testWorld({ container: "supervisor", env: shared });
  await world.write(`${PATH.serviceAccount}/token`, served.token);
  await world.write(`${PATH.serviceAccount}/namespace`, "ns");
  await Deno.mkdir(at(world, PATH.staging), { recursive: true });
  return {
    world,
    client,
    main: world.as("main", { [ENV.waitForReady]: "true", [ENV.template]: "" }),
    result: () => client.get<WorkflowTaskResult>(WORKFLOW_TASK_RESULTS, "ns", "wf-1"),
    async [Symbol.asyncDispose]() {
      await served.close();
      api.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

function isComplete(result: WorkflowTaskResult): boolean {
  return result.metadata.labels?.[LABEL.reportOutputsCompleted] === "true";
}

Deno.test("supervisor() and emissary() run a script from its text to its reported result", async () => {
  const script = { source: "echo hello\necho there\n" };
  await using pod = await podOf({ script }, { [ENV.includeScriptOutput]: "true" });
  const [own, main] = await Promise.all([
    supervisor(pod.world),
    emissary(pod.main, ["--", "sh", at(pod.world, PATH.scriptSource)]),
  ]);
  assertEquals([own, main], [0, 0]);
  const result = await pod.result();
  assertEquals(result.outputs?.result, "hello\nthere");
  assert(isComplete(result));
  assertEquals(result.metadata.ownerReferences?.[0].name, "wf");
});

Deno.test("supervisor() reports parameters from the image and from volumes, and defaults for missing ones (IL-34)", async () => {
  const parameters = [
    { name: "image", valueFrom: { path: "/out/a" } },
    { name: "volume", valueFrom: { path: "/data/b" } },
    { name: "missing", valueFrom: { path: "/out/c", default: "otherwise" } },
  ];
  const container = { volumeMounts: [{ name: "v", mountPath: "/data" }] };
  await using pod = await podOf({ container, outputs: { parameters } });
  await pod.world.write(`${PATH.mainFileSystem}/data/b`, "from the volume\n\n");
  const script = `mkdir ${pod.world.root}/out; echo from the image > ${pod.world.root}/out/a`;
  const [own] = await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
  assertEquals(own, 0);
  const reported = (await pod.result()).outputs?.parameters?.map(({ name, value }) => [name, value]);
  assertEquals(reported, [["image", "from the image"], ["volume", "from the volume\n"], ["missing", "otherwise"]]);
});

for (const change of ["rm in/a; echo new > in/a", "echo new > other; mv other in/a", "echo new > in/a"]) {
  Deno.test(`supervisor() reports what main made of an input by \`${change}\` (IL-33)`, async () => {
    const inputs = { artifacts: [{ name: "a", path: "/in/a", raw: { data: "old" } }] };
    const outputs = { parameters: [{ name: "p", valueFrom: { path: "/in/a" } }] };
    await using pod = await podOf({ container: {}, inputs, outputs });
    const script = `cd ${pod.world.root}; ${change}`;
    const [own] = await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
    assertEquals(own, 0);
    assertEquals((await pod.result()).outputs?.parameters?.[0].value, "new");
  });
}

Deno.test("supervisor() names an output parameter whose file is missing, and still closes the report", async () => {
  const parameters = [{ name: "p", valueFrom: { path: "/out/p" } }];
  await using pod = await podOf({ container: {}, outputs: { parameters } });
  const [own] = await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "true"])]);
  assertEquals(own, 64);
  assertMatch(await pod.world.read(PATH.terminationLog) ?? "", /open \/out\/p: no such file or directory/);
  assert(isComplete(await pod.result()));
});

Deno.test("supervisor() stages raw artifacts before main starts, readable by everybody", async () => {
  const artifacts = [{ name: "a", path: "/in/a", raw: { data: "content" } }, {
    name: "b",
    path: "/data/sub/b",
    raw: { data: "in the volume" },
  }];
  const container = { volumeMounts: [{ name: "v", mountPath: "/data" }] };
  await using pod = await podOf({ container, inputs: { artifacts } });
  const script = `cat ${pod.world.root}/in/a > ${pod.world.root}/copy`;
  await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
  assertEquals(await pod.world.read("/copy"), "content");
  assertEquals(await pod.world.read(`${PATH.mainFileSystem}/data/sub/b`), "in the volume");
  assertEquals((await Deno.stat(at(pod.world, `${PATH.mainFileSystem}/data/sub`))).mode! & 0o777, 0o777);
});

Deno.test("supervisor() that cannot load an input ends main with 65, reports nothing else and says why (IL-20, IL-42)", async () => {
  const outputs = { parameters: [{ name: "p", valueFrom: { path: "/p" } }] };
  await using pod = await podOf({ container: {}, inputs: { artifacts: [{ name: "a", path: "/a" }] }, outputs });
  const [own, main] = await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "true"])]);
  assertEquals([own, main], [64, 65]);
  assertStringIncludes(
    await pod.world.read(PATH.terminationLog) ?? "",
    "failed to load non-plugin input artifacts: required artifact 'a' not supplied",
  );
  const result = await pod.result();
  assertEquals(result.outputs, undefined);
  assert(isComplete(result));
});

Deno.test("supervisor() whose template cannot be had says FAILED (IL-80)", async () => {
  await using pod = await podOf({}, { [ENV.template]: "offloaded" });
  assertEquals(await supervisor(pod.world), 64);
  const marker = (await readMarker(at(pod.world, PATH.status)))?.marker;
  assertEquals(marker?.kind, "FAILED");
});

Deno.test("supervisor() does not crash when the marker cannot be written, and reports it (IL-18)", async () => {
  await using pod = await podOf({ container: {} });
  await Deno.mkdir(at(pod.world, `${PATH.status}.tmp`));
  await makeSharedFolder(containerFolder(pod.world, "main"));
  await writeExitCode(pod.world, "main", 65);
  assertEquals(await supervisor(pod.world), 64);
  assertMatch(await pod.world.read(PATH.terminationLog) ?? "", /failed to write \/var\/run\/argo\/status/);
  assert(isComplete(await pod.result()));
});

Deno.test("supervisor() that is told to end waits for what main writes last, and reports it (IL-59)", async () => {
  const parameters = [{ name: "p", valueFrom: { path: "/p" } }];
  await using pod = await podOf({ container: {}, outputs: { parameters } });
  const { root } = pod.world;
  const script = `trap "echo last > ${root}/p; exit 0" TERM; echo up > ${root}/up; while :; do sleep 0.02; done`;
  const running = Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
  await untilFile(at(pod.world, "/up"), async () => await pod.world.read("/up") || undefined);
  await sendSignal(pod.world, "supervisor", 15);
  await sendSignal(pod.world, "main", 15);
  assertEquals(await running, [0, 0]);
  const result = await pod.result();
  assertEquals(result.outputs?.parameters?.[0].value, "last");
  assert(isComplete(result));
});

Deno.test("supervisor() ends main at its deadline, and says so", async () => {
  await using pod = await podOf({ container: {} }, { [ENV.deadline]: new Date(Date.now() + 50).toISOString() });
  const script = "while :; do sleep 0.02; done";
  const [own, main] = await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
  assertEquals([own, main], [0, 143]);
  assertEquals(await pod.world.termination(), { stage: "deadline", cause: "Step exceeded its deadline" });
});

Deno.test("supervisor() reports the progress that main wrote last (IL-74)", async () => {
  const env = { [ENV.progressFile]: PATH.progress, [ENV.progressPatchTick]: "1m0s" };
  await using pod = await podOf({ container: {} }, env);
  const script = `printf '10/100\\n100/100\\n' > ${at(pod.world, PATH.progress)}`;
  await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
  assertEquals((await pod.result()).progress, "100/100");
});

Deno.test("supervisor() says what is missing when an output artifact has nowhere to go", async () => {
  await using pod = await podOf({ container: {}, outputs: { artifacts: [{ name: "o", path: "/o" }] } });
  const script = `echo x > ${pod.world.root}/o`;
  const [own] = await Promise.all([supervisor(pod.world), emissary(pod.main, ["--", "sh", "-c", script])]);
  assertEquals(own, 64);
  assertStringIncludes(
    await pod.world.read(PATH.terminationLog) ?? "",
    "artifact storage is not configured; see the docs",
  );
});
