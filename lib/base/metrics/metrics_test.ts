import { assert, assertEquals, assertThrows } from "@std/assert";
import { LIMITS } from "../limits.ts";
import { exposition, Instrument, MAX_OWN_SERIES, MetricError, MetricRegistry, OtlpMetrics } from "./mod.ts";
import type { CustomValue, Modifier } from "./mod.ts";

/** Returns a registry with a fixed clock, and a function that returns the samples of one metric. */
function registryBench(modifiers: Record<string, Modifier> = {}) {
  const clock = { now: 1_000_000 };
  const registry = new MetricRegistry({ modifiers, now: () => clock.now });
  const page = (name: string) =>
    [...exposition(registry.instruments(), "argo_workflows_")].join("").split("\n")
      .filter((line) => line.includes(`argo_workflows_${name}`) && !line.startsWith("# HELP"));
  return { clock, registry, page };
}

const COUNTER: CustomValue = { name: "runs", help: "How often it ran", type: "counter", labels: {}, value: 1 };

Deno.test("exposition: a built-in counter has sorted labels and the URL of Argo's documentation in its help", () => {
  const { registry, page } = registryBench();
  registry.builtIn("total_count").add({ phase: "Running", namespace: "argo" });
  registry.builtIn("total_count").add({ namespace: "argo", phase: "Running" });
  assertEquals(page("total_count"), [
    "# TYPE argo_workflows_total_count counter",
    'argo_workflows_total_count{namespace="argo",phase="Running"} 2',
  ]);
  const text = [...exposition(registry.instruments(), "argo_workflows_")].join("");
  assert(text.includes("namespace https://argo-workflows.readthedocs.io/en/latest/metrics/#total_count\n"));
});

