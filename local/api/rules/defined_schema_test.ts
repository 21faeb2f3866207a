import { assertEquals, assertMatch } from "@std/assert";
import { classifyError, CUSTOM_RESOURCE_DEFINITIONS, type KubeObject, WORKFLOW_TASK_RESULTS } from "@tiphys/kube";
import { customResourceDefinition } from "../../../scripts/gen_crd.ts";
import { createApiServer } from "../server.ts";
import { schemaCauses, withDefinedDefaults } from "./defined_schema.ts";

const SCHEMA = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", maxLength: 3 },
    key: { type: "string", default: "k" },
    count: { type: "integer", minimum: 1 },
    mode: { type: "string", enum: ["a", "b"] },
    port: { "x-kubernetes-int-or-string": true },
    list: {
      type: "array",
      maxItems: 1,
      items: { type: "object", properties: { key: { type: "string", default: "" } } },
    },
    map: { type: "object", additionalProperties: { type: "boolean" } },
    any: { "x-kubernetes-preserve-unknown-fields": true },
  },
};

for (
  const [value, faults] of [
    [{ name: "n", count: 1, mode: "a", port: 80, list: [{}], map: { x: true }, any: [1, { a: null }] }, []],
    [{ name: "n", port: "http" }, []],
    [{}, ["name: Required value"]],
    [{ name: 5 }, ['name: Invalid value: "number": name in body must be of type string: "number"']],
    [{ name: "long" }, ["name: Invalid value: 4: name in body should be at most 3 characters"]],
    [{ name: "n", count: 0 }, ["count: Invalid value: 0: count in body should be at least 1"]],
    [{ name: "n", mode: "c" }, ['mode: Unsupported value: "c": supported values: "a", "b"']],
    [{ name: "n", list: [1] }, ['list[0]: Invalid value: "number": list[0] in body must be of type object: "number"']],
    [{ name: "n", map: { x: 1 } }, ['map.x: Invalid value: "number": map.x in body must be of type boolean: "number"']],
    [{ name: null }, ['name: Invalid value: "null": name in body must be of type string: "null"']],
  ] as const
) {
  Deno.test(`schemaCauses: ${JSON.stringify(value)}`, () => {
    assertEquals(schemaCauses(value, SCHEMA).map(({ field, message }) => `${field}: ${message}`), [...faults]);
  });
}

Deno.test("schemaCauses: an error has the first supported values of a long enum, and a long name is truncated", () => {
  const values = Array.from({ length: 5_000 }, (_, index) => `value-${index}`);
  const schema = { additionalProperties: { type: "string", enum: values } };
  assertEquals(schemaCauses({ a: "value-4999" }, schema), []);
  const [cause] = schemaCauses({ ["a".repeat(5_000)]: "b" }, schema);
  assertMatch(cause!.message, /^Unsupported value: "b": supported values: "value-0", "value-1", .*…$/);
  assertEquals([cause!.message.length < 1_100, cause!.field], [true, `${"a".repeat(320)}…`]);
});

Deno.test("withDefinedDefaults: fills in missing fields at any depth, and keeps existing ones", () => {
  assertEquals(withDefinedDefaults({ name: "n", list: [{}] }, SCHEMA), { name: "n", key: "k", list: [{ key: "" }] });
  const whole = { name: "n", key: "" };
  assertEquals(withDefinedDefaults(whole, SCHEMA) === whole, true);
});

Deno.test("definitions: a definition of a built-in Argo kind determines the stored fields until it is deleted", async () => {
  const api = createApiServer({ storePath: ":memory:" });
  const client = api.client();
  const report = (name: string) => ({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTaskResult",
    metadata: { name },
    outputs: { artifacts: [{ name: "a", size: 3, s3: { accessKeySecret: { key: "k" } } }] },
  });
  const create = async (name: string) =>
    (await client.create<KubeObject>(WORKFLOW_TASK_RESULTS, "default", report(name))).outputs;
  const crd = customResourceDefinition("WorkflowTaskResult", { dialect: "argo" }) as unknown as KubeObject;
  try {
    assertEquals(await create("before"), report("").outputs);
    await client.create(CUSTOM_RESOURCE_DEFINITIONS, undefined, crd);
    assertEquals(await create("pruned"), {
      artifacts: [{ name: "a", s3: { accessKeySecret: { key: "k", name: "" } } }],
    });
    const wrong = { ...report("wrong"), outputs: { parameters: [{ name: "p", value: 7 }] } };
    const error = await client.create(WORKFLOW_TASK_RESULTS, "default", wrong).catch((error) => error);
    assertEquals(classifyError(error), "invalid");
    assertMatch(String(error), /outputs\.parameters\[0\]\.value: Invalid value/);
    await client.delete(CUSTOM_RESOURCE_DEFINITIONS, undefined, crd.metadata.name!);
    assertEquals(await create("after"), report("").outputs);
  } finally {
    client.close();
    api.close();
  }
});
