import { assertEquals } from "@std/assert";
import type { NodeStatus, Template, Workflow } from "../api/mod.ts";
import { storedTemplateOf } from "./template_of_node.ts";

const named = (name: string, image: string): Template => ({ name, container: { image } });

const WORKFLOW: Workflow = {
  metadata: { name: "w" },
  spec: {
    templates: [
      named("one", "own"),
      named("two", "own"),
      {
        name: "steps",
        steps: [[{ name: "a", inline: named("", "inline of a step") }, { name: "b", template: "one" }]],
      },
      { name: "dag", dag: { tasks: [{ name: "a", inline: named("", "inline of a task") }] } },
    ],
  },
  status: {
    storedWorkflowTemplateSpec: { templates: [named("two", "template")] },
    storedTemplates: {
      "namespaced/lib/one": named("one", "lib"),
      "cluster/lib/one": named("one", "cluster"),
      "namespaced/lib/three": named("three", "lib"),
    },
    nodes: Object.fromEntries(["steps", "dag"].map((name) => [name, node({ templateName: name })])),
  },
};

function node(more: Partial<NodeStatus>): NodeStatus {
  return { id: "n", name: "n", displayName: "n", type: "Pod", phase: "Running", ...more };
}

const imageOf = (more: Partial<NodeStatus>) => storedTemplateOf(WORKFLOW, node(more))?.container?.image;

Deno.test("storedTemplateOf: the template of the WorkflowTemplate takes precedence over the workflow's own", () => {
  assertEquals([imageOf({ templateName: "one" }), imageOf({ templateName: "two" })], ["own", "template"]);
  assertEquals(imageOf({ templateName: "one", templateScope: "local/w" }), "own");
  assertEquals(imageOf({ templateName: "nobody's" }), undefined);
});

Deno.test("storedTemplateOf: returns the stored template of another object", () => {
  const ref = { name: "lib", template: "one" };
  assertEquals(
    [imageOf({ templateRef: ref }), imageOf({ templateRef: { ...ref, clusterScope: true } })],
    ["lib", "cluster"],
  );
  const scopes = ["namespaced/lib", "cluster/lib", "lib"];
  assertEquals(scopes.map((templateScope) => imageOf({ templateName: "one", templateScope })), [
    "lib",
    "cluster",
    "lib",
  ]);
});

Deno.test("storedTemplateOf: finds a template with an unknown key by name", () => {
  assertEquals(imageOf({ templateName: "three" }), "lib");
});

Deno.test("storedTemplateOf: returns the inline template of the call for a node without a template name", () => {
  const found = ["steps", "dag"].map((boundaryID) => imageOf({ displayName: "a", boundaryID }));
  assertEquals(found, ["inline of a step", "inline of a task"]);
  assertEquals(imageOf({ displayName: "a(0:x)", boundaryID: "steps" }), "inline of a step");
  assertEquals([imageOf({ displayName: "b", boundaryID: "steps" }), imageOf({ displayName: "a" })], [
    undefined,
    undefined,
  ]);
});
