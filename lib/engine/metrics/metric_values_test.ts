import { assertEquals } from "@std/assert";
import type { Prometheus } from "@tiphys/model/api";
import { evaluateMetric } from "./metric_values.ts";

const SCOPE = new Map<string, string | null>([["status", "Failed"], ["outputs.result", "12.5"], ["name", "a{{b}}"]]);

const outcome = (metric: Partial<Prometheus>) => evaluateMetric({ name: "m", help: "h", ...metric }, SCOPE, "w");

Deno.test("evaluateMetric: replaces tags in name, help, labels, when and value", () => {
  const metric: Prometheus = {
    name: "m_{{status}}",
    help: "of {{status}}",
    labels: [{ key: "status", value: "{{status}}" }],
    when: "{{status}} == Failed",
    histogram: { value: "{{outputs.result}}", buckets: [1, 2] },
  };
  assertEquals(evaluateMetric(metric, SCOPE, "w").value, {
    name: "m_Failed",
    help: "of Failed",
    type: "histogram",
    labels: { status: "Failed" },
    value: 12.5,
    operation: undefined,
    buckets: [1, 2],
  });
  assertEquals(outcome({ when: "{{status}} == Succeeded", counter: { value: "{{nope}}" } }), {});
});

Deno.test("evaluateMetric: does not replace tags in values, which are data", () => {
  const { value } = outcome({ labels: [{ key: "k", value: "{{name}}" }], counter: { value: "1" } });
  assertEquals(value?.labels, { k: "a{{b}}" });
});

const PROBLEMS: readonly [Partial<Prometheus>, string][] = [
  [{ help: "", counter: { value: "1" } }, "metric 'm' must contain a help string under 'help: ' field"],
  [
    { counter: { value: "{{nope}}" } },
    "unable to substitute parameters for metric 'm': failed to resolve {{nope}}",
  ],
  [
    { labels: [{ key: "k", value: "{{nope}}" }], counter: { value: "1" } },
    "unable to substitute parameters for metric 'm': failed to resolve {{nope}}",
  ],
  [
    { counter: { value: "many" } },
    `could not construct metric 'm': strconv.ParseFloat: parsing "many": invalid syntax`,
  ],
  [{ counter: { value: "-1" } }, "could not construct metric 'm': a counter can only increase, but its value is -1"],
  [{ gauge: { value: "1", realtime: true } }, "real time metrics can only be used with metric variables"],
  [{ gauge: { value: "{{status}}", realtime: true } }, "'status' is not available as a real time metric"],
  [{ gauge: { value: "{{toString}}", realtime: true } }, "'toString' is not available as a real time metric"],
  [
    { labels: [{ key: "k", value: "x".repeat(5000) }], counter: { value: "1" } },
    "could not construct metric 'm': its labels have more than 4096 characters",
  ],
];

for (const [metric, problem] of PROBLEMS) {
  Deno.test(`evaluateMetric: reports the problem: ${problem}`, () => assertEquals(outcome(metric).problem, problem));
}

Deno.test("evaluateMetric: reports why `when` fails, with the name of the workflow", () => {
  const { problem } = outcome({ when: "{{status}} ==", counter: { value: "1" } });
  assertEquals(problem?.startsWith("unable to compute 'when' clause for metric 'w': "), true, problem);
});

Deno.test("evaluateMetric: returns the owner of the time that a realtime gauge shows", () => {
  const of = (value: string) => outcome({ gauge: { value, realtime: true } }).realtime?.owner;
  assertEquals([of("{{duration}}"), of("{{ workflow.duration }}")], ["node", "workflow"]);
});
