import { assert, assertEquals } from "@std/assert";
import { simulate, type TemplateCall, type TemplateFunction } from "../../../mod.ts";
import { formulateRetry } from "@tiphys/engine/workflow_actions/retry";
import { previewResubmit } from "../../../ui/model/run/resubmit_preview.ts";
import { previewRetry, type RetryOptions } from "../../../ui/model/run/retry_preview.ts";

const SOURCE = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec:
  entrypoint: main
  templates:
  - name: main
    steps: [[{ name: good, template: good }], [{ name: bad, template: bad }, { name: fine, template: good }]]
  - { name: good, container: { image: alpine, command: [work] } }
  - { name: bad, container: { image: alpine, command: [work] } }
`;
const WISH = { restartSuccessful: false, nodeFieldSelector: "", parameters: [] };

Deno.test("retry preview: a failed node runs again, and the others do not", async () => {
  const { workflow } = await simulate(SOURCE, { templates: { bad: () => ({ exitCode: 1 }) } });
  const preview = previewRetry(workflow, WISH, new Date());
  assert(preview.kind === "plan");
  assertEquals([preview.repeated.map(({ displayName }) => displayName), preview.reused], [["bad"], 2]);
});

Deno.test("retry preview: of 400 tasks, all failed ones run again, and omitted successors are counted", async () => {
  const names = Array.from({ length: 400 }, (_, i) => `t${i}`);
  const tasks = names.map((name, i) => ({
    name,
    template: i % 40 === 39 ? "bad" : "good",
    dependencies: i < 100 ? [] : [names[i - 100]!],
  }));
  const templates = [
    { name: "main", dag: { failFast: false, tasks } },
    { name: "good", container: { image: "alpine", command: ["work"] } },
    { name: "bad", container: { image: "alpine", command: ["work"] } },
  ];
  const { workflow } = await simulate(
    {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      metadata: { name: "w" },
      spec: { entrypoint: "main", templates },
    },
    { templates: { bad: () => ({ exitCode: 1 }) } },
  );
  const preview = previewRetry(workflow, WISH, new Date());
  assert(preview.kind === "plan");
  const nodes = Object.values(workflow.status?.nodes ?? {});
  const named = (phase: string) =>
    nodes.filter((node) => node.type !== "DAG" && node.phase === phase).map(({ displayName }) => displayName).sort();
  assert(named("Failed").length > 3 && named("Omitted").length > 3);
  assertEquals(preview.repeated.map(({ displayName }) => displayName).sort(), named("Failed"));
  assertEquals([preview.evaluatedAgain, preview.reused], [named("Omitted").length, named("Succeeded").length]);
});

Deno.test("retry preview: a tolerated failure does not run again", async () => {
  const source = SOURCE.replace(
    "{ name: bad, template: bad }, { name: fine, template: good }",
    "{ name: bad, template: bad, continueOn: { failed: true } }], [{ name: fine, template: bad }",
  );
  const { workflow } = await simulate(source, { templates: { bad: () => ({ exitCode: 1 }) } });
  const preview = previewRetry(workflow, WISH, new Date());
  assert(preview.kind === "plan");
  assertEquals([preview.repeated.map(({ displayName }) => displayName), preview.reused], [["fine"], 2]);
});

Deno.test("retry preview: restarting a succeeded node restarts its successors", async () => {
  const { workflow } = await simulate(SOURCE);
  const preview = previewRetry(
    workflow,
    { ...WISH, restartSuccessful: true, nodeFieldSelector: "displayName=good" },
    new Date(),
  );
  assert(preview.kind === "plan");
  assertEquals([preview.repeated.map(({ displayName }) => displayName).sort(), preview.reused], [
    ["bad", "fine", "good"],
    0,
  ]);
});

Deno.test("retry preview: a run that cannot be retried has the reason", async () => {
  const { workflow } = await simulate(SOURCE);
  const preview = previewRetry(workflow, WISH, new Date());
  assert(preview.kind === "refused" && preview.reason.startsWith("To retry a succeeded workflow"));
});

const LOOPS = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec:
  entrypoint: main
  onExit: good
  templates:
  - name: main
    dag:
      failFast: false
      tasks:
      - { name: items, template: item, arguments: { parameters: [{ name: v, value: "{{item}}" }] }, withItems: [a, b, c] }
      - { name: list, template: item, arguments: { parameters: [{ name: v, value: "{{item}}" }] }, withParam: '["a","b"]' }
      - { name: nested, template: inner, arguments: { parameters: [{ name: v, value: "{{item}}" }] }, withItems: [x, z] }
      - { name: after, template: good, depends: items.Succeeded }
  - name: inner
    inputs: { parameters: [{ name: v }] }
    retryStrategy: { limit: 1 }
    steps:
    - [{ name: one, template: good }]
    - - { name: many, template: item, arguments: { parameters: [{ name: v, value: "{{inputs.parameters.v}}{{item}}" }] }, withItems: [1, 2] }
  - { name: good, container: { image: alpine, command: [work] } }
  - name: item
    inputs: { parameters: [{ name: v }] }
    container: { image: alpine, command: [work, "{{inputs.parameters.v}}"] }
`;

