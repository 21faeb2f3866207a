import { assert, assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { simulate } from "../../../mod.ts";
import { criticalPath } from "../../../ui/model/graph/critical_path.ts";
import { runToEnd } from "../../../ui/model/run_to_end.ts";
import { failedLeaves, findParts } from "../../../ui/model/graph/find.ts";
import { barSegmentsOf, failedPartsOf, openParts } from "../../../ui/model/graph/fold.ts";
import { curveThrough } from "../../../ui/model/graph/curve.ts";
import { Layout, type Picture } from "../../../ui/model/graph/layout.ts";
import { toMermaid } from "../../../ui/model/graph/mermaid.ts";
import { type Part, partsIn, pathTo } from "../../../ui/model/graph/part.ts";
import { OUTERMOST_KEY, partsOf } from "../../../ui/model/graph/parts.ts";
import { toSvg } from "../../../ui/model/graph/svg.ts";

/** One line per part: its label, its kind, and its dependencies. */
function outline(part: Part, indent = ""): string[] {
  return part.members.flatMap((member, index) => {
    const after = part.edges.filter(({ to }) => to === index)
      .map(({ from, kind }) => `${kind === "hook" ? "~" : "<"}${part.members[from]!.label}`);
    const kind = member.isPlanned ? `planned ${member.kind}` : member.kind;
    return [`${indent}${[member.label, kind, ...after].join(" ")}`, ...outline(member, `${indent}  `)];
  });
}

async function runWorkflow(source: string, failing: readonly string[] = []): Promise<Workflow> {
  const templates = Object.fromEntries(failing.map((name) => [name, () => ({ exitCode: 1 })]));
  return (await simulate(source, { templates })).workflow;
}

const NESTED = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: nested }
spec:
  entrypoint: main
  onExit: tidy
  templates:
  - name: main
    steps:
    - - { name: prepare, template: work }
    - - { name: graph, template: graph }
      - { name: beside, template: work }
    - - { name: each, template: work, withItems: [a, b, c] }
  - name: graph
    dag:
      tasks:
      - { name: left, template: work }
      - name: right
        template: inner
        hooks: { exit: { template: work } }
      - { name: join, template: work, depends: "left && right.Succeeded" }
  - name: inner
    steps: [[{ name: deep, template: work }], [{ name: deeper, template: work }]]
  - { name: work, container: { image: alpine, command: [work] } }
  - { name: tidy, container: { image: alpine, command: [tidy] } }
