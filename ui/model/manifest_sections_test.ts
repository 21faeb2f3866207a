import { assertEquals } from "@std/assert";
import { sectionsOf } from "./manifest_sections.ts";

const told = (text: string) =>
  sectionsOf(text).map(({ name, isTemplate, line }) => `${isTemplate ? "-" : ""}${name} ${line}`);

const SPEC = `spec:
  arguments:
    parameters:
    - name: a
  templates:
  - name: main
    inputs:
      parameters:
      - name: b
    steps:
    - - name: one
        template: work
  - container: {}
    name: "work" # it works
`;

const SECTIONS = ["metadata 2", "spec 4", "arguments 5", "templates 8", "-main 9", "-work 17"];

Deno.test("sectionsOf: lists fields and templates, also those of a schedule", () => {
  const head = "kind: Workflow\nmetadata:\n  name: metadata\n";
  assertEquals(told(head + SPEC), SECTIONS);
  const inner = SPEC.split("\n").map((line) => `  ${line}`).join("\n").replace("  spec:", "  workflowSpec:");
  assertEquals(told(`spec:\n${inner}`), ["spec 1", "arguments 3", "templates 6", "-main 7", "-work 15"]);
});

Deno.test("sectionsOf: lists the same for JSON", () => {
  const object = {
    metadata: { name: "x" },
    spec: {
      arguments: { parameters: [{ name: "a" }] },
      templates: [{ name: "main", inputs: { parameters: [{ name: "b" }] } }, { name: "work" }],
    },
  };
  assertEquals(told(JSON.stringify(object, undefined, 2)), [
    "metadata 2",
    "spec 5",
    "arguments 6",
    "templates 13",
    "-main 15",
    "-work 25",
  ]);
});

Deno.test("sectionsOf: empty for a text that is not a manifest or too long", () => {
  for (const text of ["", "a: [", "spec", "#".repeat(300_000) + "\nspec:\n"]) {
    assertEquals(told(text), [], text.slice(0, 9));
  }
});
