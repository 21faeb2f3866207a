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

Deno.test("templateOf() quotes nothing of a text that is no JSON, and says the place", () => {
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
    const { message } = assertThrows(() => templateOf(text), ExecutorError, `at position ${place}`);
    assertEquals(/hun|PASS/.test(message), false, message);
  }
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