`;

Deno.test("partsOf: steps in a DAG in steps are nested boxes, hooks are next to their nodes, and the exit handler is last", async () => {
  assertEquals(outline(partsOf(await runWorkflow(NESTED))), [
    "nested box",
    "  prepare leaf",
    "  graph box <prepare",
    "    left leaf",
    "    right box",
    "      deep leaf",
    "      deeper leaf <deep",
    "    right.onExit leaf ~right",
    "    join leaf <left <right",
    "  beside leaf <prepare",
    "  each loop <graph <beside",
    "    each(0:a) leaf",
    "    each(1:b) leaf",
    "    each(2:c) leaf",
    "onExit leaf ~nested",
  ]);
});

Deno.test("partsOf: a workflow without nodes has the planned parts of its templates", () => {
  const tasks = [
    { name: "a", template: "work" },
    { name: "b", template: "steps", depends: "a" },
    { name: "c", template: "work", dependencies: ["b"], withParam: "{{tasks.b.outputs.result}}" },
    { name: "d", template: "work", depends: "a", withItems: [1, 2, 3] },
  ];
  const templates = [
    { name: "main", dag: { tasks } },
    { name: "steps", steps: [[{ name: "one", template: "work" }], [{ name: "again", template: "main" }]] },
    { name: "work", container: { image: "alpine" } },
  ];
  const whole = partsOf({ metadata: { name: "w" }, spec: { entrypoint: "main", templates } });
  assertEquals(outline(whole), [
    "a planned leaf",
    "b planned box <a",
    "  one planned leaf",
    "  again planned leaf <one", // a recursive template is not expanded again
    "c planned loop <b",
    "d planned loop <a",
  ]);
  assertEquals(whole.members.map(({ items }) => items), [undefined, undefined, undefined, 3]);
});

/** A DAG of tasks. The first `there` tasks have nodes. */
function dag(tasks: readonly string[][], there: number, phase: NodeStatus["phase"] = "Succeeded"): Workflow {
  const nodes: Record<string, NodeStatus> = {};
  const root: NodeStatus = { id: "w", name: "w", type: "DAG", phase: "Running", templateName: "main", children: [] };
  nodes.w = root;
  for (const [name = ""] of tasks.slice(0, there)) {
    nodes[`w-${name}`] = {
      id: `w-${name}`,
      name: `w.${name}`,
      displayName: name,
      type: "Pod",
      phase,
      boundaryID: "w",
      templateName: "work",
    };
    root.children!.push(`w-${name}`);
  }
  const dagTasks = tasks.map(([name = "", ...dependencies]) => ({ name, template: "work", dependencies }));
  const templates = [{ name: "main", dag: { tasks: dagTasks } }, { name: "work", container: { image: "alpine" } }];
  return { metadata: { name: "w" }, spec: { entrypoint: "main", templates }, status: { phase: "Running", nodes } };
}

const TWELVE = [["a"], ["b", "a"], ["c", "a"], ...Array.from({ length: 9 }, (_, i) => [`d${i}`, "b", "c"])];

Deno.test("partsOf: of 12 tasks with 3 nodes, 9 are planned, with all edges", () => {
  const whole = partsOf(dag(TWELVE, 3));
  assertEquals(whole.members.filter(({ isPlanned }) => isPlanned).length, 9);
  assertEquals(whole.edges.length, 2 + 9 * 2);
});

Deno.test("layout: nothing moves when a planned task gets its node, or when phases change", () => {
  const layout = new Layout();
  const places = (workflow: Workflow) => {
    const whole = partsOf(workflow);
    return layout.layOut(whole, openParts(whole)).placed.map(({ part, x, y }) => [part.key, x, y] as const).sort();
  };
  const before = places(dag(TWELVE, 3));
  assertEquals(places(dag(TWELVE, 12)), before);
  assertEquals(places(dag(TWELVE, 12, "Failed")), before);
});

Deno.test("layout: a new task does not change the order of the others", () => {
  const layout = new Layout();
  const order = (tasks: readonly string[][]) => {
    const whole = partsOf(dag(tasks, tasks.length));
    const { placed } = layout.layOut(whole, openParts(whole));
    return placed.filter(({ part }) => /^w\.d\d$/.test(part.key)).sort((a, b) => a.y - b.y).map(({ part }) =>
      part.label
    );
  };
  const before = order(TWELVE);
  assertEquals(order([...TWELVE, ["new", "b"]]), before);
});

Deno.test("partsOf: a node with three attempts is one part", async () => {
  const workflow = await runWorkflow(
    `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec:
  entrypoint: main
  templates:
  - name: main
    steps: [[{ name: try, template: flaky }]]
  - name: flaky
    retryStrategy: { limit: 2 }
    container: { image: alpine, command: [work] }
