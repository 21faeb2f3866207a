import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { WORKFLOW_TEMPLATES } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";
import { FakeWorld } from "../testing/fake_world.ts";

const BROKEN = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "WorkflowTemplate",
  metadata: { name: "broken", namespace: "default" },
  spec: { entrypoint: "main", templates: [{ name: "main", steps: [[{ name: "a", template: "mian" }]] }] },
};

Deno.test("preflight: prints its findings and exits with 0 without problems", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("preflight"), 0);
  assertMatch(world.output, /^CHECK +RESULT +SUBJECT +MESSAGE\n/);
  assertMatch(world.output, /\n0 problems, 0 warnings\n$/);
  assertStringIncludes(world.output, "no workflow-controller in namespace");
});

Deno.test("preflight: an object that would not run unchanged is a warning with its field, and the exit code is 0", async () => {
  using world = new FakeWorld();
  await world.client.create(WORKFLOW_TEMPLATES, "default", BROKEN);
  assertEquals(await world.run("preflight"), 0);
  assertMatch(
    world.output,
    /objects +warning +WorkflowTemplate\/default\/broken spec\.templates\[0\]\.steps\[0\]\[0\]/,
  );
});

Deno.test("preflight -o: prints its findings as JSON and YAML", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("preflight", "-o", "json"), 0);
  const checks = (JSON.parse(world.output) as { check: string }[]).map(({ check }) => check);
  assertEquals(checks, ["cluster", "crds", "controller", "lease", "settings", "objects"]);
  using again = new FakeWorld();
  assertEquals(await again.run("preflight", "-o", "yaml"), 0);
  assertEquals((parseYaml(again.output)[0]?.value as unknown as object[]).length, 6);
});
