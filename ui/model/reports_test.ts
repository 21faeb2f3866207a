import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { csvOf, reportOf, templatesOf } from "./reports.ts";

function run(name: string, took: number | undefined, phase = "Succeeded", started = 0): Workflow {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const times = took === undefined ? {} : { finishedAt: at(started + took) };
  const resourcesDuration = { cpu: 4, memory: 1024 };
  return {
    metadata: { name, namespace: "data", uid: name },
    spec: {},
    status: { phase, startedAt: at(started), ...times, resourcesDuration },
  } as Workflow;
}

Deno.test("reportOf: covers finished runs, oldest first", () => {
  const { rows, mean, median, p95, failed, cpu, memory } = reportOf([
    run("c", 30, "Failed", 20),
    run("b", 10, "Succeeded", 10),
    run("a", 20),
    run("running", undefined, "Running", 30),
  ]);
  assertEquals(rows.map(({ run }) => run.metadata.name), ["a", "b", "c"]);
  assertEquals([mean, median, p95, failed], [20_000, 20_000, 30_000, 1]);
  assertEquals([cpu, memory], [{ seconds: 12, runs: 3 }, { seconds: 300, runs: 3 }]);
});

Deno.test("reportOf: without runs the mean is not NaN", () => {
  const none = { seconds: 0, runs: 0 };
  assertEquals(reportOf([]), {
    rows: [],
    mean: 0,
    median: 0,
    p95: 0,
    failed: 0,
    scale: 0,
    days: [],
    cpu: none,
    memory: none,
    cost: undefined,
  });
});

Deno.test("reportOf: the scale leaves out outliers", () => {
  const took = (...seconds: number[]) =>
    reportOf(seconds.map((second, index) => run(`r${index}`, second, "Succeeded", index))).scale;
  assertEquals([took(10, 12, 14), took(10, 10, 10, 10, 3600), took(5)], [14_000, 30_000, 5_000]);
});

Deno.test("reportOf: each day has its success rate and percentiles", () => {
  const day = 86_400;
  const { days } = reportOf([run("a", 10), run("b", 30, "Failed", 60), run("c", 20, "Succeeded", 7 * day)]);
  assertEquals(days.map(({ day: _, ...facts }) => facts), [
    { runs: 2, succeeded: 50, median: 20_000, p95: 30_000 },
    { runs: 1, succeeded: 100, median: 20_000, p95: 20_000 },
  ]);
});

Deno.test("templatesOf: the templates of runs, and the chosen one", () => {
  const of = (name: string, template: string) => {
    const created = run(name, 1);
    const labels = { "workflows.argoproj.io/workflow-template": template };
    return { ...created, metadata: { ...created.metadata, labels } };
  };
  const report = reportOf([of("a", "etl"), of("b", "etl"), of("c", "build"), run("d", 1)]);
  assertEquals([templatesOf(report, undefined), templatesOf(report, "old")], [["build", "etl"], [
    "build",
    "etl",
    "old",
  ]]);
});

Deno.test("csvOf: keeps commas and quotes within one cell", () => {
  const line = (prices?: Parameters<typeof reportOf>[1]) =>
    csvOf(reportOf([run('a,"b"', 20)], prices)).split("\r\n")[1];
  assertEquals(line(), 'data,"a,""b""",Succeeded,2026-01-01T00:00:00.000Z,20,4,100.00,');
  const prices = { currency: "EUR", perHour: { cpu: 0.9 } };
  assertEquals(line(prices), 'data,"a,""b""",Succeeded,2026-01-01T00:00:00.000Z,20,4,100.00,0.001000');
});

Deno.test("reportOf: the median of an even number of runs is between the middle two", () => {
  assertEquals(reportOf([run("a", 10), run("b", 20), run("c", 40), run("d", 90)]).median, 30_000);
});

Deno.test("reportOf: a sum includes the number of runs that it covers", () => {
  const silent = run("b", 20);
  delete silent.status?.resourcesDuration;
  assertEquals(reportOf([run("a", 10), silent]).cpu, { seconds: 4, runs: 1 });
});
