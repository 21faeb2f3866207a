import { assertEquals } from "@std/assert";
import { withRequiredFields } from "./required_fields.ts";

const workflow = (template: object) => ({ kind: "Workflow", spec: { templates: [{ name: "t", ...template }] } });

for (
  const [subject, given, expected] of [
    [
      "a gauge is not real-time",
      { metrics: { prometheus: [{ name: "m", help: "h", gauge: { value: "1" } }] } },
      { metrics: { prometheus: [{ name: "m", help: "h", gauge: { value: "1", realtime: false } }] } },
    ],
    [
      "a memoized result has no maximum age",
      { memoize: { key: "k", cache: { configMap: { name: "c" } } } },
      { memoize: { key: "k", cache: { configMap: { name: "c" } }, maxAge: "" } },
    ],
    [
      "the source of a data template has no name",
      { data: { source: { artifactPaths: { s3: { key: "k" } } } } },
      { data: { source: { artifactPaths: { s3: { key: "k" }, name: "" } } } },
    ],
  ] as const
) {
  Deno.test(`withRequiredFields: ${subject}`, () => {
    assertEquals(withRequiredFields(workflow(given)), workflow(expected));
    assertEquals(withRequiredFields({ kind: "CronWorkflow", spec: { workflowSpec: workflow(given).spec } }), {
      kind: "CronWorkflow",
      spec: { workflowSpec: workflow(expected).spec },
    });
  });
}

Deno.test("withRequiredFields: returns the same object if nothing is missing", () => {
  const whole = workflow({
    container: { image: "i" },
    metrics: { prometheus: [{ gauge: { value: "1", realtime: true } }] },
  });
  assertEquals(withRequiredFields(whole) === whole, true);
  const other = { kind: "ConfigMap", spec: { artifactPaths: {} } };
  assertEquals(withRequiredFields(other) === other, true);
});
