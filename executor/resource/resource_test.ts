import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ENV, PATH } from "@tiphys/base/constants";
import { CONFIGMAPS, type KubeClient, type KubeObject, PODS, WORKFLOWS } from "@tiphys/kube";
import { awaitFact } from "../../tests/await_fact.ts";
import { type OwnPod, ownPod } from "../testing/own_pod.ts";
import type { PodTemplate } from "../pod/template.ts";
import type { World } from "../world.ts";
import { resource as runResource } from "./mod.ts";

interface ConfigMap extends KubeObject {
  readonly data: Record<string, string>;
}

const MANIFEST = `
apiVersion: v1
kind: ConfigMap
metadata: {name: cm, labels: {a: b}}
data: {some: '{"one": [1, 2]}'}
`;

function template(work: PodTemplate["resource"], parameters: NonNullable<PodTemplate["outputs"]>["parameters"] = []) {
  return { resource: { manifest: MANIFEST, ...work }, outputs: { parameters } };
}

function resource(world: World, args: readonly string[], ending = new AbortController().signal): Promise<number> {
  return runResource(world, args, ending);
}

/** Runs an action that must succeed, and returns the values of its parameters. */
async function run(pod: OwnPod, action: string): Promise<(string | undefined)[]> {
  assertEquals([await resource(pod.world, [action]), await pod.message()], [0, undefined]);
  const report = await pod.report();
  assert(report.isWhole);
  assertEquals(report.phase, "Succeeded");
  return (report.outputs?.parameters ?? []).map(({ value }) => value as string | undefined);
}

/** Runs an action that must fail, and returns the node's message. */
async function failure(pod: OwnPod, action: string, ending?: AbortSignal): Promise<string> {
  assertEquals(await resource(pod.world, [action, "--loglevel", "info"], ending), 64);
  const report = await pod.report();
  assert(report.isWhole);
  assertEquals(report.phase, undefined);
  return await pod.message() ?? "";
}

async function configMap(client: KubeClient): Promise<ConfigMap> {
  return await client.get<ConfigMap>(CONFIGMAPS, "ns", "cm");
}

async function makeConfigMap(client: KubeClient, data: Record<string, string> = { old: "1" }): Promise<void> {
  await client.create(CONFIGMAPS, "ns", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "cm" }, data });
}

Deno.test("resource create: creates the object, and paths and filters extract outputs from it", async () => {
  await using pod = await ownPod(template({}, [
    { name: "path", valueFrom: { jsonPath: "{.metadata.name}-{.data.none}" } },
    { name: "filter", valueFrom: { jqFilter: ".data.some | fromjson" } },
    { name: "text", valueFrom: { jqFilter: ".metadata.labels | keys[]" } },
    { name: "known", value: "before" },
  ]));
  assertEquals(await run(pod, "create"), ["cm-", '{"one":[1,2]}', "a", "before"]);
  assertEquals((await configMap(pod.client)).data, { some: '{"one": [1, 2]}' });
});

Deno.test("resource create: an existing object fails with kubectl's message and exit code 64", async () => {
  await using pod = await ownPod(template({}));
  await makeConfigMap(pod.client);
  assertEquals(
    await failure(pod, "create"),
    'no more retries Error from server (AlreadyExists): error when creating "/tmp/manifest.yaml": ' +
      'configmaps "cm" already exists',
  );
});

Deno.test("resource create: supports generateName and setOwnerReference", async () => {
  const manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: x-}\n";
  await using pod = await ownPod(
    template({ manifest, setOwnerReference: true }, [{ name: "n", valueFrom: { jsonPath: "{.metadata.name}" } }]),
  );
  const [name] = await run(pod, "create");
  assertMatch(name ?? "", /^x-/);
  const [owner] = (await pod.client.get(CONFIGMAPS, "ns", name!)).metadata.ownerReferences!;
  assertEquals([owner?.kind, owner?.name, owner?.controller, owner?.uid], [
    "Workflow",
    "wf",
    true,
    pod.world.env(ENV.workflowUid),
  ]);
});

Deno.test("resource: the last of duplicate keys in a manifest wins, as in kubectl", async () => {
  const manifest = "apiVersion: v1\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: one, name: two}\n";
  await using pod = await ownPod(
    template({ manifest }, [{ name: "n", valueFrom: { jsonPath: "{.metadata.name}" } }]),
  );
  assertEquals(await run(pod, "create"), ["two"]);
});

