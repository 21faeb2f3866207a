import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import {
  choicesOf,
  compareRuns,
  originalOf,
  relatedRunsFilter,
  templateFields,
  templateText,
  usualMeasure,
} from "./compare.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

interface NodeSample {
  readonly phase?: NodeStatus["phase"];
  readonly took?: number;
  readonly output?: string;
}

function run(
  name: string,
  nodes: Readonly<Record<string, NodeSample>>,
  { image = "a:1", region = "eu" } = {},
): Workflow {
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

Deno.test("compareRuns: new failures come before fixed ones, and these before slower nodes", () => {
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

Deno.test("compareRuns: lists parameters, outputs and images that differ", () => {
  const before = run("x-1", { load: { output: "7" } });
  const after = run("x-2", { load: { output: "9" } }, { image: "a:2", region: "us" });
  const { parameters, templates, nodes } = compareRuns(before, after);
  assertEquals(parameters, [{ name: "region", before: "eu", after: "us" }]);
  assertEquals(templates.map((template) => [template.name, templateText(template)]), [["work", "a:1 → a:2"]]);
  assertEquals(templateFields(templates[0]!), [{ name: "container.image", before: "a:1", after: "a:2" }]);
  assertEquals(nodes.map(({ outputs }) => outputs), [[{ name: "rows", before: "7", after: "9" }]]);
});

Deno.test("usualMeasure: returns the last earlier success, and never the run itself", () => {
  const runs = [run("x-3", {}), run("x-2", {}), run("x-1", {})];
  runs[1]!.status!.phase = "Failed";
  assertEquals(usualMeasure(runs[0]!, runs)?.metadata.name, "x-1");
  assertEquals(usualMeasure(runs[0]!, [runs[0]!]), undefined);
});

Deno.test("relatedRunsFilter: runs of one schedule belong together, else those with a common name prefix", () => {
  const labels = { "workflows.argoproj.io/workflow-template": "t", "workflows.argoproj.io/cron-workflow": "nightly" };
  assertEquals(relatedRunsFilter({ ...run("x", {}), metadata: { name: "x", labels } }), {
    label: "workflows.argoproj.io/cron-workflow=nightly",
  });
  assertEquals(relatedRunsFilter({ ...run("x", {}), metadata: { name: "etl-x7f2q", generateName: "etl-" } }), {
    prefix: "etl-",
  });
  assertEquals(relatedRunsFilter({ ...run("x", {}), metadata: { name: "etl-x7f2q" } }), { prefix: "etl-" });
});

/** The nodes of a run of nested steps with the same step name in two groups; the second has the given phase. */
function steps(name: string, second: NodeStatus["phase"]): Workflow {
  const base = run(name, {});
  const leaf = (path: string, displayName: string, phase: NodeStatus["phase"]): NodeStatus => ({
    id: `${name}-${path}`,
    name: `${name}${path}`,
    displayName,
    type: "Pod",
    phase,
    startedAt: at(0),
    finishedAt: at(10),
  });
  const nodes = [
    leaf("[0].left[0].print", "print", "Succeeded"),
    leaf("[0].right[0].print", "print", second),
    leaf("[1].print(0:a)", "print(0:a)", "Succeeded"),
  ];
  return { ...base, status: { ...base.status, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) } };
}

Deno.test("compareRuns: distinguishes steps of the same name in different groups", () => {
  const { nodes } = compareRuns(steps("x-1", "Succeeded"), steps("x-2", "Failed"));
  assertEquals(nodes.map(({ path, before, after }) => [path, before?.phase, after?.phase]), [
    ["[0].right[0].print", "Succeeded", "Failed"],
  ]);
  assertEquals(compareRuns(steps("x-1", "Failed"), steps("x-2", "Failed")).nodes, []);
});

Deno.test("compareRuns: a run of one pod is compared as a whole", () => {
  const singleNode = (name: string, phase: NodeStatus["phase"]): Workflow => {
    const base = run(name, {});
    const node: NodeStatus = { id: name, name, displayName: name, type: "Pod", phase };
    return { ...base, status: { ...base.status, nodes: { [name]: node } } };
  };
  const { nodes } = compareRuns(singleNode("x-1", "Succeeded"), singleNode("x-2", "Failed"));
  assertEquals(nodes.map(({ path, before, after }) => [path, before?.phase, after?.phase]), [
    ["the whole run", "Succeeded", "Failed"],
  ]);
});

Deno.test("compareRuns: parameters of template runs are the effective values, given or default", () => {
  const of = (name: string, values: Readonly<Record<string, string>>): Workflow => {
    const base = run(name, {});
    const list = (values: Readonly<Record<string, string>>) => ({
      parameters: Object.entries(values).map(([name, value]) => ({ name, value })),
    });
    return {
      ...base,
      spec: { arguments: list(values) },
      status: {
        ...base.status,
        storedWorkflowTemplateSpec: { arguments: list({ region: "eu", day: "1", ...values }) },
      },
    };
  };
  assertEquals(compareRuns(of("x-1", { day: "1" }), of("x-2", { region: "eu" })).parameters, []);
  assertEquals(compareRuns(of("x-1", {}), of("x-2", { day: "2" })).parameters, [
    { name: "day", before: "1", after: "2" },
  ]);
});

Deno.test("choicesOf: merges lists without duplicates, newest first, without the run itself", () => {
  const runs = [run("x-3", {}), run("x-2", {}), run("x-1", {})];
  runs.forEach((run, i) => run.status!.startedAt = at(30 - i));
  const [third, second, first] = runs as [Workflow, Workflow, Workflow];
  const names = choicesOf(third, [[third, second], [first], [second]]).map(({ metadata }) => metadata.name);
  assertEquals(names, ["x-2", "x-1"]);
});

Deno.test("originalOf: returns the run that was resubmitted", () => {
  const labels = { "workflows.argoproj.io/resubmitted-from-workflow": "etl-1" };
  assertEquals(originalOf({ ...run("x", {}), metadata: { name: "x", labels } }), "etl-1");
  assertEquals(originalOf(run("x", {})), undefined);
});

Deno.test("compareRuns: lists fields of the manifest that differ, except those that suspend or stop a run", () => {
  const run = (spec: Workflow["spec"]): Workflow => ({ metadata: { name: "w" }, spec });
  const { fields } = compareRuns(
    run({ entrypoint: "main", parallelism: 2, shutdown: "Stop" }),
    run({ entrypoint: "main", parallelism: 4, onExit: "tell", suspend: true }),
  );
  assertEquals(fields, [
    { name: "parallelism", before: "2", after: "4" },
    { name: "onExit", before: undefined, after: "tell" },
  ]);
});
