import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isForGrid, sortSteps, stepGrid, stepWords } from "./step_grid.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1) + seconds * 1000).toISOString().replace(".000", "");

function run(name: string, day: number, nodes: readonly Partial<NodeStatus>[], prefix = "etl-"): Workflow {
  const all = nodes.map((node, i) => ({
    id: `${name}-${i}`,
    type: "Pod",
    phase: "Succeeded",
    startedAt: at(day + i),
    finishedAt: at(day + i + 10),
    ...node,
    name: `${name}${node.name}`,
  } as NodeStatus));
  return {
    metadata: { name, uid: name, generateName: prefix },
    spec: {},
    status: {
      phase: "Succeeded",
      startedAt: at(day),
      nodes: Object.fromEntries(all.map((created) => [created.id, created])),
    },
  } as Workflow;
}

const pathsOf = (runs: readonly Workflow[]) => stepGrid(runs).steps.map(({ path }) => path);

Deno.test("stepGrid: runs are oldest first, and steps in the order of the newest run", () => {
  const old = run("etl-1", 0, [{ name: ".load" }, { name: ".gone" }]);
  const now = run("etl-2", 500, [{ name: ".extract" }, { name: ".load" }]);
  const grid = stepGrid([now, old]);
  assertEquals(grid.runs.map(({ metadata }) => metadata.name), ["etl-1", "etl-2"]);
  assertEquals(pathsOf([now, old]), ["extract", "load", "gone"]);
  assertEquals(grid.steps.map(({ cells }) => cells.map((cell) => cell?.nodeId)), [
    [undefined, "etl-2-0"],
    ["etl-1-0", "etl-2-1"],
    ["etl-1-1", undefined],
  ]);
});

Deno.test("stepGrid: loop items are one step with the most urgent result, from the first start to the last end", () => {
  const items = [{ name: ".load(0:eu)" }, { name: ".load(1:us)", phase: "Failed" as const }, {
    name: ".load(2:asia).deep[0].work",
  }];
  const { steps } = stepGrid([run("etl-1", 0, items)]);
  assertEquals(steps.map(({ path }) => path), ["load", "load.deep[0].work"]);
  const [cell] = steps[0]!.cells;
  assertEquals([cell?.items, cell?.look.family, cell?.nodeId, cell?.durationMillis], [2, "failed", "etl-1-1", 11_000]);
  assertEquals(steps[0]?.failed, 1);
});

Deno.test("stepGrid: a step that passed when retried is flaky, and its attempts are not steps", () => {
  const attempts = (last: "Succeeded" | "Failed") => [
    { name: ".call", type: "Retry" as const, phase: last, children: ["etl-1-1", "etl-1-2"] },
    { name: ".call(0)", phase: "Failed" as const, nodeFlag: { retried: true } },
    { name: ".call(1)", phase: last, nodeFlag: { retried: true } },
  ];
  const { steps } = stepGrid([run("etl-1", 0, attempts("Succeeded"))]);
  assertEquals(steps.map(({ path, flaky, failed }) => [path, flaky, failed]), [["call", 1, 0]]);
  assertEquals(stepWords(steps[0]!.cells[0]!, "10s"), "succeeded, 10s, 2 attempts, passed after a retry");
  const [failed] = stepGrid([run("etl-1", 0, attempts("Failed"))]).steps;
  assertEquals([failed?.flaky, failed?.failed], [0, 1]);
});

Deno.test("stepGrid: only finished nodes count for the duration, not running, waiting or skipped ones", () => {
  const running = { name: ".load", phase: "Running" as const, finishedAt: undefined };
  const skipped = { name: ".maybe", type: "Skipped" as const, phase: "Skipped" as const };
  const runs = [
    run("etl-1", 0, [{ name: ".load", finishedAt: at(30) }]),
    run("etl-2", 500, [{ name: ".load", finishedAt: at(504) }]),
    run("etl-3", 900, [{ name: ".load" }]),
    run("etl-4", 1500, [running, skipped]),
  ];
  const { steps } = stepGrid(runs);
  assertEquals(steps.map(({ path, median, longest }) => [path, median, longest]), [
    ["load", 10_000, 30_000],
    ["maybe", undefined, undefined],
  ]);
});

Deno.test("stepGrid: steps of the same name in other workflows are different steps", () => {
  const { steps } = stepGrid([run("etl-1", 0, [{ name: ".load" }]), run("ml-1", 500, [{ name: ".load" }], "ml-")]);
  assertEquals(steps.map(({ workflow, path }) => `${workflow}/${path}`), ["ml/load", "etl/load"]);
  assertEquals(stepGrid([run("etl-1", 0, [{ name: ".load" }])]).steps[0]?.workflow, undefined);
});

Deno.test("sortSteps: sorts by median duration, or by passes after a retry, then by failures", () => {
  const row = (path: string, median: number | undefined, flaky: number, failed: number) => ({
    key: path,
    path,
    workflow: undefined,
    cells: [],
    median,
    longest: median,
    flaky,
    failed,
  });
  const steps = [row("a", 5, 0, 2), row("b", 50, 0, 0), row("c", undefined, 1, 0)];
  const order = (by: "run" | "slowest" | "flaky") => sortSteps(steps, by).map(({ path }) => path).join("");
  assertEquals([order("run"), order("slowest"), order("flaky")], ["abc", "bac", "cab"]);
});

Deno.test("isForGrid: excludes a run with thousands of pods", () => {
  const of = (progress: string | undefined) => isForGrid({ status: { progress } } as Workflow);
  assertEquals([of("1/40"), of(undefined), of("0/2001"), of("0/2000")], [true, true, false, true]);
});
