import { assertEquals, assertThrows } from "@std/assert";
import { ExecutorError } from "../failure.ts";
import { templateOf } from "./template_shape.ts";

Deno.test("templateOf() takes a template as it is, and null for nothing", () => {
  const template = { name: "a", inputs: { artifacts: [{ name: "b", path: "/b", s3: { key: "k" } }] }, later: [1] };
  assertEquals<unknown>(templateOf(JSON.stringify({ ...template, outputs: null })), template);
});

Deno.test("templateOf() asks for no name of what a data template lists and a resource template takes", () => {
  const template = {
    data: { source: { artifactPaths: { s3: { key: "k" } } } },
    resource: { manifestFrom: { artifact: { raw: { data: "" } } } },
  };
  assertEquals<unknown>(templateOf(JSON.stringify(template)), template);
});

for (
  const [text, words] of [
    ["{", "The template of the pod is no JSON"],
    ["[]", "cannot be read: expected object, got a list"],
    ['{"inputs": {"artifacts": [{"path": "/a"}]}}', "cannot be read: inputs.artifacts[0].name is required"],
    ['{"container": {"volumeMounts": {}}}', "cannot be read: container.volumeMounts: expected list, got an object"],
    ['{"script": {"source": 7}}', "cannot be read: script.source: expected string, got a number"],
    ['{"containerSet": {}}', "cannot be read: containerSet.containers is required"],
  ] as const
) {
  Deno.test(`templateOf() says of ${text} where it is wrong`, () => {
    assertThrows(() => templateOf(text), ExecutorError, words);
  });
}
