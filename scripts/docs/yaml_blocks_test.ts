import { assertEquals } from "@std/assert";
import { yamlProblems } from "./yaml_blocks.ts";

function problems(text: string): string[] {
  return yamlProblems({ line: 10, language: "yaml", text }).map(({ line, text }) => `${line}: ${text}`);
}

Deno.test("yamlProblems() lints whole manifests, each fault at its line", () => {
  const workflow =
    "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: { name: a }\nspec:\n  entrypoint: main\n";
  assertEquals(problems(`${workflow}  templates: [{ name: main, suspend: {} }]`), []);
  assertEquals(problems(`${workflow}  templates: [{ name: other, suspend: {} }]`).map((one) => one.slice(0, 19)), [
    "14: spec.entrypoint",
  ]);
});

Deno.test("yamlProblems() reads a piece in its place: fields that are not there are told", () => {
  assertEquals(problems("s3: { bucket: b, key: k }"), []);
  assertEquals(problems("- name: a\n  suspend: {}"), []);
  assertEquals(problems("spec: { suspend: true }"), []);
  assertEquals(problems("s3: { buckt: b }").length, 1);
  assertEquals(problems("when: 'a == b'"), []);
  assertEquals(problems("metadata: { nam: a }").length, 1);
});

Deno.test("yamlProblems() reads settings as the controller's ConfigMap", () => {
  assertEquals(problems("workflowRestrictions: |\n  templateReferencing: Strict"), []);
  assertEquals(problems("workflowRestrictions: |\n  templateReferencing: Strickt").length, 1);
});

Deno.test("yamlProblems() tells of a piece of which it knows no place, of no YAML and of an empty block", () => {
  assertEquals(problems("strange: 1"), [
    '10: the piece begins with "strange", of which scripts/docs/yaml_blocks.ts knows no place',
  ]);
  assertEquals(problems("a: [").length, 1);
  assertEquals(problems("# nothing"), ["10: the block of YAML is empty"]);
});
