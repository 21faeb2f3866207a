import { assert, assertEquals } from "@std/assert";
import { countedReads } from "../../../lib/base/testing/counted_reads.ts";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { failedPartsOf, openParts } from "./fold.ts";
import { Layout } from "./layout.ts";
import { type Part, partsIn } from "./part.ts";
import { PartBuilder, rowsOfPart } from "./part_rows.ts";
import { partsOf } from "./parts.ts";
import { UNCHANGED_SHAPE } from "./graph_shape.ts";
import { offeredFilterWords, shapeGraph, wordsOfFilter } from "./shape.ts";

const file = (name: string, key: string) => ({ name, s3: { key } });

function node(task: string, more: Partial<NodeStatus> = {}): NodeStatus {
  return {
    id: `id-${task}`,
    name: `etl.${task}`,
    displayName: task,
    type: "Pod",
    phase: "Succeeded",
    templateName: "work",
    boundaryID: "etl",
    ...more,
  };
}

/** A DAG: one task, then three in parallel, then one that waits for all three. */
const NODES: readonly NodeStatus[] = [
  node("first", {
    templateName: "read",
    outputs: { artifacts: [file("rows", "a/rows.csv"), file("main-logs", "a/x")] },
  }),
  node("a", { inputs: { artifacts: [file("in", "a/rows.csv")] } }),
  node("b", { phase: "Failed", inputs: { artifacts: [file("in", "a/rows.csv")] } }),
  node("c"),
  node("last", { type: "Suspend", phase: "Running", templateName: "gate" }),
];
const RUN = {
  metadata: { name: "etl" },
  spec: {
    entrypoint: "main",
    templates: [{
      name: "main",
      dag: {
        tasks: [
          { name: "first", template: "read" },
          ...["a", "b", "c"].map((name) => ({ name, template: "work", depends: "first" })),
          { name: "last", template: "gate", depends: "a && b && c" },
          { name: "later", template: "work", depends: "last" },
        ],
      },
    }],
  },
  status: {
    phase: "Running",
    nodes: Object.fromEntries(
      [{
        ...node("etl"),
        id: "etl",
        name: "etl",
        displayName: "etl",
        type: "DAG",
        templateName: "main",
        boundaryID: undefined,
      }, ...NODES]
        .map((node) => [node.id, node]),
    ),
  },
} as unknown as Workflow;
const WHOLE = partsOf(RUN);

const labels = (part: Part) => part.members.map(({ label }) => label);
const edges = ({ members, edges }: Part) =>
  edges.map(({ from, to }) => `${members[from]!.label} > ${members[to]!.label}`).sort();

Deno.test("shapeGraph: keeps the parts that match all filters, connected through those left out", () => {
  const filtered = shapeGraph(WHOLE, { ...UNCHANGED_SHAPE, templates: ["read", "gate"] });
  assertEquals([labels(filtered), edges(filtered)], [["first", "last"], ["first > last"]]);
  assertEquals(labels(shapeGraph(WHOLE, { ...UNCHANGED_SHAPE, phases: ["Failed", "Planned"] })), ["b", "later"]);
  assertEquals(labels(shapeGraph(WHOLE, { ...UNCHANGED_SHAPE, phases: ["Succeeded"], templates: ["work"] })), [
    "a",
    "c",
  ]);
  assertEquals(labels(shapeGraph(WHOLE, { ...UNCHANGED_SHAPE, types: ["Suspend"] })), ["last"]);
  assertEquals(labels(shapeGraph(WHOLE, { ...UNCHANGED_SHAPE, types: ["HTTP"] })), []);
  assertEquals(shapeGraph(WHOLE, UNCHANGED_SHAPE), WHOLE);
});

Deno.test("shapeGraph: groups parts with the same template and distance from the start, without cycles", () => {
  const shaped = shapeGraph(WHOLE, { ...UNCHANGED_SHAPE, isGrouped: true });
  assertEquals(labels(shaped), ["first", "work ×3", "last", "later"]);
  assertEquals(edges(shaped), ["first > work ×3", "last > later", "work ×3 > last"]);
  const [, group] = shaped.members;
  assertEquals([group!.family, openParts(shaped).has(group!.key)], ["failed", false]);
});

Deno.test("shapeGraph: shows an artifact between its producer and its users, and does not count it as a node", () => {
  const shaped = shapeGraph(WHOLE, { ...UNCHANGED_SHAPE, withArtifacts: true });
  assertEquals(edges(shaped).filter((edge) => edge.includes("rows")), ["first > rows", "rows > a", "rows > b"]);
  assertEquals(edges(shaped).filter((edge) => edge.startsWith("first")), ["first > c", "first > rows"]);
  assertEquals([labels(shaped).includes("main-logs"), shaped.counts], [false, WHOLE.counts]);
  assertEquals(shaped.members.find(({ kind }) => kind === "artifact")?.artifact, {
    nodeId: "id-first",
    side: "outputs",
    name: "rows",
    file: "rows.csv",
  });
});

Deno.test("shapeGraph: distinguishes artifacts with the same key by bucket", () => {
  const into = (bucket: string, name = "rows") => ({ name, s3: { bucket, endpoint: "s3:9000", key: "a/rows.csv" } });
  const nodes = {
    ...RUN.status!.nodes,
    "id-first": { ...node("first"), outputs: { artifacts: [into("one"), into("two", "others")] } },
    "id-a": { ...node("a"), inputs: { artifacts: [into("two", "in")] } },
  } as Record<string, NodeStatus>;
  const shaped = shapeGraph(partsOf({ ...RUN, status: { ...RUN.status, nodes } }), {
    ...UNCHANGED_SHAPE,
    withArtifacts: true,
  });
  const about = edges(shaped).filter((edge) => /rows|others|in/.test(edge));
  assertEquals(about, ["first > others", "first > rows", "in > b", "others > a"]);
});

