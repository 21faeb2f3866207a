import { assert, assertEquals } from "@std/assert";
import { simulate, type TemplateCall, type TemplateFunction } from "../../../mod.ts";
import { formulateRetry } from "@tiphys/engine/workflow_actions/retry";
import { previewResubmit } from "../../../ui/model/run/resubmit_preview.ts";
import { previewRetry, type RetryWish } from "../../../ui/model/run/retry_preview.ts";

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

Deno.test("a node that failed runs again, and the rest stays", async () => {
  const { workflow } = await simulate(SOURCE, { templates: { bad: () => ({ exitCode: 1 }) } });
  const preview = previewRetry(workflow, WISH, new Date());
  assert(preview.kind === "plan");
  assertEquals([preview.again.map(({ displayName }) => displayName), preview.kept], [["bad"], 2]);
});

Deno.test("all that failed in a run of 400 tasks runs again, and what was left out after it is counted", async () => {
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
  assertEquals(preview.again.map(({ displayName }) => displayName).sort(), named("Failed"));
  assertEquals([preview.evaluatedAgain, preview.kept], [named("Omitted").length, named("Succeeded").length]);
});

Deno.test("a failure that the run went on after stays as it is", async () => {
  const source = SOURCE.replace(
    "{ name: bad, template: bad }, { name: fine, template: good }",
    "{ name: bad, template: bad, continueOn: { failed: true } }], [{ name: fine, template: bad }",
  );
  const { workflow } = await simulate(source, { templates: { bad: () => ({ exitCode: 1 }) } });
  const preview = previewRetry(workflow, WISH, new Date());
  assert(preview.kind === "plan");
  assertEquals([preview.again.map(({ displayName }) => displayName), preview.kept], [["fine"], 2]);
});

Deno.test("a node that succeeded takes with it what came after", async () => {
  const { workflow } = await simulate(SOURCE);
  const preview = previewRetry(
    workflow,
    { ...WISH, restartSuccessful: true, nodeFieldSelector: "displayName=good" },
    new Date(),
  );
  assert(preview.kind === "plan");
  assertEquals([preview.again.map(({ displayName }) => displayName).sort(), preview.kept], [
    ["bad", "fine", "good"],
    0,
  ]);
});

Deno.test("a run that cannot be retried says why", async () => {
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

/** What becomes of items: `b`, and the second of the loop within `z`, fail; `ran` is told of all that runs. */
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

Deno.test("of loops, and of loops in steps that are retried, what runs again is what the plan says, node for node", async () => {
  const { workflow } = await simulate(LOOPS, { templates: items([]) });
  for (const selector of ["", "displayName=items(0:a)"]) {
    const wish = { restartSuccessful: selector !== "", nodeFieldSelector: selector };
    const preview = previewRetry(workflow, { ...wish, parameters: [] }, new Date());
    assert(preview.kind === "plan");
    const ran: string[] = [];
    await simulate(formulateRetry(workflow, wish, new Date()).workflow, { templates: items(ran) });
    // The second attempt at the steps goes on where it failed.
    const many = "w.nested(1:z)(1)[1].many(1:2)";
    const expected = ["w.items(1:b)", "w.list(1:b)", many, "w.onExit", ...(selector ? ["w.items(0:a)"] : [])];
    assertEquals(ran.sort(), expected.sort());
    assertEquals(preview.again.map(({ name }) => name).sort(), ran);
  }
});

Deno.test("a retry takes as long as the longest chain of what runs in it, by the times that nodes took before", async () => {
  const { workflow } = await simulate(LOOPS, { templates: items([]) });
  const plan = (more: Partial<RetryWish> = {}) => {
    const preview = previewRetry(workflow, { ...WISH, ...more }, new Date());
    assert(preview.kind === "plan");
    return preview.estimate;
  };
  // What failed after a second takes the usual five of its template; what was left out and the handler take three each.
  assertEquals(plan(), { millis: 11_000, unknown: 0 });
  // All runs anew: the steps, which are one after the other, take eight.
  assertEquals(plan({ parameters: ["region=eu"] }), { millis: 11_000, unknown: 0 });
  const anew = previewResubmit(workflow, { memoized: false, parameters: [] }, new Date());
  assert(anew.kind === "plan");
  assertEquals(anew.estimate, { millis: 11_000, unknown: 0 });
});

Deno.test("a loop that could not be made is made anew, though no node runs again", async () => {
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
  assertEquals([preview.again, preview.kept], [[], 1]);
  assertEquals(preview.expandedAgain.map(({ displayName }) => displayName), ["each"]);
});