`,
    ["flaky"],
  );
  const whole = partsOf(workflow);
  assertEquals(outline(whole), ["try leaf"]);
  assertEquals(whole.members[0]!.attempts.map(({ displayName }) => displayName), ["try(0)", "try(1)", "try(2)"]);
});

/** A loop of `items` items, some of which failed. */
function loop(items: number, failed: readonly number[]): Workflow {
  const workflow = dag([["load"]], 0);
  const nodes = workflow.status!.nodes!;
  const group: NodeStatus = {
    id: "g",
    name: "w.load",
    displayName: "load",
    type: "TaskGroup",
    phase: "Running",
    boundaryID: "w",
    children: [],
  };
  nodes.g = group;
  nodes.w!.children!.push("g");
  for (let i = 0; i < items; i++) {
    const phase = failed.includes(i) ? "Failed" : "Succeeded";
    const name = `w.load(${i}:x)`;
    nodes[`i${i}`] = { id: `i${i}`, name, displayName: `load(${i}:x)`, type: "Pod", phase, boundaryID: "w" };
    group.children!.push(`i${i}`);
  }
  return workflow;
}

Deno.test("strip: a collapsed loop has a pixel per item, failed ones first", () => {
  const [part] = partsOf(loop(40, [7, 9])).members;
  assertEquals(barSegmentsOf(part!, 200), [{ family: "failed", size: 2 }, { family: "done", size: 38 }]);
  assertEquals(barSegmentsOf(part!, 20), [{ family: "failed", size: 2 }, { family: "done", size: 18 }]);
});

Deno.test("strip: a loop of 1,000 is one stack whose strip begins with failed items", () => {
  const whole = partsOf(loop(1000, [700]));
  const picture = new Layout().layOut(whole, openParts(whole));
  assertEquals(picture.placed.map(({ part, isOpen }) => [part.label, isOpen]), [["load", false]]);
  assertEquals(barSegmentsOf(whole.members[0]!, 200), [{ family: "failed", size: 2 }, { family: "done", size: 198 }]);
  assertEquals(failedLeaves(whole), ["w.load(700:x)"]);
  assertEquals(pathTo(whole, "w.load(700:x)").map(({ key }) => key), ["", "w.load", "w.load(700:x)"]);
});

Deno.test("layout: an expanded loop is a grid, not a row", () => {
  const whole = partsOf(loop(100, []));
  const { placed } = new Layout().layOut(whole, openParts(whole, new Map([["w.load", true]])));
  const [box, ...items] = placed;
  assertEquals(items.length, 100);
  assert(box!.width < 4 * box!.height && box!.height < 4 * box!.width, "the grid is about as wide as high");
});

Deno.test("folding: in a large graph, only boxes with failed, running or waiting nodes are expanded", () => {
  const tasks = Array.from({ length: 100 }, (_, i) => ({ name: `t${i}`, template: "work" }));
  const workflow = dag(tasks.map(({ name }) => [name]), 0);
  const nodes = workflow.status!.nodes!;
  for (const [i, phase] of (["Succeeded", "Failed", "Running"] as const).entries()) {
    nodes[`s${i}`] = { id: `s${i}`, name: `w.t${i}`, displayName: `t${i}`, type: "Steps", phase, boundaryID: "w" };
    nodes[`g${i}`] = {
      id: `g${i}`,
      name: `w.t${i}[0]`,
      type: "StepGroup",
      phase,
      boundaryID: `s${i}`,
      children: [`p${i}`],
    };
    nodes[`p${i}`] = { id: `p${i}`, name: `w.t${i}[0].p`, displayName: "p", type: "Pod", phase, boundaryID: `s${i}` };
  }
  const whole = partsOf(workflow);
  assertEquals([...openParts(whole)].sort(), ["", "w.t1", "w.t2"]);
  assertEquals([...openParts(whole, new Map([["w.t0", true], ["w.t2", false]]))].sort(), ["", "w.t0", "w.t1"]);
});

Deno.test("filter: only failed parts and their boxes remain", async () => {
  const failing = NESTED.replace("name: deeper, template: work", "name: deeper, template: tidy");
  const whole = failedPartsOf(partsOf(await runWorkflow(failing, ["tidy"])));
  assertEquals(outline(whole), [
    "nested box",
    "  graph box",
    "    right box",
    "      deeper leaf",
    "onExit leaf ~nested",
  ]);
});

Deno.test("search: finds parts by name, template and parameter values", async () => {
  const whole = partsOf(await runWorkflow(NESTED));
  const found = (text: string) => runToEnd(findParts(whole, text)).size;
  assertEquals([...runToEnd(findParts(whole, "EACH(1"))], ["nested[2].each(1:b)"]);
  assertEquals([found("tidy"), found("nowhere"), found("  ")], [1, 0, 0]);
});

/** Pairs of sibling boxes that overlap. */
function overlappingParts({ placed }: Picture): string[] {
  const found: string[] = [];
  for (const a of placed) {
    for (const b of placed) {
      if (a === b || a.holder !== b.holder) continue;
      if (a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height) {
        found.push(`${a.part.key} ${b.part.key}`);
      }
    }
  }
  return found;
}

Deno.test("layout: siblings do not overlap, boxes contain their parts, and edges lead to the right", async () => {
  const workflow = await runWorkflow(NESTED);
  const whole = partsOf(workflow);
  const picture = new Layout().layOut(whole, new Set([...partsIn(whole)].map(({ key }) => key)));
  assertEquals(overlappingParts(picture), []);
  assertEquals(picture.placed.length, 15);
  for (const { holder, x, y, width, height } of picture.placed) {
    assert(x >= (holder?.x ?? 0) && y >= (holder?.y ?? 0));
    assert(x + width <= (holder ? holder.x + holder.width : picture.width));
    assert(y + height <= (holder ? holder.y + holder.height : picture.height));
  }
  for (const { from, to } of picture.routes) assert(from.x + from.width <= to.x, `${from.part.key} ${to.part.key}`);
});

/** Points of an edge, close to each other. Each segment is a line or a Bézier curve. */
function pointsOn({ points }: Picture["routes"][number]): [x: number, y: number][] {
  const ends = curveThrough(points).split(/(?=[MLC])/).map((piece) => piece.slice(1).split(" ").map(Number));
  return ends.slice(1).flatMap((piece, index) => {
    const [from, to] = [ends[index]!.slice(-2), piece.slice(-2)];
    const [one, other] = piece.length === 6 ? [piece.slice(0, 2), piece.slice(2, 4)] : [from, to];
    return Array.from({ length: 41 }, (_, step): [number, number] => {
      const t = step / 40;
      const on = (axis: 0 | 1) =>
        (1 - t) ** 3 * from[axis]! + 3 * (1 - t) ** 2 * t * one![axis]! + 3 * (1 - t) * t ** 2 * other![axis]! +
        t ** 3 * to[axis]!;
      return [on(0), on(1)];
    });
  });
}

Deno.test("layout: no edge crosses an unrelated part, for any widths", () => {
  const long = "a-task-with-a-name-that-takes-much-room";
  const tasks = [["a"], ["b"], [`${long}-1`, "a"], ["c", "a"], [`${long}-2`, "b"], ["d", "c", "b"], [`${long}-3`, "c"]];
  const many = Array.from(
    { length: 30 },
    (_, i) => [i % 3 ? `t${i}` : `${long}-t${i}`, ...(i > 4 ? [`${(i - 5) % 3 ? "" : `${long}-`}t${i - 5}`] : [])],
  );
  for (const graph of [[...tasks, ["e", "a", "d"], ["f", `${long}-1`, "e", "b"]], many]) {
    const picture = new Layout().layOut(partsOf(dag(graph, 0)), new Set([OUTERMOST_KEY]));
    assert(picture.placed.length >= graph.length);
    for (const route of picture.routes) {
      for (const [x, y] of pointsOn(route)) {
        const behind = picture.placed.find((placedPart) =>
          placedPart !== route.from && placedPart !== route.to && !placedPart.isOpen && x > placedPart.x + 1 &&
          x < placedPart.x + placedPart.width - 1 &&
          y > placedPart.y + 1 && y < placedPart.y + placedPart.height - 1
        );
        assertEquals(behind?.part.key, undefined, `${route.from.part.key} to ${route.to.part.key}`);
      }
    }
  }
});

const at = (second: number) => new Date(1_700_000_000_000 + second * 1000).toISOString();

Deno.test("critical path: that of a diamond is its longer side, including idle time before its end", () => {
  const workflow = dag([["a"], ["fast", "a"], ["slow", "a"], ["join", "fast", "slow"]], 4);
  const times: Record<string, [number, number]> = { a: [0, 10], fast: [10, 12], slow: [11, 50], join: [60, 70] };
  for (const [name, [from, to]] of Object.entries(times)) {
    Object.assign(workflow.status!.nodes![`w-${name}`]!, { startedAt: at(from), finishedAt: at(to) });
  }
  const start = Date.parse(at(0));
  const path = criticalPath(partsOf(workflow), { startedAt: start, finishedAt: Date.parse(at(71)) });
  assertEquals(path.map(({ kind, label, from, to }) => [kind, label, (from - start) / 1000, (to - start) / 1000]), [
    ["run", "a", 0, 10],
    ["idle", "slow", 10, 11],
    ["run", "slow", 11, 50],
    ["idle", "join", 50, 60],
    ["run", "join", 60, 70],
    ["idle", "", 70, 71],
  ]);
});

Deno.test("export: Mermaid and SVG escape labels", () => {
  const workflow = dag([["a"], ["b", "a"]], 2);
  workflow.status!.nodes!["w-b"]!.displayName = `"]<script>&`;
  const whole = partsOf(workflow);
  const open = openParts(whole);
  const mermaid = toMermaid(whole, open);
  assert(mermaid.includes(`n1["#34;]#60;script#62;#38;"]:::done`), mermaid);
  assert(mermaid.includes("n0 --> n1"));
  const svg = toSvg(new Layout().layOut(whole, open));
  assert(!svg.includes("<script") && svg.includes("&#60;script&#62;&#38;"), svg);
});

Deno.test("partsOf: a template of another object calls templates of that object", () => {
  const work = (image: string) => ({ name: "work", container: { image } });
  const calling = { name: "go", steps: [[{ name: "in", template: "work" }]] };
  const inner = { name: "work", steps: [[{ name: "deep", template: "leaf" }]] };
  const whole = partsOf({
    metadata: { name: "w" },
    spec: {
      entrypoint: "main",
      templates: [
        { name: "main", dag: { tasks: [{ name: "other", templateRef: { name: "shared", template: "go" } }] } },
        work("own"),
      ],
    },
    status: { storedTemplates: { "namespaced/shared/go": calling, "namespaced/shared/work": inner } },
  } as unknown as Workflow);
  assertEquals(outline(whole), ["other planned box", "  in planned box", "    deep planned leaf"]);
});
