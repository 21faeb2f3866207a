import { assertEquals, assertThrows } from "@std/assert";
import type { CronWorkflow, Workflow } from "@tiphys/model/api";
import { ActionError } from "./error.ts";
import { parseSource, workflowFromCron, workflowFromTemplate, workflowStartedFromCron } from "./from_template.ts";
import { overrideParameters, parseParameterValues } from "./override_parameters.ts";
import { applySubmitOptions } from "./submit_options.ts";

const WORKFLOW: Workflow = {
  metadata: { generateName: "w-", labels: { own: "kept" } },
  spec: { entrypoint: "main", arguments: { parameters: [{ name: "a", value: "1" }, { name: "b", default: "2" }] } },
};

Deno.test("applySubmitOptions: changes only the given fields", () => {
  assertEquals(applySubmitOptions(WORKFLOW, {}), WORKFLOW);
  const { metadata, spec } = applySubmitOptions(WORKFLOW, {
    name: "n",
    entrypoint: "other",
    serviceAccount: "robot",
    priority: 0,
    labels: { team: "x" },
  });
  assertEquals(metadata, { generateName: "w-", name: "n", labels: { own: "kept", team: "x" } });
  assertEquals([spec.entrypoint, spec.serviceAccountName, spec.priority], ["other", "robot", 0]);
});

Deno.test("applySubmitOptions: replaces an argument as a whole, and adds an unknown one", () => {
  const { spec } = overrideParameters(WORKFLOW, new Map([["b", "x"], ["c", "y"]]));
  assertEquals(spec.arguments?.parameters, [
    { name: "b", value: "x" },
    { name: "c", value: "y" },
    { name: "a", value: "1" },
  ]);
});

Deno.test("parseParameterValues() splits at the first `=` and unquotes texts", () => {
  const texts = ["a=1=2", "b=", 'c="two\\nlines"', 'd="not quoted" rest'];
  assertEquals([...parseParameterValues(texts)], [["a", "1=2"], ["b", ""], ["c", "two\nlines"], [
    "d",
    '"not quoted" rest',
  ]]);
  assertThrows(
    () => parseParameterValues(["a"]),
    ActionError,
    "expected parameter of the form: NAME=VALUE. Received: a",
  );
});

Deno.test("workflowFromTemplate and workflowFromCron: create workflows from templates and cron workflows", () => {
  const shared = workflowFromTemplate("ClusterWorkflowTemplate", "shared");
  assertEquals(shared.metadata.generateName, "shared-");
  assertEquals(shared.spec, { workflowTemplateRef: { name: "shared", clusterScope: true } });
  const cron: CronWorkflow = {
    metadata: { name: "nightly", uid: "u" },
    spec: { schedules: ["0 0 * * *"], workflowSpec: { entrypoint: "a" }, workflowMetadata: { labels: { team: "x" } } },
  };
  const { metadata, spec } = workflowFromCron(cron);
  assertEquals(metadata.labels, { team: "x", "workflows.argoproj.io/cron-workflow": "nightly" });
  assertEquals(metadata.ownerReferences?.map(({ kind, name }) => `${kind}/${name}`), ["CronWorkflow/nightly"]);
  assertEquals(spec, { entrypoint: "a" });
});

Deno.test("workflowStartedFromCron: sets the scheduled time, instance and finalizers", () => {
  const cron: CronWorkflow = {
    metadata: { name: "nightly", labels: { "workflows.argoproj.io/controller-instanceid": "i", own: "stays" } },
    spec: { schedules: [], workflowSpec: {}, workflowMetadata: { finalizers: ["x/y"], annotations: { a: "b" } } },
  };
  const { metadata } = workflowStartedFromCron(cron, new Date("2026-01-02T03:04:05Z"));
  assertEquals(metadata.labels, {
    "workflows.argoproj.io/cron-workflow": "nightly",
    "workflows.argoproj.io/controller-instanceid": "i",
  });
  assertEquals(metadata.annotations, { a: "b", "workflows.argoproj.io/scheduled-time": "2026-01-02T03:04:05Z" });
  assertEquals(metadata.finalizers, ["x/y"]);
});

Deno.test("parseSource() parses kind and name", () => {
  assertEquals(parseSource("cronwf/a"), { kind: "CronWorkflow", name: "a" });
  assertEquals(parseSource("WorkflowTemplate/b"), { kind: "WorkflowTemplate", name: "b" });
  assertThrows(() => parseSource("a"), ActionError, "resource identifier 'a' is malformed");
  assertThrows(() => parseSource("pod/a"), ActionError, "resource kind 'pod' is not supported: expected one of");
});
