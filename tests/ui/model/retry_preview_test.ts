import { assert, assertEquals } from "@std/assert";
import { simulate } from "../../../mod.ts";
import { previewRetry } from "../../../ui/model/run/retry_preview.ts";

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
  assertEquals([preview.decidedAnew, preview.kept], [named("Omitted").length, named("Succeeded").length]);
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
