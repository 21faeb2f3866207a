import { assert, assertEquals } from "@std/assert";
import { parseWorkflow } from "@tiphys/model/api";
import { ENGINE_CONFIG } from "../../../simulate/engine_config.ts";
import { decide, type ObservedState } from "../mod.ts";

const NOTHING: ObservedState = {
  pods: new Map(),
  taskResults: new Map(),
  readConfigMaps: new Map(),
  claims: new Map(),
  refusals: new Map(),
  workflowTemplate: () => undefined,
  clusterWorkflowTemplate: () => undefined,
  configMap: () => undefined,
  serviceAccount: () => undefined,
};

const counter = (name: string, value = "1") => ({ name, help: "h", counter: { value } });

/** The first pass over a workflow with these metrics, whose only step is skipped or waits. */
function first(
  options: { readonly of?: unknown; readonly template?: unknown; readonly observed?: Partial<ObservedState> },
) {
  const read = parseWorkflow({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w", namespace: "default" },
    spec: {
      entrypoint: "main",
      metrics: { prometheus: options.of ?? [] },
      templates: [
        { name: "main", steps: [[{ name: "a", template: "wait" }, { name: "b", template: "never", when: "false" }]] },
        { name: "wait", suspend: {}, metrics: { prometheus: options.template ?? [] } },
        { name: "never", suspend: {}, metrics: { prometheus: [counter("never")] } },
      ],
    },
  });
  assert(read.ok);
  return decide(read.value, { ...NOTHING, ...options.observed }, new Date("2026-01-01T00:00:10Z"), ENGINE_CONFIG);
}

const problems = ({ workflow }: ReturnType<typeof first>) =>
  workflow.status?.conditions?.find(({ type }) => type === "MetricsError")?.message;

Deno.test("metrics: realtime gauges of the workflow and of running nodes exist from the start", () => {
  const now = (name: string, value: string) => ({ name, help: "h", gauge: { realtime: true, value } });
  const { gauges } = first({ of: [now("w", "{{workflow.duration}}")], template: [now("n", "{{duration}}")] });
  const since = Date.parse("2026-01-01T00:00:10Z");
  assertEquals(gauges?.map(({ name, owner: of, since, until }) => ({ name, of, since, until })), [
    { name: "w", of: "workflow", since, until: undefined },
    { name: "n", of: "node", since, until: undefined },
  ]);
  assertEquals(first({ of: [counter("c")] }).gauges, undefined);
});

Deno.test("metrics: skipped nodes and running nodes emit no metrics", () => {
  const { actions } = first({ of: [counter("whole")], template: [counter("ended")] });
  assertEquals(actions.filter(({ kind }) => kind === "metric"), []);
});

Deno.test("metrics: the condition contains each problem once, and the workflow continues", () => {
  const bad = { name: "now", help: "h", gauge: { realtime: true, value: "1" } };
  const decision = first({ of: [bad, bad, { ...bad, gauge: { realtime: true, value: "{{nope}}" } }] });
  assertEquals(decision.phase, "Running");
  assertEquals(
    problems(decision),
    "real time metrics can only be used with metric variables, 'nope' is not available as a real time metric",
  );
});

Deno.test("metrics: all metrics of a pass share one limit, and those beyond it are reported as one problem", () => {
  // Each condition is evaluated completely before its result is known.
  const when = Array(1000).fill("a == a").join(" && ") + " && a == b";
  const costly = { ...counter("m"), when };
  const read = parseWorkflow({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w", namespace: "default" },
    spec: {
      entrypoint: "main",
      metrics: { prometheus: [counter("last")] },
      templates: [
        { name: "main", steps: [[{ name: "a", template: "fast", withSequence: { count: "40" } }]] },
        {
          name: "fast",
          suspend: { duration: "1" },
          metrics: { prometheus: [...Array(20).fill(costly), counter("ended")] },
        },
      ],
    },
  });
  assert(read.ok);
  const { workflow } = decide(read.value, NOTHING, new Date("2026-01-01T00:00:10Z"), ENGINE_CONFIG);
  const decision = decide(workflow, NOTHING, new Date("2026-01-01T00:00:20Z"), ENGINE_CONFIG);
  assertEquals(decision.phase, "Succeeded");
  assertEquals(problems(decision)?.includes("the work of the metrics of one pass may take 0.5s"), true);
  const emitted = decision.actions.filter(({ kind }) => kind === "metric").length;
  assertEquals(emitted > 5 && emitted < 20, true, `${emitted} of 40 nodes`);
});
