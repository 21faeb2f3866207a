import { assertEquals } from "@std/assert";
import { readManifest } from "./manifest.ts";
import { manifestFields, withManifestValue } from "./manifest_form.ts";

const TEXT = `kind: WorkflowTemplate # ours
spec:
  arguments:
    parameters:
    - {name: region, value: eu, enum: [eu, us], description: Where}
    - name: count   # how many
      value: 3
`;

function fieldsOf(text: string) {
  const read = readManifest(text);
  return manifestFields("object" in read ? read.object : undefined);
}

Deno.test("manifestFields: lists the arguments of a manifest with their choices and values", () => {
  assertEquals(fieldsOf(TEXT), [
    { field: { name: "region", description: "Where", usual: undefined, choices: ["eu", "us"] }, value: "eu" },
    { field: { name: "count", description: "", usual: undefined, choices: undefined }, value: "3" },
  ]);
  const cron = "kind: CronWorkflow\nspec: {workflowSpec: {arguments: {parameters: [{name: day}]}}}";
  assertEquals(fieldsOf(cron).map(({ field, value }) => [field.name, value]), [["day", ""]]);
});

Deno.test("manifestFields: empty for a text that is not a manifest, and without arguments", () => {
  for (
    const text of [
      "",
      "a: [",
      "[]",
      "1",
      "spec:",
      "spec: {arguments: {parameters: [1, {value: 2}]}}",
      "a: 1\n---\nb: 2",
    ]
  ) {
    assertEquals(fieldsOf(text), [], text);
    assertEquals(withManifestValue(text, "a", "b"), text);
  }
});

Deno.test("withManifestValue: keeps comments, order and choices", () => {
  assertEquals(withManifestValue(TEXT, "count", "4"), TEXT.replace("value: 3", 'value: "4"'));
  assertEquals(withManifestValue(TEXT, "region", "us"), TEXT.replace("value: eu", 'value: "us"'));
  assertEquals(withManifestValue(TEXT, "none", "us"), TEXT);
});
