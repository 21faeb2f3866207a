import { assertEquals } from "@std/assert";
import { yamlProblems } from "./yaml_blocks.ts";

function problems(text: string): string[] {
  return yamlProblems({ line: 10, language: "yaml", text }).map(({ line, text }) => `${line}: ${text}`);
}

Deno.test("yamlProblems: lints whole manifests, and reports the line of each problem", () => {
  const workflow =
    "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: { name: a }\nspec:\n  entrypoint: main\n";
  assertEquals(problems(`${workflow}  templates: [{ name: main, suspend: {} }]`), []);
  assertEquals(
    problems(`${workflow}  templates: [{ name: other, suspend: {} }]`).map((problem) => problem.slice(0, 19)),
    [
      "14: spec.entrypoint",
    ],
  );
});

Deno.test("yamlProblems: reports unknown fields in fragments of workflows", () => {
  assertEquals(problems("s3: { bucket: b, key: k }"), []);
  assertEquals(problems("- name: a\n  suspend: {}"), []);
  assertEquals(problems("spec: { suspend: true }"), []);
  assertEquals(problems("s3: { buckt: b }").length, 1);
  assertEquals(problems("when: 'a == b'"), []);
  assertEquals(problems("metadata: { nam: a }").length, 1);
});

Deno.test("yamlProblems: checks settings as the controller's ConfigMap", () => {
  assertEquals(problems("workflowRestrictions: |\n  templateReferencing: Strict"), []);
  assertEquals(problems("workflowRestrictions: |\n  templateReferencing: Strickt").length, 1);
});

Deno.test("yamlProblems: reports unknown fragments, invalid YAML and empty blocks", () => {
  assertEquals(problems("strange: 1"), [
    '10: the fragment starts with "strange", which scripts/docs/yaml_blocks.ts does not know',
  ]);
  assertEquals(problems("a: [").length, 1);
  assertEquals(problems("# nothing"), ["10: empty YAML block"]);
});
