import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { Layout } from "../graph/layout.ts";
import { openParts } from "../graph/fold.ts";
import { type Part, partsIn } from "../graph/part.ts";
import { compareRuns } from "./compare.ts";
import { type ComparedGraph, comparedGraph, MAX_COMPARED } from "./compared_graph.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

interface Task {
  readonly after?: readonly string[];
  readonly phase?: NodeStatus["phase"];
  readonly took?: number;
  /** Whether it has no node yet. */
  readonly isPlanned?: boolean;
}

const compared = (before: Workflow, after: Workflow) => comparedGraph(before, after, compareRuns(before, after));

function dag(name: string, tasks: Readonly<Record<string, Task>>, { image = "a:1", onExit = false } = {}): Workflow {
  const node = (path: string, more: Partial<NodeStatus>): NodeStatus => ({
    id: `${name}-${path}`,
    name: `${name}.${path}`,
    displayName: path,
    type: "Pod",
    phase: "Succeeded",
    templateName: "work",
    boundaryID: name,
    startedAt: at(0),
    finishedAt: at(10),
    ...more,
  });
  const nodes = [
    {
      ...node("", {}),
      id: name,
      name,
      displayName: name,
      type: "DAG" as const,
      templateName: "main",
      templateScope: `local/${name}`,
      boundaryID: undefined,
    },
    ...Object.entries(tasks).filter(([, { isPlanned }]) => !isPlanned).map((
      [path, { phase = "Succeeded", took = 10 }],
    ) => node(path, { phase, finishedAt: at(took) })),
    ...(onExit ? [{ ...node("onExit", {}), displayName: `${name}.onExit`, boundaryID: undefined }] : []),
  ];
  return {
    metadata: { name, uid: name },
    spec: {
      entrypoint: "main",
      ...(onExit ? { onExit: "work" } : {}),
      templates: [
        {
          name: "main",
          dag: {
            tasks: Object.entries(tasks).map(([name, { after = [] }]) => ({
              name,
              template: "work",
              dependencies: [...after],
            })),
          },
        },
        { name: "work", container: { image } },
      ],
    },
    status: { phase: "Running", nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) },
  } as unknown as Workflow;
}

const labelsOf = ({ whole, tints }: ComparedGraph) =>
  [...partsIn(whole)].filter(({ members }) => members.length === 0).map((part) =>
    `${part.label} ${tints.tintOf(part)?.text ?? "nothing"}`
  );
const edgesOf = ({ members, edges }: Part) =>
  edges.map(({ from, to }) => `${members[from]!.label} > ${members[to]!.label}`).sort();

Deno.test("comparedGraph: shows equal parts, differences, and parts of one run, each with its symbol", () => {
  const before = dag("x-1", { a: {}, b: { after: ["a"] }, c: { after: ["b"], took: 10 }, gone: { after: ["a"] } });
  const after = dag("x-2", {
    a: {},
    b: { after: ["a"], phase: "Failed" },
    c: { after: ["b"], took: 25 },
    fresh: { after: ["a"] },
  });
  const graph = compared(before, after)!;
  assertEquals(labelsOf(graph), [
    "a = same",
    "b ≠ now Failed",
    "c ≠ 15s longer",
    "fresh + only here",
    "gone − not here",
  ]);
  assertEquals(graph.counts, { same: 1, changed: 2, before: 1, after: 1 });
  assertEquals(edgesOf(graph.whole), ["a > b", "a > fresh", "a > gone", "b > c"]);
  assertEquals(graph.whole.members.map(({ key }) => key), ["x-2.a", "x-2.b", "x-2.c", "x-2.fresh", "before:.gone"]);
});

Deno.test("comparedGraph: a changed template changes its nodes, and parts that did not start in either run have no kind", () => {
  const before = dag("x-1", { a: {}, later: { after: ["a"], isPlanned: true }, done: { after: ["a"] } });
  const after = dag(
    "x-2",
    { a: {}, later: { after: ["a"], isPlanned: true }, done: { after: ["a"], isPlanned: true } },
    {
      image: "a:2",
    },
  );
  assertEquals(labelsOf(compared(before, after)!), [
    "a ≠ other template",
    "later nothing",
    "done − not here",
  ]);
});

Deno.test("comparedGraph: compares runs with and without an exit handler", () => {
  const graph = compared(dag("x-1", { a: {} }), dag("x-2", { a: {} }, { onExit: true }))!;
  assertEquals(labelsOf(graph), ["a = same", "onExit + only here"]);
  assertEquals(graph.whole.members[0]!.label, "x-2");
});

Deno.test("comparedGraph: lays out edges that form a cycle when combined", () => {
  const graph = compared(
    dag("x-1", { a: {}, b: { after: ["a"] } }),
    dag("x-2", { b: {}, a: { after: ["b"] } }),
  )!;
  assertEquals(new Layout().layOut(graph.whole, openParts(graph.whole)).placed.length, 2);
});

Deno.test("comparedGraph: undefined above the limit of parts", () => {
  const many = Object.fromEntries(Array.from({ length: MAX_COMPARED + 1 }, (_, i) => [`t${i}`, {}]));
  assertEquals(compared(dag("x-1", many), dag("x-2", many)), undefined);
  const half = (name: string) =>
    Object.fromEntries(Array.from({ length: MAX_COMPARED / 2 }, (_, i) => [`${name}${i}`, {}]));
  assertEquals(compared(dag("x-1", half("a")), dag("x-2", half("b"))), undefined, "two that have nothing in common");
});