Deno.test("resource: a manifest may be an artifact, in the folder of inputs or mounted at its path", async () => {
  const work = {
    inputs: { artifacts: [{ name: "m", path: "/tmp/m.yaml" }] },
    resource: { manifestFrom: { artifact: { name: "m" } } },
  };
  for (const place of [`${PATH.inputArtifacts}/m`, "/tmp/m.yaml"]) {
    await using pod = await ownPod(work);
    await pod.world.write(place, MANIFEST);
    await run(pod, "create");
    assertEquals((await configMap(pod.client)).metadata.labels, { a: "b" });
  }
});

Deno.test("resource: the error names a manifest that is missing or not valid YAML", async () => {
  const manifestFrom = { artifact: { name: "m" } };
  await using missing = await ownPod({
    inputs: { artifacts: [{ name: "m", path: "/m" }] },
    resource: { manifestFrom },
  });
  assertEquals(await failure(missing, "create"), "open /m: no such file or directory");
  await using broken = await ownPod(template({ manifest: "a: [1" }));
  assertStringIncludes(await failure(broken, "create"), "error parsing /tmp/manifest.yaml: ");
});

Deno.test("resource: an unknown kind fails with a hint at the missing CRD", async () => {
  await using pod = await ownPod(template({ manifest: "apiVersion: a.b/v1\nkind: Foo\nmetadata: {name: f}\n" }));
  assertEquals(
    await failure(pod, "create"),
    'no more retries error: resource mapping not found for name: "f" namespace: "" from "/tmp/manifest.yaml": ' +
      'no matches for kind "Foo" in version "a.b/v1"\nensure CRDs are installed first',
  );
});

Deno.test("resource: an unknown field of a workflow is a warning unless --validate is set", async () => {
  const manifest = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: w}\nspec: {entrypoin: a}\n";
  await using strict = await ownPod(template({ manifest, flags: ["--validate=strict"] }));
  assertMatch(await failure(strict, "create"), /strict decoding error: unknown field "spec.entrypoin"/);
  await using warned = await ownPod(template({ manifest }));
  await run(warned, "create");
  assertStringIncludes(warned.world.logged.join("\n"), 'Warning: unknown field "spec.entrypoin"');
  await using lax = await ownPod(template({ manifest, flags: ["--validate=false"] }));
  await run(lax, "create");
});

Deno.test("resource apply: creates the object, then changes and removes only fields of manifests", async () => {
  await using pod = await ownPod(template({}));
  await run(pod, "apply");
  await pod.client.patch(CONFIGMAPS, "ns", "cm", { data: { theirs: "kept" } });
  const manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {new: value}\n";
  const next = pod.world.as("main", { [ENV.template]: JSON.stringify(template({ manifest })) });
  assertEquals(await resource(next, ["apply"]), 0);
  const { data, metadata } = await configMap(pod.client);
  assertEquals(data, { theirs: "kept", new: "value" });
  assertEquals(metadata.labels, undefined);
});

Deno.test("resource apply: the error for an invalid last-applied annotation names but does not quote it", async () => {
  await using pod = await ownPod(template({}));
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": "hunter2" };
  const metadata = { name: "cm", annotations };
  await pod.client.create(CONFIGMAPS, "ns", { apiVersion: "v1", kind: "ConfigMap", metadata });
  assertEquals(
    await failure(pod, "apply"),
    'no more retries error: the annotation kubectl.kubernetes.io/last-applied-configuration of ConfigMap "cm" is not a JSON object',
  );
});

Deno.test("resource apply: server-side apply is one request", async () => {
  await using pod = await ownPod(template({ flags: ["--server-side", "--force-conflicts"] }));
  await makeConfigMap(pod.client);
  await run(pod, "apply");
  assertEquals((await configMap(pod.client)).data, { old: "1", some: '{"one": [1, 2]}' });
});

Deno.test("resource replace: replaces the whole object and does not create a missing one", async () => {
  await using pod = await ownPod(template({}));
  assertStringIncludes(
    await failure(pod, "replace"),
    'Error from server (NotFound): error when replacing "/tmp/manifest.yaml": configmaps "cm" not found',
  );
  await pod.world.write(PATH.terminationLog, "");
  await makeConfigMap(pod.client);
  assertEquals(await resource(pod.world, ["replace"]), 0);
  assertEquals((await configMap(pod.client)).data, { some: '{"one": [1, 2]}' });
});

