import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "../../../lib/api/mod.ts";
import { compareRuns, kinOf, templateText, usualMeasure } from "./compare.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

interface Told {
  readonly phase?: NodeStatus["phase"];
  readonly took?: number;
  readonly output?: string;
}

function run(name: string, nodes: Readonly<Record<string, Told>>, { image = "a:1", region = "eu" } = {}): Workflow {
  const statuses = Object.entries(nodes).map(([path, { phase = "Succeeded", took = 10, output }]): NodeStatus => ({
    id: `${name}-${path}`,
    name: `${name}.${path}`,
    displayName: path,
    type: "Pod",
    phase,
    startedAt: at(0),
    finishedAt: at(took),
    ...(output === undefined ? {} : { outputs: { parameters: [{ name: "rows", value: output }] } }),
  }));
  return {
    metadata: { name, uid: name },
    spec: {
      arguments: { parameters: [{ name: "region", value: region }, { name: "day", value: "1" }] },
      templates: [{ name: "work", container: { image } }, { name: "other", container: { image: "b" } }],
    },
    status: {
      phase: "Succeeded",
      startedAt: at(0),
      finishedAt: at(60),
      nodes: Object.fromEntries(statuses.map((node) => [node.id, node])),
    },
  };
}

Deno.test("a new failure stands before what fails no more, and that before what takes longer", () => {
  const before = run("x-1", { slow: { took: 10 }, broke: {}, mended: { phase: "Failed" }, same: {}, gone: {} });
  const after = run("x-2", { slow: { took: 40 }, broke: { phase: "Failed" }, mended: {}, same: {}, fresh: {} });
  const { nodes } = compareRuns(before, after);
  assertEquals(nodes.map(({ path, longer }) => [path, longer]), [
    ["broke", 0],
    ["mended", 0],
    ["slow", 30_000],
    ["fresh", undefined],
    ["gone", undefined],
  ]);
});

Deno.test("parameters, outputs and images that differ are told, those that are the same are not", () => {
  const before = run("x-1", { load: { output: "7" } });
  const after = run("x-2", { load: { output: "9" } }, { image: "a:2", region: "us" });
  const { parameters, templates, nodes } = compareRuns(before, after);
  assertEquals(parameters, [{ name: "region", before: "eu", after: "us" }]);
  assertEquals(templates.map((one) => [one.name, templateText(one)]), [["work", "a:1 → a:2"]]);
  assertEquals(nodes.map(({ outputs }) => outputs), [[{ name: "rows", before: "7", after: "9" }]]);
});

Deno.test("a run is measured by the last success before it, and is no measure of itself", () => {
  const runs = [run("x-3", {}), run("x-2", {}), run("x-1", {})];
  runs[1]!.status!.phase = "Failed";
  assertEquals(usualMeasure(runs[0]!, runs)?.metadata.name, "x-1");
  assertEquals(usualMeasure(runs[0]!, [runs[0]!]), undefined);
});

Deno.test("runs of one schedule belong together, else those whose names begin alike", () => {
  const labels = { "workflows.argoproj.io/workflow-template": "t", "workflows.argoproj.io/cron-workflow": "nightly" };
  assertEquals(kinOf({ ...run("x", {}), metadata: { name: "x", labels } }), {
    label: "workflows.argoproj.io/cron-workflow=nightly",
  });
  assertEquals(kinOf({ ...run("x", {}), metadata: { name: "etl-x7f2q", generateName: "etl-" } }), { prefix: "etl-" });
  assertEquals(kinOf({ ...run("x", {}), metadata: { name: "etl-x7f2q" } }), { prefix: "etl-" });
});
