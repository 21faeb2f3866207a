import { assertEquals, assertThrows } from "@std/assert";
import { ExecutorError } from "../failure.ts";
import { parseTemplateJson } from "./template_shape.ts";

Deno.test("parseTemplateJson: returns a valid template unchanged and accepts null for missing fields", () => {
  const template = { name: "a", inputs: { artifacts: [{ name: "b", path: "/b", s3: { key: "k" } }] }, later: [1] };
  assertEquals<unknown>(parseTemplateJson(JSON.stringify({ ...template, outputs: null })), template);
});

Deno.test("parseTemplateJson: the artifacts of a data source and of a manifest need no name", () => {
  const template = {
    data: { source: { artifactPaths: { s3: { key: "k" } } } },
    resource: { manifestFrom: { artifact: { raw: { data: "" } } } },
  };
  assertEquals<unknown>(parseTemplateJson(JSON.stringify(template)), template);
});

Deno.test("parseTemplateJson: the error for invalid JSON contains the position but no excerpt", () => {
  const secret = "hunter2";
  const whole = JSON.stringify({ container: { env: [{ name: "PASSWORD", value: secret }] } });
  const broken: readonly (readonly [text: string, place: number])[] = [
    [whole.replace(`"${secret}"`, secret), whole.indexOf(secret) - 1],
    [whole.replace(`"${secret}"`, `"${secret}"${secret}`), whole.indexOf(secret) + secret.length + 1],
    [whole.slice(0, whole.indexOf(secret) + 3), whole.indexOf(secret) + 3],
    [whole.replace(`"PASSWORD"`, "[,]"), whole.indexOf("PASSWORD")],
    [`${whole}${secret}`, whole.length],
    [secret, 0],
    [whole.replace(secret, `${secret}\n`), whole.indexOf(secret) + secret.length],
  ];
  for (const [text, place] of broken) {
    const { message } = assertThrows(() => parseTemplateJson(text), ExecutorError, `at position ${place}`);
    assertEquals(/hun|PASS/.test(message), false, message);
  }
});

for (
  const [text, words] of [
    ["{", "The template of the pod is not valid JSON"],
    ["[]", "is invalid: expected object, got a list"],
    ['{"inputs": {"artifacts": [{"path": "/a"}]}}', "is invalid: inputs.artifacts[0].name is required"],
    ['{"container": {"volumeMounts": {}}}', "is invalid: container.volumeMounts: expected list, got an object"],
    ['{"script": {"source": 7}}', "is invalid: script.source: expected string, got a number"],
    ['{"containerSet": {}}', "is invalid: containerSet.containers is required"],
  ] as const
) {
  Deno.test(`parseTemplateJson: the error for ${text} names the location`, () => {
    assertThrows(() => parseTemplateJson(text), ExecutorError, words);
  });
}