/**
 * The results of items: `b`, and the second item of the loop within `z`, fail. `ran` records the names of all nodes
 * that run.
 */
function items(ran: string[]): Readonly<Record<string, TemplateFunction>> {
  const note = ({ pod }: TemplateCall) =>
    ran.push(pod?.metadata.annotations?.["workflows.argoproj.io/node-name"] ?? "");
  return {
    good: (call) => {
      note(call);
      return { durationSeconds: 3 };
    },
    item: (call) => {
      note(call);
      const { v = "" } = call.inputs.parameters;
      return v === "b" || v === "z2" ? { exitCode: 1, durationSeconds: 1 } : { durationSeconds: 5 };
    },
  };
}

Deno.test("retry preview: predicts exactly the nodes that run, for loops and for retried steps with loops", async () => {
  const { workflow } = await simulate(LOOPS, { templates: items([]) });
  for (const selector of ["", "displayName=items(0:a)"]) {
    const wish = { restartSuccessful: selector !== "", nodeFieldSelector: selector };
    const preview = previewRetry(workflow, { ...wish, parameters: [] }, new Date());
    assert(preview.kind === "plan");
    const ran: string[] = [];
    await simulate(formulateRetry(workflow, wish, new Date()).workflow, { templates: items(ran) });
    // The second attempt of the steps continues at the failed node.
    const many = "w.nested(1:z)(1)[1].many(1:2)";
    const expected = ["w.items(1:b)", "w.list(1:b)", many, "w.onExit", ...(selector ? ["w.items(0:a)"] : [])];
    assertEquals(ran.sort(), expected.sort());
    assertEquals(preview.repeated.map(({ name }) => name).sort(), ran);
  }
});

Deno.test("retry preview: the estimate is the longest chain of nodes that run, by their previous durations", async () => {
  const { workflow } = await simulate(LOOPS, { templates: items([]) });
  const plan = (more: Partial<RetryOptions> = {}) => {
    const preview = previewRetry(workflow, { ...WISH, ...more }, new Date());
    assert(preview.kind === "plan");
    return preview.estimate;
  };
  // The node that failed after a second takes five, the usual duration of its template. The omitted node and the
  // handler take three each.
  assertEquals(plan(), { millis: 11_000, unknown: 0 });
  // Everything runs again. The sequential steps take eight seconds.
  assertEquals(plan({ parameters: ["region=eu"] }), { millis: 11_000, unknown: 0 });
  const resubmission = previewResubmit(workflow, { memoized: false, parameters: [] }, new Date());
  assert(resubmission.kind === "plan");
  assertEquals(resubmission.estimate, { millis: 11_000, unknown: 0 });
});

Deno.test("retry preview: a loop that could not be expanded is expanded again, although no node runs again", async () => {
  const list = '"{{tasks.list.outputs.result}}"';
  const source = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec:
  entrypoint: main
  templates:
  - name: main
    dag:
      tasks:
      - { name: list, template: list }
      - { name: each, template: each, depends: list, withParam: ${list} }
  - { name: list, script: { image: alpine, command: [sh], source: list } }
  - { name: each, container: { image: alpine, command: [work] } }
`;
  const { workflow } = await simulate(source, { templates: { list: () => ({ result: "no list" }) } });
  const preview = previewRetry(workflow, WISH, new Date());
  assert(preview.kind === "plan");
  assertEquals([preview.repeated, preview.reused], [[], 1]);
  assertEquals(preview.expandedAgain.map(({ displayName }) => displayName), ["each"]);
});