Deno.test("resource patch: the default is a strategic merge", async () => {
  const manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, annotations: {foo: bar}}\n";
  await using pod = await ownPod(template({ manifest }));
  await makeConfigMap(pod.client);
  await run(pod, "patch");
  const { data, metadata } = await configMap(pod.client);
  assertEquals([data, metadata.annotations], [{ old: "1" }, { foo: "bar" }]);
});

for (
  const [mergeStrategy, manifest] of [
    ["json", "- {op: add, path: /data/foo, value: bar}"],
    ["merge", "data: {foo: bar}"],
    ["strategic", "data: {foo: bar}"],
  ]
) {
  Deno.test(`resource patch: strategy ${mergeStrategy} patches the object that the flags name`, async () => {
    await using pod = await ownPod(template({ manifest, mergeStrategy, flags: ["cm", "cm"] }));
    await makeConfigMap(pod.client);
    await run(pod, "patch");
    assertEquals((await configMap(pod.client)).data, { old: "1", foo: "bar" });
  });
}

Deno.test("resource delete: succeeds for a missing object, and rejects conditions and outputs", async () => {
  await using pod = await ownPod(template({}));
  await run(pod, "delete");
  await using wrong = await ownPod(template({ successCondition: "a == b" }));
  assertEquals(
    await failure(wrong, "delete"),
    "successCondition, failureCondition and outputs are not supported for delete action",
  );
});

Deno.test("resource delete: deletes all documents of a manifest and all objects of a selector", async () => {
  const named = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
  await using pod = await ownPod(template({ manifest: `${named("a")}---\n${named("b")}` }));
  for (const name of ["a", "b", "c"]) {
    await pod.client.create(CONFIGMAPS, "ns", { metadata: { name, labels: { clean: name === "c" ? "up" : "not" } } });
  }
  await run(pod, "delete");
  assertEquals((await pod.client.list(CONFIGMAPS, "ns")).items.map(({ metadata }) => metadata.name), ["c"]);
  const bySelector = template({ manifest: "", flags: ["configmap", "--selector", "clean=up"] });
  const next = pod.world.as("main", { [ENV.template]: JSON.stringify(bySelector) });
  assertEquals(await resource(next, ["delete"]), 0);
  assertEquals((await pod.client.list(CONFIGMAPS, "ns")).items, []);
});

Deno.test("resource delete: waits for the object's finalizers", async () => {
  await using pod = await ownPod(template({}));
  await pod.client.create(CONFIGMAPS, "ns", { metadata: { name: "cm", finalizers: ["x.y/z"] } });
  const running = resource(pod.world, ["delete"]);
  await seen(pod.client, "cm", ({ metadata }) => metadata.deletionTimestamp !== undefined);
  await pod.client.patch(CONFIGMAPS, "ns", "cm", { metadata: { finalizers: null } });
  assertEquals(await running, 0);
});

Deno.test("resource get: a missing object fails, or with --ignore-not-found outputs have their defaults", async () => {
  const parameters = [{ name: "a", valueFrom: { jsonPath: "{.a}", default: "d" } }, {
    name: "b",
    valueFrom: { jqFilter: ".b" },
  }];
  await using strict = await ownPod(template({}, parameters));
  assertEquals(await failure(strict, "get"), 'no more retries Error from server (NotFound): configmaps "cm" not found');
  await using lax = await ownPod(template({ flags: ["--ignore-not-found"] }, parameters));
  assertEquals(await run(lax, "get"), ["d", ""]);
});

Deno.test("resource get: waits for the condition with a watch", async () => {
  const successCondition = "data.phase == done, data.count > 1";
  const parameters = [{ name: "phase", valueFrom: { jsonPath: "{.data.phase}" } }];
  await using pod = await ownPod(template({ successCondition }, parameters), {
    [ENV.resourceStateCheckInterval]: "1h",
  });
  await makeConfigMap(pod.client, { phase: "begun" });
  const running = run(pod, "get");
  await pod.client.patch(CONFIGMAPS, "ns", "cm", { data: { phase: "done" } });
  await pod.client.patch(CONFIGMAPS, "ns", "cm", { data: { count: "2" } });
  assertEquals(await running, ["done"]);
});

Deno.test("resource: a met failure condition fails with Argo's message", async () => {
  const conditions = { successCondition: "data.x == y", failureCondition: "data.phase in (failed, broken)" };
  await using pod = await ownPod(template(conditions));
  await makeConfigMap(pod.client, { phase: "failed" });
  assertEquals(await failure(pod, "get"), "failure condition '{data.phase in [broken failed]}' evaluated true");
});

