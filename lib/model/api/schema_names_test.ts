import { assertEquals, assertStrictEquals } from "@std/assert";
import { withSchemaNames } from "./schema_names.ts";

const HEAD = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { generateName: "w-" } };

Deno.test("withSchemaNames(): a field that differs only in case gets the name in the schema, at any depth", () => {
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

Deno.test("withSchemaNames(): an exact spelling takes precedence at any position; otherwise the last spelling is used", () => {
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

Deno.test("withSchemaNames(): keys of maps and contents of JSON fields are unchanged", () => {
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

Deno.test("withSchemaNames(): objects of other kinds, and those that are nested too deeply, are unchanged", () => {
  const map = { apiVersion: "v1", kind: "ConfigMap", Metadata: { name: "x" } };
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const tooDeep = { ...HEAD, Spec: deep };
  for (const value of [map, tooDeep, null, "Workflow", [HEAD], { Kind: "Workflow" }]) {
    assertStrictEquals(withSchemaNames(value), value);
  }
});

Deno.test("withSchemaNames(): folds case like Go, including the long s and the Kelvin sign", () => {
  assertEquals(withSchemaNames({ ...HEAD, "ſpec": {}, "\u212And": 1 }), { ...HEAD, spec: {}, "\u212And": 1 });
});
