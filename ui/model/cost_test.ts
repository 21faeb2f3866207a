import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { costOf, costTable, moneyText, useText } from "./cost.ts";

const PRICES = { currency: "EUR", perHour: { cpu: 0.36, memory: 0.036, "nvidia.com/gpu": 3.6 } };

Deno.test("costOf: bills by the hour, per CPU, GiB of memory, or unit of another resource", () => {
  assertEquals(costOf({ cpu: 3600 }, PRICES), 0.36);
  // The status counts memory in seconds of 100 Mi: 36,864 of them are one hour of one GiB.
  assertEquals(costOf({ memory: 36_864 }, PRICES)?.toFixed(9), "0.036000000");
  assertEquals(costOf({ "nvidia.com/gpu": 1800, unheardOf: 9 }, PRICES), 1.8);
});

Deno.test("costOf: undefined, not zero, without a price", () => {
  assertEquals(costOf({ unheardOf: 9 }, PRICES), undefined);
  assertEquals(costOf({ cpu: 9 }, undefined), undefined);
  assertEquals(costOf(undefined, PRICES), undefined);
  assertEquals(costOf({ cpu: 0 }, PRICES), 0);
});

Deno.test("moneyText: small amounts keep their significant digits", () => {
  const texts = [0, 0.000123, 0.5, 12.3456].map((amount) => moneyText(amount, PRICES, "en"));
  assertEquals(texts, ["€0.00", "€0.00012", "€0.50", "€12.35"]);
});

Deno.test("useText: leaves out resources of which less than a second was used", () => {
  assertEquals(useText({ memory: 100, cpu: 0 }), "10s of a GiB of memory");
  assertEquals(useText({ memory: 1, cpu: 0 }), "less than a second of each resource");
});

Deno.test("useText: uses the units of the prices", () => {
  assertEquals(useText({ memory: 10_240, cpu: 90 }), "1m 30s of a CPU, 16m 40s of a GiB of memory");
});

function runOf(nodes: readonly Record<string, unknown>[]): Workflow {
  const at = (second: number) => new Date(second * 1000).toISOString();
  const made = nodes.map(({ from, to, ...node }, i) => [`n${i}`, {
    id: `n${i}`,
    name: `n${i}`,
    phase: "Succeeded",
    type: "Pod",
    startedAt: at(Number(from)),
    finishedAt: to === undefined ? undefined : at(Number(to)),
    ...node,
  }]);
  return {
    metadata: { name: "etl" },
    spec: {},
    status: { startedAt: at(0), finishedAt: at(100), nodes: Object.fromEntries(made) },
  } as unknown as Workflow;
}

Deno.test("costTable: sums up pods by template, the most expensive first, and ignores boundary nodes", () => {
  const run = runOf([
    { from: 10, to: 30, templateName: "load", resourcesDuration: { cpu: 100 } },
    { from: 20, to: 40, templateName: "load", resourcesDuration: { cpu: 200 } },
    {
      from: 60,
      to: 80,
      templateRef: { name: "lib", template: "train" },
      resourcesDuration: { "nvidia.com/gpu": 1000 },
    },
    { from: 0, to: 100, type: "DAG", templateName: "main", resourcesDuration: { cpu: 300, "nvidia.com/gpu": 1000 } },
  ]);
  const { rows, durations, cost, idle } = costTable(run, PRICES, 0);
  assertEquals(rows.map(({ template, nodes, cost, share }) => [template, nodes, cost?.toFixed(3), share?.toFixed(3)]), [
    ["lib/train", 1, "1.000", "0.971"],
    ["load", 2, "0.030", "0.029"],
  ]);
  assertEquals([durations, cost?.toFixed(2)], [{ cpu: 300, "nvidia.com/gpu": 1000 }, "1.03"]);
  assertEquals(idle, 50_000);
});

Deno.test("costTable: without prices the share is that of the CPU time, and a running pod is not idle", () => {
  const run = runOf([
    { from: 0, to: 10, templateName: "a", resourcesDuration: { cpu: 30 } },
    { from: 50, templateName: "b", resourcesDuration: { cpu: 10 } },
  ]);
  const { rows, cost, idle } = costTable(run, undefined, 100_000);
  assertEquals(rows.map(({ template, share }) => [template, share]), [["a", 0.75], ["b", 0.25]]);
  assertEquals([cost, idle], [undefined, 40_000]);
});
