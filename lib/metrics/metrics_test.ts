import { assert, assertEquals, assertThrows } from "@std/assert";
import { exposition, Instrument, MAX_CUSTOM_SERIES, MetricError, MetricRegistry, TooManySeriesError } from "./mod.ts";
import type { CustomValue, Modifier } from "./mod.ts";

/** A registry whose clock stands, and its page without the controller's own metrics. */
function world(modifiers: Record<string, Modifier> = {}) {
  const clock = { now: 1_000_000 };
  const registry = new MetricRegistry({ modifiers, now: () => clock.now });
  const page = (name: string) =>
    [...exposition(registry.instruments(), "argo_workflows_")].join("").split("\n")
      .filter((line) => line.includes(`argo_workflows_${name}`) && !line.startsWith("# HELP"));
  return { clock, registry, page };
}

const COUNTER: CustomValue = { name: "runs", help: "How often it ran", type: "counter", labels: {}, value: 1 };

Deno.test("a counter of the controller is served with its labels in order, and its help ends with Argo's page", () => {
  const { registry, page } = world();
  registry.of("total_count").add({ phase: "Running", namespace: "argo" });
  registry.of("total_count").add({ namespace: "argo", phase: "Running" });
  assertEquals(page("total_count"), [
    "# TYPE argo_workflows_total_count counter",
    'argo_workflows_total_count{namespace="argo",phase="Running"} 2',
  ]);
  const text = [...exposition(registry.instruments(), "argo_workflows_")].join("");
  assert(text.includes("namespace https://argo-workflows.readthedocs.io/en/latest/metrics/#total_count\n"));
});

Deno.test("a histogram has its buckets added up, infinity, sum and count", () => {
  const { registry, page } = world();
  for (const value of [0.05, 0.2, 3, 500]) registry.of("client_rate_limiter_latency").observe({}, value);
  assertEquals(page("client_rate_limiter_latency"), [
    "# TYPE argo_workflows_client_rate_limiter_latency histogram",
    ...[["0.01", 0], ["0.1", 1], ["0.5", 2], ["1", 2], ["5", 3], ["10", 3], ["30", 3], ["60", 3], ["180", 3], [
      "+Inf",
      4,
    ]]
      .map(([le, value]) => `argo_workflows_client_rate_limiter_latency_bucket{le="${le}"} ${value}`),
    "argo_workflows_client_rate_limiter_latency_sum 503.25",
    "argo_workflows_client_rate_limiter_latency_count 4",
  ]);
});

Deno.test("values that are read when they are served are added up by their labels", () => {
  const { registry, page } = world({ gauge: { disabledAttributes: ["phase"] } });
  registry.of("gauge").read(() => [[{ phase: "Running" }, 2], [{ phase: "Failed" }, 3]]);
  assertEquals(page("gauge"), ["# TYPE argo_workflows_gauge gauge", "argo_workflows_gauge 5"]);
});

Deno.test("modifiers take a metric away, its labels, or give it other buckets; an unknown name is told", () => {
  const { registry, page } = world({
    is_leader: { disabled: true },
    pods_total_count: { disabledAttributes: ["namespace"] },
    queue_duration: { histogramBuckets: [10, 1] },
    isleader: {},
    toString: {},
  });
  registry.of("is_leader").set({}, 1);
  registry.of("pods_total_count").add({ phase: "Pending", namespace: "a" });
  registry.of("pods_total_count").add({ phase: "Pending", namespace: "b" });
  registry.of("queue_duration").observe({ queue_name: "q" }, 5);
  assertEquals(page("is_leader"), []);
  assertEquals(page("pods_total_count")[1], 'argo_workflows_pods_total_count{phase="Pending"} 2');
  assertEquals(page("queue_duration")[1], 'argo_workflows_queue_duration_bucket{queue_name="q",le="1"} 0');
  assertEquals(registry.unknownModifiers(), ["isleader", "toString"]);
});

Deno.test("label values and help texts are escaped", () => {
  const { registry } = world();
  registry.record({ ...COUNTER, help: "a\\b\nc", labels: { path: 'C:\\ "x"\n' } });
  const text = [...exposition(registry.instruments(), "")].join("");
  assert(text.includes("# HELP runs a\\\\b\\nc\n"));
  assert(text.includes('runs{path="C:\\\\ \\"x\\"\\n"} 1\n'));
});

