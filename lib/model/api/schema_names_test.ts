import { assertEquals, assertStrictEquals } from "@std/assert";
import { withSchemaNames } from "./schema_names.ts";

const HEAD = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { generateName: "w-" } };

Deno.test("a field that differs only in the case of its letters is the field of the schema, however deep it lies", () => {
  const odd = {
    ...HEAD,
    spec: {
      EntryPoint: "main",
      Templates: [
        { Name: "main", STEPS: [[{ name: "a", Arguments: { PARAMETERS: [{ NAME: "x", Value: 1 }] } }]] },
        { name: "out", outputs: { parameters: [{ name: "o", valueFrom: { Parameter: "{{x}}" } }] } },
        {
          name: "pod",
          Container: { Image: "busybox", env: [{ name: "A", ValueFrom: { FieldRef: { FieldPath: "x" } } }] },
        },
      ],
    },
  };
  assertEquals(withSchemaNames(odd), {
    ...HEAD,
    spec: {
      entrypoint: "main",
      templates: [
        { name: "main", steps: [[{ name: "a", arguments: { parameters: [{ name: "x", value: 1 }] } }]] },
        { name: "out", outputs: { parameters: [{ name: "o", valueFrom: { parameter: "{{x}}" } }] } },
        {
          name: "pod",
          container: { image: "busybox", env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "x" } } }] },
        },
      ],
    },
  });
});

Deno.test("a field that is spelled exactly goes before one that is not, wherever it stands; else the last counts", () => {
  for (
    const [spec, meant] of [
      [{ EntryPoint: "no", entrypoint: "yes" }, "yes"],
      [{ entrypoint: "yes", EntryPoint: "no" }, "yes"],
      [{ EntryPoint: "no", ENTRYPOINT: "yes" }, "yes"],
    ] as const
  ) {
    assertEquals(withSchemaNames({ ...HEAD, spec }), { ...HEAD, spec: { entrypoint: meant } });
  }
});

Deno.test("keys of maps, and what lies in fields of any JSON, are nobody's field names", () => {
  const free = {
    ...HEAD,
    metadata: { name: "w", labels: { Name: "x", NAMESPACE: "y" }, annotations: { Labels: "z" } },
    spec: {
      templates: [{
        name: "t",
        nodeSelector: { Name: "a" },
        steps: [[{ name: "s", withItems: [{ Template: "x", TEMPLATE: "y" }] }]],
        plugin: { Hello: { Name: "x" } },
        resource: { action: "get", manifest: "Kind: Pod" },
      }],
      nobodyKnows: { Name: "x" },
    },
  };
  assertStrictEquals(withSchemaNames(free), free);
});

Deno.test("what is of no kind of ours, or too deep to be walked, comes back as it is", () => {
  const map = { apiVersion: "v1", kind: "ConfigMap", Metadata: { name: "x" } };
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const tooDeep = { ...HEAD, Spec: deep };
  for (const value of [map, tooDeep, null, "Workflow", [HEAD], { Kind: "Workflow" }]) {
    assertStrictEquals(withSchemaNames(value), value);
  }
});

Deno.test("names are compared as Go compares them: the long s and the sign of Kelvin are letters", () => {
  assertEquals(withSchemaNames({ ...HEAD, "ſpec": {}, "\u212And": 1 }), { ...HEAD, spec: {}, "\u212And": 1 });
});
