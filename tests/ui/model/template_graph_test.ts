import { assert, assertEquals } from "@std/assert";
import { parseYaml } from "@tiphys/model/yaml";
import { openParts } from "../../../ui/model/graph/fold.ts";
import { Layout } from "../../../ui/model/graph/layout.ts";
import { type Part, partsIn } from "../../../ui/model/graph/part.ts";
import { MAX_PARTS, templateGraph } from "../../../ui/model/graph/template_graph.ts";
import {
  type DrawnManifest,
  type KnownObjects,
  readDrawn,
  referredObjects,
} from "../../../ui/model/graph/template_objects.ts";

function drawManifest(source: string | object): DrawnManifest {
  const object = typeof source === "string" ? parseYaml(source)[0]?.value : source;
  const manifest = readDrawn(object);
  assert(!("problem" in manifest), JSON.stringify(manifest));
  return manifest;
}

/** One line per part: its label, its description, and its dependencies. */
function outline(part: Part, indent = ""): string[] {
  return part.members.flatMap((member, index) => {
    const after = part.edges.filter(({ to }) => to === index)
      .map(({ from, kind }) => `${kind === "hook" ? "~" : "<"}${part.members[from]!.label}`);
    const items = member.kind === "loop" ? [`×${member.items ?? "?"}`] : [];
    return [
      `${indent}${[member.label, `(${member.declared})`, ...items, ...after].join(" ")}`,
      ...outline(member, `${indent}  `),
    ];
  });
}

const NOTHING: KnownObjects = new Map();

const ETL = `
kind: WorkflowTemplate
metadata: { name: etl }
spec:
  entrypoint: main
  onExit: tidy
  templates:
  - name: main
    steps:
    - - { name: prepare, template: work }
    - - { name: graph, template: graph }
      - { name: each, template: work, withItems: [a, b, c] }
    - - { name: all, template: graph, withParam: "{{steps.prepare.outputs.result}}" }
  - name: graph
    dag:
      tasks:
      - { name: left, template: work, hooks: { exit: { template: tidy }, running: { template: work, expression: "true" } } }
      - { name: right, inline: { container: { image: alpine } }, depends: left }
      - { name: gone, template: nowhere }
  - { name: work, container: { image: alpine } }
  - { name: tidy, script: { image: alpine, source: "true" } }
`;

const GRAPH = (indent: string) =>
  [
    "left (work · container)",
    "right (container) <left",
    "gone (nowhere · no such template)",
    "onExit (tidy · handler: script) ~left",
    "running (work · handler: container) ~left",
  ].map((line) => `${indent}${line}`);

Deno.test("templateGraph(): nests called templates, with loops, hooks, inline templates and the exit handler", () => {
  const { whole, isCut } = templateGraph(drawManifest(ETL), NOTHING);
  assertEquals(outline(whole), [
    "main (steps)",
    "  prepare (work · container)",
    "  graph (dag) <prepare",
    ...GRAPH("    "),
    "  each (work · container) ×3 <prepare",
    "  all ×? (dag) <graph <each",
    ...GRAPH("    "),
    "onExit (tidy · handler: script) ~main",
  ]);
  assertEquals(isCut, false);
});

Deno.test("templateGraph(): from another template, it omits the handlers of the workflow, and a single box has no frame", () => {
  assertEquals(outline(templateGraph(drawManifest(ETL), NOTHING, "graph").whole), GRAPH(""));
});

Deno.test("templateGraph(): without an entrypoint, it begins at all templates that are not called", () => {
  const { whole, beginnings } = templateGraph(
    drawManifest({
      kind: "ClusterWorkflowTemplate",
      metadata: { name: "library" },
      spec: {
        templates: [
          { name: "a", steps: [[{ name: "one", template: "c" }]] },
          { name: "b", container: { image: "alpine" } },
          { name: "c", container: { image: "alpine" } },
        ],
      },
    }),
    NOTHING,
  );
  assertEquals(outline(whole), ["a (steps)", "  one (c · container)", "b (container)"]);
  assertEquals(beginnings, ["a", "b", "c"]);
});

const REFERRING = {
  kind: "CronWorkflow",
  metadata: { name: "nightly" },
  spec: {
    workflowSpec: {
      entrypoint: "main",
      templates: [{
        name: "main",
        dag: {
          tasks: [
            { name: "own", templateRef: { name: "shared", template: "go" } },
            { name: "all", templateRef: { name: "wide", template: "t", clusterScope: true } },
          ],
        },
      }, { name: "inner", script: { image: "alpine", source: "" } }],
    },
  },
};