Deno.test("failedPartsOf: keeps the artifacts of failed parts and the paths through them", () => {
  const failed = (nodeStatus: NodeStatus): NodeStatus => ({ ...nodeStatus, phase: "Failed" });
  const [first, a] = NODES as [NodeStatus, NodeStatus];
  const other = { ...node("c"), outputs: { artifacts: [file("unseen", "c/unseen")] } };
  const nodes = { ...RUN.status!.nodes, "id-first": failed(first), "id-a": failed(a), "id-c": other };
  const whole = partsOf({ ...RUN, status: { ...RUN.status, nodes } });
  const shaped = failedPartsOf(shapeGraph(whole, { ...UNCHANGED_SHAPE, withArtifacts: true }));
  assertEquals(edges(shaped), ["first > rows", "rows > a", "rows > b"]);
  assertEquals(labels(shaped), ["first", "a", "b", "rows"]);
});

Deno.test("shapeGraph: artifacts without a producer in the group, or written again later, create no cycle", () => {
  const again = { ...node("last"), outputs: { artifacts: [file("again", "a/given")] } };
  const given = { ...node("a"), inputs: { artifacts: [file("given", "a/given")] } };
  const nodes = { ...RUN.status!.nodes, "id-last": again, "id-a": given } as Record<string, NodeStatus>;
  const shaped = shapeGraph(partsOf({ ...RUN, status: { ...RUN.status, nodes } }), {
    ...UNCHANGED_SHAPE,
    withArtifacts: true,
  });
  const about = edges(shaped).filter((edge) => edge.includes("given") || edge.includes("again"));
  assertEquals(about, ["given > a", "last > again"]);
});

Deno.test("PartBuilder: a filtered graph is the same after its rows were sent to another thread", () => {
  const shaped = shapeGraph(WHOLE, { ...UNCHANGED_SHAPE, withArtifacts: true, isGrouped: true });
  const builder = new PartBuilder(RUN.status!.nodes!);
  for (const row of rowsOfPart(shaped)) builder.add(row);
  assertEquals(
    [...partsIn(builder.outermostPart())].map(({ key, artifact }) => [key, artifact?.name]),
    [...partsIn(shaped)]
      .map(({ key, artifact }) => [key, artifact?.name]),
  );
});

Deno.test("wordsOfFilter: returns values, most frequent first", () => {
  assertEquals(wordsOfFilter(WHOLE, "templates").map(({ word, count }) => `${word} ${count}`), [
    "work 4",
    "gate 1",
    "read 1",
  ]);
  assertEquals(wordsOfFilter(WHOLE, "types").map(({ word }) => word), ["Pod", "Suspend"]);
});

Deno.test("offeredFilterWords: returns the most frequent and the selected values with their counts", () => {
  const words = wordsOfFilter(WHOLE, "templates");
  const offered = offeredFilterWords(words, ["read", "gone", "gone"], 1).map(({ word, count }) => `${word} ${count}`);
  assertEquals(offered, ["work 4", "read 1", "gone 0"]);
});

Deno.test("shapeGraph: leaving out a node with many predecessors and successors adds no edge per pair", () => {
  const many = (name: string, more: Partial<NodeStatus>) =>
    Array.from({ length: 1_000 }, (_, index) => node(`${name}${index}`, more));
  const after = many("after", {});
  const hub = node("hub", { templateName: "hub", children: after.map(({ id }) => id) });
  const nodes = [RUN.status!.nodes!.etl!, ...many("before", { children: [hub.id] }), hub, ...after];
  const status = { ...RUN.status, nodes: Object.fromEntries(nodes.map((node) => [node.id, node])) };
  const whole = partsOf({ ...RUN, spec: {}, status } as unknown as Workflow);
  const shaped = shapeGraph(whole, { ...UNCHANGED_SHAPE, templates: ["work"] });
  assertEquals([shaped.members.length, shaped.edges.length], [2_000, 100_000]);
});

Deno.test("shapeGraph: filters, groups and lays out 50,000 nodes with artifacts in linear time", () => {
  const tasks = Array.from({ length: 50_000 }, (_, index) =>
    node(`t${index}`, {
      templateName: `kind-${index % 7}`,
      phase: index % 3 ? "Succeeded" : "Failed",
      outputs: { artifacts: [file("out", `k/${index}`)] },
      children: [2 * index + 1, 2 * index + 2].filter((to) => to < 50_000).map((to) => `id-t${to}`),
    }));
  const run = {
    ...RUN,
    spec: {},
    status: {
      ...RUN.status,
      nodes: { etl: RUN.status!.nodes!.etl!, ...Object.fromEntries(tasks.map((task) => [task.id, task])) },
    },
  } as unknown as Workflow;
  const whole = partsOf(run);
  const reads = { count: 0 };
  const counted = { ...whole, members: whole.members.map((part) => countedReads(part, reads)) };
  const shaped = shapeGraph(counted, { ...UNCHANGED_SHAPE, phases: ["Failed"], isGrouped: true, withArtifacts: true });
  new Layout().layOut(shaped, openParts(shaped));
  assertEquals(shaped.counts.failed, 16_667);
  assert(reads.count < 100 * 50_000, `${reads.count} reads`);
});
