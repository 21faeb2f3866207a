import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { Template } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { EvaluationMeter, withMeter } from "@tiphys/language/template";
import { buildPod } from "../build.ts";
import { CONFIG, containerOf, LEGACY_LAYOUT, podFor, refusalFor, requestFor } from "../testing/pod_request.ts";

const CONTAINER: Template = { container: { image: "busybox", command: ["sh"] } };

function patchOf(name: string): string {
  return `containers:\n- name: ${name}\n  resources:\n    limits:\n      cpu: 101m\n`;
}

Deno.test("podSpecPatch: `supervisor` refers to the aux container (IL-45)", () => {
  const pod = podFor({ ...CONTAINER, podSpecPatch: patchOf("supervisor") });
  assertEquals(containerOf(pod, "supervisor").resources?.limits, { cpu: "101m" });
});

for (const name of ["wait", "init", "executor"]) {
  Deno.test(`podSpecPatch naming \`${name}\` patches the supervisor, and no container without image appears (IL-75)`, () => {
    const pod = podFor({ ...CONTAINER, podSpecPatch: patchOf(name) });
    assertEquals(containerOf(pod, "supervisor").resources?.limits, { cpu: "101m" });
    assertEquals(pod.spec.containers.map((container) => container.name), ["supervisor", "main"]);
  });
}

Deno.test("podSpecPatch: the other layout's aux container refers to `wait` in the legacy layout", () => {
  const pod = podFor({ ...CONTAINER, podSpecPatch: patchOf("supervisor") }, LEGACY_LAYOUT);
  assertEquals(containerOf(pod, "wait").resources?.limits, { cpu: "101m" });
});

Deno.test("podSpecPatch: entries for the aux container are dropped in a pod without one", () => {
  const build = buildPod(requestFor({ resource: { action: "get" }, podSpecPatch: patchOf("wait") }));
  assert(build.ok);
  assertEquals(build.pod.spec.containers.map(({ name }) => name), ["main"]);
  assertEquals(build.warnings, ["podSpecPatch names the container wait, which this pod does not have"]);
});

Deno.test("podSpecPatch: the template's is applied after the workflow's", () => {
  const limits = (cpu: string) => JSON.stringify({ containers: [{ name: "main", resources: { limits: { cpu } } }] });
  const pod = podFor({ ...CONTAINER, podSpecPatch: limits("2") }, { spec: { podSpecPatch: limits("1") } });
  assertEquals(containerOf(pod, "main").resources?.limits, { cpu: "2" });
});

Deno.test("podSpecPatch: the workflow's may refer to inputs of the template", () => {
  const spec = { podSpecPatch: 'containers:\n- name: main\n  image: "{{inputs.parameters.image}}"' };
  const inputs = { parameters: [{ name: "image", value: "other:v2" }] };
  assertEquals(containerOf(podFor({ ...CONTAINER, inputs }, { spec }), "main").image, "other:v2");
});

Deno.test("podSpecPatch: an invalid patch fails the node with the reason", () => {
  assertStringIncludes(refusalFor({ ...CONTAINER, podSpecPatch: "- a list" }), "Error applying PodSpecPatch: ");
});

Deno.test("podSpecPatch: a field of the wrong type ends the node and is named", () => {
  const podSpecPatch = JSON.stringify({ containers: [{ name: "main", resources: "much" }] });
  assertEquals(
    refusalFor({ ...CONTAINER, podSpecPatch }),
    'Error applying PodSpecPatch: containers[0].resources: expected object, got "much"',
  );
});

Deno.test("podSpecPatch: may contain directives, nulls and unknown fields", () => {
  const container = { ...CONTAINER.container, env: [{ name: "A", value: "1" }, { name: "B", value: "2" }] };
  const podSpecPatch = JSON.stringify({
    containers: [{ name: "main", env: [{ name: "A", $patch: "delete" }], args: null, newField: 1 }],
    hostnameOverride: "h",
  });
  const pod = podFor({ container: { ...container, args: ["x"] }, podSpecPatch });
  const { env, args } = containerOf(pod, "main");
  assertEquals(env?.some(({ name }) => name === "A"), false);
  assertEquals(env?.some(({ name }) => name === "B"), true);
  assertEquals(args, undefined);
  assertEquals((pod.spec as unknown as { hostnameOverride: string }).hostnameOverride, "h");
});

function containersOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({ name: `c${index}`, image: "busybox", command: ["x"] }));
}