Deno.test("resource: deletion of the object ends the wait for its condition", async () => {
  await using pod = await ownPod(template({ successCondition: "data.x == y" }));
  await makeConfigMap(pod.client);
  const running = failure(pod, "get");
  await waits(pod);
  await pod.client.delete(CONFIGMAPS, "ns", "cm");
  assertEquals(
    await running,
    "The resource has been deleted while its status was still being checked. Will not be retried: " +
      'configmaps "cm" not found',
  );
});

Deno.test("resource: the error names an invalid condition or output", async () => {
  await using pod = await ownPod(template({ successCondition: "a >= 1" }));
  await makeConfigMap(pod.client);
  assertStringIncludes(
    await failure(pod, "get"),
    "success condition 'a >= 1' failed to parse: unable to parse requirement",
  );
  await using path = await ownPod(template({}, [{ name: "p", valueFrom: { jsonPath: "{.a" } }]));
  assertEquals(await failure(path, "create"), 'output parameter "p": {.a: unclosed action');
  await using filter = await ownPod(template({}, [{ name: "p", valueFrom: { jqFilter: ".a[" } }]));
  assertStringIncludes(await failure(filter, "create"), 'output parameter "p": .a[: jq: error: syntax error');
});

Deno.test("resource: termination of the pod ends the wait and closes the report", async () => {
  await using pod = await ownPod(template({ successCondition: "data.x == y" }));
  await makeConfigMap(pod.client);
  const ending = new AbortController();
  const running = failure(pod, "get", ending.signal);
  await waits(pod);
  ending.abort(new Error("received SIGTERM"));
  assertEquals(await running, "received SIGTERM");
});

Deno.test("resource: with archived logs, the auxiliary container closes the report (IL-43)", async () => {
  const parameters = [{ name: "n", valueFrom: { jsonPath: "{.metadata.name}" } }];
  await using pod = await ownPod({ ...template({}, parameters), archiveLocation: { archiveLogs: true } });
  assertEquals(await resource(pod.world, ["create"]), 0);
  const report = await pod.report();
  assertEquals([report.isWhole, report.phase, report.outputs?.parameters?.[0]?.value], [false, undefined, "cm"]);
});

Deno.test("resource: every action but delete requires one object, and unknown flags are rejected", async () => {
  await using two = await ownPod(template({ manifest: `${MANIFEST}---${MANIFEST}` }));
  assertStringIncludes(await failure(two, "create"), 'Expected one object for "create", got 2');
  await using none = await ownPod(template({ manifest: "" }));
  assertStringIncludes(await failure(none, "create"), "Must provide at least one of flags or manifest.");
  await using flag = await ownPod(template({ flags: ["--nope"] }));
  assertStringIncludes(await failure(flag, "create"), "unknown flag: --nope");
});

Deno.test("resource: a manifest may be of any namespace and kind", async () => {
  const manifest =
    "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: w, namespace: other}\nspec: {}\n";
  await using pod = await ownPod(template({ manifest }));
  await run(pod, "create");
  assertEquals((await pod.client.get(WORKFLOWS, "other", "w")).metadata.name, "w");
  await using clash = await ownPod(template({ manifest, flags: ["-n", "third"] }));
  assertStringIncludes(await failure(clash, "create"), 'namespace from the provided object "other" does not match');
  await using pods = await ownPod(template({ manifest: "", flags: ["pods/p", "--namespace=third"] }));
  await pods.client.create(PODS, "third", {
    metadata: { name: "p" },
    spec: { containers: [{ name: "a", image: "b" }] },
  });
  await run(pods, "get");
});

/** Waits until a condition was evaluated and not met. */
async function waits({ world }: OwnPod): Promise<void> {
  const isLogged = () => world.logged.some((line) => line.startsWith("Neither success condition"));
  await awaitFact("the condition is waited for", isLogged, { seconds: 30 });
}

/** Waits with a watch until an object satisfies a predicate. */
async function seen(client: KubeClient, name: string, isAsWanted: (object: KubeObject) => boolean): Promise<void> {
  const ending = new AbortController();
  for await (
    const { object } of client.watch(CONFIGMAPS, "ns", { fieldSelector: `metadata.name=${name}` }, ending.signal)
  ) {
    if (isAsWanted(object)) break;
  }
  ending.abort();
}