Deno.test("exposition: a histogram has cumulative buckets, infinity, sum and count", () => {
  const { registry, page } = registryBench();
  for (const value of [0.05, 0.2, 3, 500]) registry.builtIn("client_rate_limiter_latency").observe({}, value);
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

Deno.test("instrument: values of readers with equal labels are added up", () => {
  const { registry, page } = registryBench({ gauge: { disabledAttributes: ["phase"] } });
  registry.builtIn("gauge").addReader(() => [[{ phase: "Running" }, 2], [{ phase: "Failed" }, 3]]);
  assertEquals(page("gauge"), ["# TYPE argo_workflows_gauge gauge", "argo_workflows_gauge 5"]);
});

Deno.test("registry: modifiers disable a metric or its labels or change its buckets; unknown names are reported", () => {
  const { registry, page } = registryBench({
    is_leader: { disabled: true },
    pods_total_count: { disabledAttributes: ["namespace"] },
    queue_duration: { histogramBuckets: [10, 1] },
    isleader: {},
    toString: {},
  });
  registry.builtIn("is_leader").set({}, 1);
  registry.builtIn("pods_total_count").add({ phase: "Pending", namespace: "a" });
  registry.builtIn("pods_total_count").add({ phase: "Pending", namespace: "b" });
  registry.builtIn("queue_duration").observe({ queue_name: "q" }, 5);
  assertEquals(page("is_leader"), []);
  assertEquals(page("pods_total_count")[1], 'argo_workflows_pods_total_count{phase="Pending"} 2');
  assertEquals(page("queue_duration")[1], 'argo_workflows_queue_duration_bucket{queue_name="q",le="1"} 0');
  assertEquals(registry.unknownModifiers(), ["isleader", "toString"]);
});

Deno.test("exposition: escapes label values and help texts", () => {
  const { registry } = registryBench();
  registry.record({ ...COUNTER, help: "a\\b\nc", labels: { path: 'C:\\ "x"\n' } });
  const text = [...exposition(registry.instruments(), "")].join("");
  assert(text.includes("# HELP runs a\\\\b\\nc\n"));
  assert(text.includes('runs{path="C:\\\\ \\"x\\"\\n"} 1\n'));
});

Deno.test("registry: records custom metrics of each type", () => {
  const { registry, page } = registryBench();
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

Deno.test("registry: a custom metric keeps the help and type of its first use and cannot have the name of a built-in one", () => {
  const { registry } = registryBench();
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
  const { help } = registry.builtIn("gauge").definition;
  assertEquals(
    problem({ name: "gauge", help, type: "gauge" }),
    "found existing gauge for custom metric gauge of type gauge",
  );
});

/** Records distinct series of a namespace until one is rejected; returns the number recorded and the error. */
function fill(registry: MetricRegistry, namespace: string, value: (index: number) => Partial<CustomValue>) {
  for (let index = 0;; index++) {
    try {
      registry.record({ ...COUNTER, ...value(index) }, namespace);
    } catch (error) {
      if (!(error instanceof MetricError)) throw error;
      return { recorded: index, message: error.message };
    }
  }
}

Deno.test("registry: rejects label keys and names with which a workflow could write other series", () => {
  const { registry, page } = registryBench();
  const problem = (change: Partial<CustomValue>) =>
    assertThrows(() => registry.record({ ...COUNTER, ...change }), MetricError).message;
  for (const key of ['a="b"} 1\nup{c', "a b", "1a", "", "__name__", "é"]) {
    const message = `metric label '${key}' is invalid: keys may only contain alphanumeric characters or '_'`;
    assertEquals(problem({ labels: { [key]: "x" } }), message);
  }
  for (const series of ["bucket", "sum", "count"]) {
    const name = `operation_duration_seconds_${series}`;
    assertEquals(problem({ name }), `found existing histogram for custom metric ${name} of type counter`);
  }
  registry.record({ ...COUNTER, labels: { Valid_1: 'x"} 1\nup{' } });
  assertEquals(page("runs").slice(1), ['argo_workflows_runs{Valid_1="x\\"} 1\\nup{"} 1']);
});

Deno.test("registry: limits the bytes of a namespace's metrics of any kind without affecting other namespaces", () => {
  const long = "x".repeat(4000);
  const kinds: Readonly<Record<string, (index: number) => Partial<CustomValue>>> = {
    "short labels": (index) => ({ labels: { at: `${index}` } }),
    "long labels": (index) => ({ labels: { at: `${index}${long}` } }),
    "names": (index) => ({ name: `a${index}` }),
    "names and long helps": (index) => ({ name: `a${index}`, help: long }),
    "histograms": (index) => ({
      name: "a",
      type: "histogram",
      buckets: Array.from({ length: 200 }, (_, bound) => bound),
      labels: { at: `${index}` },
    }),
  };
  for (const [kind, value] of Object.entries(kinds)) {
    const { registry } = registryBench();
    const { recorded, message } = fill(registry, "a", value);
    assert(recorded > 400 && recorded < 30_000, `${kind}: ${recorded}`);
    assertEquals(message, `the metrics of namespace "a" would take more than ${LIMITS.namespaceMetricsBytes} bytes`);
    assertEquals(registry.problemWith({ ...COUNTER, ...value(recorded) }, "a"), message);
    // An existing series and other namespaces can still be recorded.
    assertEquals(registry.problemWith({ ...COUNTER, ...value(0) }, "a"), undefined);
    registry.record({ ...COUNTER, ...value(0) }, "a");
    registry.record({ ...COUNTER, ...value(recorded) }, "b");
  }
});

Deno.test("registry: limits the bytes of all namespaces together, including followed gauges", () => {
  const { registry } = registryBench();
  const long = "x".repeat(40_000);
  let message = "";
  for (let index = 0; !message.includes("all"); index++) {
    message = fill(registry, `n${index}`, (of) => ({ labels: { of: `${index} ${of} ${long}` } })).message;
    assert(index <= LIMITS.metricsBytes / LIMITS.namespaceMetricsBytes, message);
  }
  assertEquals(message, `the metrics of all namespaces would take more than ${LIMITS.metricsBytes} bytes`);
  const gauge = { name: "g", help: "h", labels: { long } };
  assertThrows(() => registry.follow(gauge, () => 1, "more"), MetricError, "all namespaces");
});

Deno.test("registry: a gauge that is no longer followed releases its bytes", () => {
  const { registry } = registryBench();
  const gauge = { name: "g", help: "h", labels: { a: "x".repeat(LIMITS.namespaceMetricsBytes / 5) } };
  const end = registry.follow(gauge, () => 1, "a");
  assertThrows(() => registry.follow(gauge, () => 1, "a"), MetricError, "would take more");
  end();
  registry.follow(gauge, () => 1, "a")();
});

Deno.test("registry: values of any type that are not recorded for long are dropped and release their bytes", () => {
  const { registry, clock, page } = registryBench();
  const histogram = { ...COUNTER, name: "length", type: "histogram", buckets: [1] } as const;
  registry.record({ ...COUNTER, labels: { a: "old" } }, "a");
  registry.record(histogram, "a");
  const { message } = fill(registry, "a", (index) => ({ name: `size${index}`, type: "gauge" }));
  clock.now += 60_000;
  registry.record({ ...COUNTER, labels: { a: "new" } }, "b");
  assertEquals(registry.problemWith({ ...COUNTER, name: "more" }, "a"), message);
  registry.dropOlderThan(30_000);
  assertEquals(page("runs"), ["# TYPE argo_workflows_runs counter", 'argo_workflows_runs{a="new"} 1']);
  assertEquals([page("length"), page("size0")], [[], []]);
  // The name can be used with another help text.
  registry.record({ ...histogram, help: "other" }, "a");
  assertEquals(registry.problemWith({ ...COUNTER, name: "more" }, "a"), undefined);
});

Deno.test("instrument: a built-in metric drops its oldest series at the limit", () => {
  const { registry } = registryBench();
  const instrument = registry.builtIn("total_count");
  for (let index = 0; index <= MAX_OWN_SERIES; index++) instrument.add({ namespace: `${index}`, phase: "Running" });
  assertEquals(instrument.size, MAX_OWN_SERIES);
  assertEquals([...instrument.samples()][0]?.labels.namespace, "1");
});

Deno.test("OTLP: delta values are those since the last export, and a removed series starts from zero", () => {
  const { registry, clock } = registryBench();
  const otlp = new OtlpMetrics({ temporality: "Delta" });
  const export_ = () =>
    JSON.stringify(otlp.metricsOf(registry.instruments(), { startTimeUnixNano: "1", timeUnixNano: "2" }));
  registry.record({ ...COUNTER, value: 5 });
  assert(export_().includes('"asDouble":5'));
  registry.record({ ...COUNTER, value: 2 });
  assert(export_().includes('"asDouble":2'));
  clock.now += 60_000;
  registry.dropOlderThan(1000);
  assert(!export_().includes("runs"));
  registry.record({ ...COUNTER, value: 3 });
  assert(export_().includes('"asDouble":3'));
});

Deno.test("registry: a followed gauge changes between scrapes and is removed with its workflow", () => {
  const { registry, page } = registryBench();
  let seconds = 1;
  const end = registry.follow({ name: "running", help: "Seconds", labels: { name: "w" } }, () => seconds);
  assertEquals(page("running")[1], 'argo_workflows_running{name="w"} 1');
  seconds = 2;
  assertEquals(page("running")[1], 'argo_workflows_running{name="w"} 2');
  end();
  assertEquals(page("running"), []);
});

Deno.test("exposition: NaN and infinities are spelled as in Prometheus", () => {
  const instrument = new Instrument({ name: "g", type: "gauge", help: "h" }, { now: () => 0 });
  for (const [name, value] of [["a", Infinity], ["b", -Infinity], ["c", NaN]] as const) instrument.set({ name }, value);
  const text = [...exposition([instrument], "")].join("");
  assertEquals(text.split("\n").slice(2, 5).map((line) => line.split(" ")[1]), ["+Inf", "-Inf", "NaN"]);
});