Deno.test("templateGraph(): expands known templates of other objects, and names unknown ones", () => {
  const manifest = drawManifest(REFERRING);
  const shared = drawManifest({
    kind: "WorkflowTemplate",
    metadata: { name: "shared" },
    spec: {
      templates: [
        { name: "go", steps: [[{ name: "in", template: "inner" }]] },
        { name: "inner", container: { image: "alpine" } },
      ],
    },
  }).spec;
  const known: KnownObjects = new Map<string, typeof shared | string>([["namespaced/shared", shared], [
    "cluster/wide",
    "forbidden",
  ]]);
  const { whole, parts } = templateGraph(manifest, known);
  // `inner` is the template of the calling object, not that of the manifest.
  assertEquals(outline(whole), ["own (steps)", "  in (inner · container)", "all (wide/t · unknown)"]);
  const inner = parts.get("nightly.own[0].in");
  assertEquals([inner?.object, inner?.templateWay], [{ name: "shared", isCluster: false }, undefined]);
  assertEquals(parts.get("nightly.own")?.callWay, ["spec", "workflowSpec", "templates", 0, "dag", "tasks", 0]);
  assertEquals(referredObjects(manifest.spec, known).map(({ scope }) => scope), ["namespaced/shared", "cluster/wide"]);
});

Deno.test("templateGraph(): uses the templates of the object in workflowTemplateRef", () => {
  const manifest = drawManifest({ kind: "Workflow", metadata: {}, spec: { workflowTemplateRef: { name: "etl" } } });
  assertEquals(outline(templateGraph(manifest, NOTHING).whole), ["etl (unknown)"]);
  const known = new Map([["namespaced/etl", drawManifest(ETL).spec]]);
  assertEquals(outline(templateGraph(manifest, known).whole)[0], "main (steps)");
});

Deno.test("templateGraph(): marks direct and indirect recursion, and limits the number of parts", () => {
  const step = (name: string, template: string) => ({ name, template });
  const recursive = drawManifest({
    kind: "Workflow",
    metadata: { name: "r" },
    spec: {
      entrypoint: "flip",
      templates: [
        { name: "flip", steps: [[step("toss", "coin")], [step("again", "flip"), step("far", "other")]] },
        { name: "other", dag: { tasks: [step("back", "flip")] } },
        { name: "coin", container: { image: "alpine" } },
      ],
    },
  });
  assertEquals(outline(templateGraph(recursive, NOTHING).whole), [
    "toss (coin · container)",
    "again (flip · steps, calls itself) <toss",
    "far (dag) <toss",
    "  back (flip · steps, calls itself)",
  ]);
  const doubling = drawManifest({
    kind: "Workflow",
    metadata: { name: "d" },
    spec: {
      entrypoint: "t0",
      templates: Array.from({ length: 29 }, (_, index) => ({
        name: `t${index}`,
        dag: { tasks: [step("a", `t${index + 1}`), step("b", `t${index + 1}`)] },
      })),
    },
  });
  const { whole, isCut } = templateGraph(doubling, NOTHING);
  assertEquals(isCut, true);
  assert(whole.size < 2 * MAX_PARTS, String(whole.size));
});

Deno.test("templateGraph(): lays out a manifest of 1,000 tasks", () => {
  const tasks = Array.from({ length: 1_000 }, (_, index) => ({
    name: `t${index}`,
    template: "work",
    dependencies: index < 10 ? [] : [`t${index - 10}`, `t${index - 7}`],
  }));
  const templates = [{ name: "main", dag: { tasks } }, { name: "work", container: { image: "alpine" } }];
  const { whole } = templateGraph(
    drawManifest({ kind: "WorkflowTemplate", metadata: { name: "large" }, spec: { entrypoint: "main", templates } }),
    NOTHING,
  );
  const { placed, routes } = new Layout().layOut(whole, openParts(whole));
  assertEquals([placed.length, routes.length], [1_000, 1_980]);
  assertEquals([...partsIn(whole)].length, 1_001);
});

Deno.test("readDrawn(): reports fields of the wrong type, and accepts missing ones", () => {
  const problemOf = (object: unknown) => {
    const read = readDrawn(object);
    return "problem" in read ? read.problem : undefined;
  };
  assertEquals(
    problemOf({ kind: "Workflow", spec: { templates: [{ dag: { tasks: "a" } }] } }),
    "spec.templates[0].dag.tasks: expected list, got a string",
  );
  assertEquals(
    problemOf({ kind: "CronWorkflow", spec: { workflowSpec: { templates: [null] } } }),
    "spec.workflowSpec.templates[0]: expected object, got null",
  );
  for (const nothing of [{}, null, "text", { kind: "Workflow", spec: null }, { kind: "Workflow", spec: {} }]) {
    const manifest = drawManifest({ whatever: 1, ...(nothing as object) });
    assertEquals(templateGraph(manifest, NOTHING).whole.members, []);
  }
});
