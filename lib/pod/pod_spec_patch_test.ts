import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Template } from "../api/mod.ts";
import { containerOf, LEGACY_LAYOUT, podFor, refusalFor } from "./pod_request_for_tests.ts";

const CONTAINER: Template = { container: { image: "busybox", command: ["sh"] } };

function patchOf(name: string): string {
  return `containers:\n- name: ${name}\n  resources:\n    limits:\n      cpu: 101m\n`;
}

Deno.test("podSpecPatch naming `supervisor` patches the aux container (IL-45)", () => {
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

Deno.test("podSpecPatch naming the other layout's aux container patches `wait` in the legacy layout", () => {
  const pod = podFor({ ...CONTAINER, podSpecPatch: patchOf("supervisor") }, LEGACY_LAYOUT);
  assertEquals(containerOf(pod, "wait").resources?.limits, { cpu: "101m" });
});

Deno.test("podSpecPatch of a pod without aux container loses what it says about it", () => {
  const pod = podFor({ resource: { action: "get" }, podSpecPatch: patchOf("wait") });
  assertEquals(pod.spec.containers.map(({ name }) => name), ["main"]);
});

Deno.test("podSpecPatch of the template comes after the workflow's", () => {
  const limits = (cpu: string) => JSON.stringify({ containers: [{ name: "main", resources: { limits: { cpu } } }] });
  const pod = podFor({ ...CONTAINER, podSpecPatch: limits("2") }, { spec: { podSpecPatch: limits("1") } });
  assertEquals(containerOf(pod, "main").resources?.limits, { cpu: "2" });
});

Deno.test("podSpecPatch of the workflow knows the inputs of the template", () => {
  const spec = { podSpecPatch: 'containers:\n- name: main\n  image: "{{inputs.parameters.image}}"' };
  const inputs = { parameters: [{ name: "image", value: "other:v2" }] };
  assertEquals(containerOf(podFor({ ...CONTAINER, inputs }, { spec }), "main").image, "other:v2");
});

Deno.test("podSpecPatch that cannot be read ends the node with the reason", () => {
  assertStringIncludes(refusalFor({ ...CONTAINER, podSpecPatch: "- a list" }), "Error applying PodSpecPatch: ");
});