Deno.test("podSpecPatch: thousands of containers are rejected with the location of the patch", () => {
  const podSpecPatch = JSON.stringify({ containers: containersOf(2_000), initContainers: containersOf(1_000) });
  const reason = "has 3000 containers, and a pod may have 500";
  assertEquals(
    refusalFor({ ...CONTAINER, podSpecPatch }),
    `Error applying PodSpecPatch: podSpecPatch of template "work" ${reason}`,
  );
  assertEquals(
    refusalFor(CONTAINER, { spec: { podSpecPatch } }),
    `Error applying PodSpecPatch: spec.podSpecPatch ${reason}`,
  );
});

Deno.test("buildPod() rejects a pod with too many containers, from any source", () => {
  const refusal = (count: number) =>
    `the pod of template "work" has ${count} containers; the maximum is ${LIMITS.podContainers}`;
  assertEquals(refusalFor({ ...CONTAINER, sidecars: containersOf(501) }), refusal(501));
  const podSpecPatch = JSON.stringify({ containers: containersOf(499) });
  assertEquals(refusalFor({ ...CONTAINER, podSpecPatch }), refusal(501));
  assertEquals(
    podFor({ ...CONTAINER, podSpecPatch: JSON.stringify({ containers: containersOf(400) }) }).spec.containers.length,
    402,
  );
});

const LONG = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`k${index}`, "a value"]));
const LONG_YAML = `nodeSelector:\n${Object.entries(LONG).map(([key, value]) => `  ${key}: "${value}"\n`).join("")}`;

Deno.test("podSpecPatch: a long patch must be JSON", () => {
  const pod = podFor({ ...CONTAINER, podSpecPatch: JSON.stringify({ nodeSelector: LONG }) });
  assertEquals(pod.spec.nodeSelector, LONG);
  assertEquals(
    refusalFor({ ...CONTAINER, podSpecPatch: LONG_YAML }),
    'Error applying PodSpecPatch: podSpecPatch of template "work" ' +
      `has ${LONG_YAML.length} characters; without JSON syntax, the limit is 65536`,
  );
  assertStringIncludes(
    refusalFor({ ...CONTAINER, podSpecPatch: `{"a":"${"x".repeat(LIMITS.podBytes)}"}` }),
    `characters; the maximum is ${LIMITS.podBytes}`,
  );
});

Deno.test("podSpecPatch: YAML is parsed once for all pods, and no pod changes it for others", () => {
  const podSpecPatch = LONG_YAML.slice(0, 40_000).replace(/\n[^\n]*$/, "\ncontainers: [{name: main, args: [x]}]\n");
  // This meter rejects any long work, so parsing a second time would fail.
  const hasty = () => new EvaluationMeter({ now: () => 0, all: 1_000, single: 1_000, whole: 1_000, step: 10 });
  const build = () => withMeter(hasty(), () => podFor({ ...CONTAINER, podSpecPatch }));
  assertThrows(build, Error, "all of it may take 1s");
  const first = podFor({ ...CONTAINER, podSpecPatch });
  const before = structuredClone(first);
  first.spec.nodeSelector!.k0 = "changed";
  containerOf(first, "main").args!.push("changed");
  assertEquals(build(), before);
});

Deno.test("podSpecPatch: the last of duplicate JSON fields is used, and a flow mapping is YAML", () => {
  assertEquals(podFor({ ...CONTAINER, podSpecPatch: '{"hostname":"a","hostname":"b"}' }).spec.hostname, "b");
  assertEquals(podFor({ ...CONTAINER, podSpecPatch: "{hostname: a}" }).spec.hostname, "a");
});

Deno.test("podSpecPatch: null instead of a list of containers is accepted in every layout", () => {
  for (const changes of [{}, LEGACY_LAYOUT, { config: { ...CONFIG, singleContainer: true } }]) {
    const before = podFor(CONTAINER, changes);
    for (const podSpecPatch of ["containers: null", '{"initContainers":null}']) {
      assertEquals(podFor(CONTAINER, { ...changes, spec: { podSpecPatch } }).spec, before.spec, podSpecPatch);
    }
  }
});

Deno.test("podSpecPatch: a pod without containers is rejected with the API server's message", () => {
  const patches = [
    '{"$patch":"replace","hostname":"a"}',
    '{"$patch":"delete"}',
    '{"$retainKeys":["hostname"],"hostname":"a"}',
    '{"containers":[{"$patch":"replace"}]}',
  ];
  for (const podSpecPatch of patches) {
    const message = 'Pod "wf-work-123" is invalid: spec.containers: Required value';
    assertEquals(refusalFor({ ...CONTAINER, podSpecPatch }), message, podSpecPatch);
  }
});
