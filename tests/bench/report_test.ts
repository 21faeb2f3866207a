import { assertEquals, assertStringIncludes } from "@std/assert";
import { CEILING } from "./ceiling.ts";
import type { Measurement } from "./measure.ts";
import { costsOf, figuresOf, tableOf } from "./report.ts";

function measurement(candidate: string, seconds: number, planeCpuSeconds: number): Measurement {
  return { load: "drain:10", candidate, seconds, podsPerSecond: 10 / seconds, planeCpuSeconds };
}

const MEASUREMENTS = [
  measurement(CEILING, 2, 10),
  measurement("ours", 3, 12),
  measurement("ours", 5, 13),
  measurement("ours", 4, 14),
  measurement("theirs", 6, 20),
];

Deno.test("costsOf: the cost above the ceiling is the measurement minus the median of the ceiling", () => {
  const above = figuresOf(MEASUREMENTS).find(({ name }) => name === "CPU of the control plane above the ceiling");
  assertEquals(above?.spreads, {
    ours: { median: 3, minimum: 2, maximum: 4 },
    theirs: { median: 10, minimum: 10, maximum: 10 },
  });
});

Deno.test("tableOf: the last column compares the controllers, and not the ceiling", () => {
  const table = tableOf(figuresOf(MEASUREMENTS));
  assertStringIncludes(table, "ours / theirs");
  const row = table.split("\n").find((line) => line.includes("time above the ceiling, s"));
  assertEquals(row?.split("|").map((cell) => cell.trim()).slice(3, -1), ["", "2 (1–3)", "4", "0.5"]);
});

Deno.test("costsOf: a load without a ceiling has no costs", () => {
  const names = figuresOf(MEASUREMENTS.slice(1)).map(({ name }) => name);
  assertEquals(names.filter((name) => name.includes("ceiling")), []);
});

Deno.test("costsOf: contains the CPU time of the controllers, and everything above the ceiling", () => {
  const [ceiling, ...others] = MEASUREMENTS.map((measurement) =>
    measurement.candidate === CEILING ? measurement : { ...measurement, cpuSeconds: 2 }
  );
  const elsewhere = others.map((other) => ({ ...other, load: "finished:10" }));
  const costs = costsOf(figuresOf([ceiling!, ...others, ...elsewhere]));
  assertEquals(costs.map(({ load, name }) => [load, name]), [
    ["drain:10", "time above the ceiling"],
    ["drain:10", "CPU"],
    ["drain:10", "CPU per pod"],
    ["drain:10", "CPU of the control plane above the ceiling"],
  ]);
  const perPod = costs.find(({ name }) => name === "CPU per pod");
  assertEquals(perPod?.spreads.theirs, { median: 200, minimum: 200, maximum: 200 });
  const table = tableOf(costs);
  assertEquals(table.split("\n")[0]?.split("|").map((cell) => cell.trim()).slice(1, -1), [
    "load",
    "figure",
    "ours",
    "theirs",
    "ours / theirs",
  ]);
});
