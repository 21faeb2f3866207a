import { assertEquals } from "@std/assert";
import type { Workflow, WorkflowSpec } from "@tiphys/model/api";
import { adviceOf } from "./advice.ts";

const CONTAINER = { image: "a", resources: { requests: { memory: "1Gi" } } };

const SETTLED = {
  activeDeadlineSeconds: 60,
  ttlStrategy: { secondsAfterCompletion: 1 },
  podGC: { strategy: "OnPodSuccess" },
  securityContext: { runAsNonRoot: true },
  templates: [{ name: "main", container: CONTAINER }],
};

function subjects(spec: object, stored?: object): string[] {
  const run = {
    metadata: { name: "w" },
    spec,
    status: stored ? { storedWorkflowTemplateSpec: stored } : {},
  } as unknown as Workflow;
  return adviceOf(run).map(({ subject }) => subject);
}

const without = (name: keyof typeof SETTLED): Partial<WorkflowSpec> => {
  const { [name]: _left, ...rest } = SETTLED;
  return rest as Partial<WorkflowSpec>;
};

Deno.test("adviceOf: each missing field gets advice, and a complete manifest gets none", () => {
  assertEquals(subjects(SETTLED), []);
  assertEquals(subjects(without("activeDeadlineSeconds")), ["deadline"]);
  assertEquals(subjects(without("ttlStrategy")), ["ttl"]);
  assertEquals(subjects(without("podGC")), ["pods"]);
  assertEquals(subjects(without("securityContext")), ["root"]);
  assertEquals(subjects({ ...SETTLED, securityContext: { runAsUser: 0 } }), []);
});

Deno.test("adviceOf: fields of the template count for its runs", () => {
  assertEquals(subjects({ workflowTemplateRef: { name: "t" } }, SETTLED), []);
  assertEquals(subjects({ workflowTemplateRef: { name: "t" }, podGC: {} }, without("podGC")), []);
});

Deno.test("adviceOf: a run whose templates all have time limits needs no time limit", () => {
  const main = { name: "main", steps: [[{ name: "a", template: "a" }]] };
  const timed = { name: "a", timeout: "5m", container: CONTAINER };
  assertEquals(subjects({ ...without("activeDeadlineSeconds"), templates: [main, timed] }), []);
  assertEquals(subjects({ ...without("activeDeadlineSeconds"), templates: [main, { ...timed, timeout: undefined }] }), [
    "deadline",
  ]);
});

Deno.test("adviceOf: names up to three templates that request no memory", () => {
  const templates = ["a", "b", "c", "d"].map((name) => ({ name, script: { image: "a", source: "" } }));
  const run = { metadata: { name: "w" }, spec: { ...SETTLED, templates } } as unknown as Workflow;
  assertEquals(adviceOf(run).map(({ text }) => text.split(":")[0]), ["a, b, c and 1 more request no memory"]);
  assertEquals(subjects({ ...SETTLED, templates: [{ name: "gate", suspend: {} }] }), []);
});