Deno.test("custom metrics of every kind take the values of workflows", () => {
  const { registry, page } = world();
  registry.record({ ...COUNTER, labels: { b: "1", a: "2" } });
  registry.record({ ...COUNTER, labels: { a: "2", b: "1" }, value: 2.5 });
  const gauge = { ...COUNTER, name: "size", type: "gauge" } as const;
  for (const [operation, value] of [["Set", 10], ["Add", 5], ["Sub", 1]] as const) {
    registry.record({ ...gauge, operation, value });
  }
  registry.record({ ...COUNTER, name: "length", type: "histogram", buckets: [1, 2.5, 10], value: 2 });
  assertEquals(page("runs")[1], 'argo_workflows_runs{a="2",b="1"} 3.5');
  assertEquals(page("size")[1], "argo_workflows_size 14");
  assertEquals(page("length").length, 1 + 4 + 2);
});

Deno.test("a custom metric keeps the help and the kind of its first use, and takes no name of the controller's", () => {
  const { registry } = world();
  registry.record(COUNTER);
  const problem = (change: Partial<CustomValue>) =>
    assertThrows(() => registry.record({ ...COUNTER, ...change }), MetricError).message;
  assertEquals(
    problem({ help: "other" }),
    "help for metric runs is already set to How often it ran, it cannot be changed",
  );
  assertEquals(problem({ type: "gauge" }), "found existing counter for custom metric runs of type gauge");
  assertEquals(
    problem({ name: "a-b" }),
    "metric name is invalid: names may only contain alphanumeric characters or '_'",
  );
  assertEquals(problem({ name: "none", help: "" }), "metric 'none' must contain a help string under 'help: ' field");
  const { help } = registry.of("gauge").definition;
  assertEquals(
    problem({ name: "gauge", help, type: "gauge" }),
    "found existing gauge for custom metric gauge of type gauge",
  );
});

Deno.test("a custom metric has so many sets of labels and no more, and those it has go on", () => {
  const { registry } = world();
  for (let at = 0; at < MAX_CUSTOM_SERIES; at++) registry.record({ ...COUNTER, labels: { at: String(at) } });
  const one = { ...COUNTER, labels: { at: "more" } };
  const error = assertThrows(() => registry.record(one), TooManySeriesError);
  assertEquals(error.message, "too many series for metric 'runs'");
  registry.record({ ...COUNTER, labels: { at: "7" } });
});

Deno.test("a value that no workflow has reported for long is forgotten, unless it is a histogram", () => {
  const { registry, clock, page } = world();
  const histogram = { ...COUNTER, name: "length", type: "histogram", buckets: [1] } as const;
  registry.record({ ...COUNTER, labels: { a: "old" } });
  registry.record(histogram);
  clock.now += 60_000;
  registry.record({ ...COUNTER, labels: { a: "new" } });
  registry.dropOlderThan(30_000);
  assertEquals(page("runs"), ["# TYPE argo_workflows_runs counter", 'argo_workflows_runs{a="new"} 1']);
  assertEquals(page("length").length, 5);
});

Deno.test("a gauge that is followed moves between two scrapes, and goes with its workflow", () => {
  const { registry, page } = world();
  let seconds = 1;
  const end = registry.follow({ name: "running", help: "Seconds", labels: { name: "w" } }, () => seconds);
  assertEquals(page("running")[1], 'argo_workflows_running{name="w"} 1');
  seconds = 2;
  assertEquals(page("running")[1], 'argo_workflows_running{name="w"} 2');
  end();
  assertEquals(page("running"), []);
});

Deno.test("values that are no numbers of JSON are spelled as Prometheus reads them", () => {
  const instrument = new Instrument({ name: "g", type: "gauge", help: "h" }, { now: () => 0, maxSeries: 3 });
  for (const [name, value] of [["a", Infinity], ["b", -Infinity], ["c", NaN]] as const) instrument.set({ name }, value);
  const text = [...exposition([instrument], "")].join("");
  assertEquals(text.split("\n").slice(2, 5).map((line) => line.split(" ")[1]), ["+Inf", "-Inf", "NaN"]);
});
