import { assertEquals } from "@std/assert";
import { LABEL } from "@tiphys/base/constants";
import type { KubeObject } from "@tiphys/kube";
import { Baselines } from "./baselines.ts";

/** A workflow created in this second that ran for a number of seconds, and one node of it that took half as long. */
function workflow(
  name: string,
  made: number,
  seconds: number,
  more: Partial<Record<string, unknown>> = {},
): KubeObject {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString().replace(".000", "");
  const node = { name: `${name}[0].a`, startedAt: at(made), finishedAt: at(made + seconds / 2) };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name, namespace: "n", creationTimestamp: at(made), labels: { [LABEL.workflowTemplate]: "t" } },
    status: { phase: "Succeeded", startedAt: at(made), finishedAt: at(made + seconds), nodes: { x: node }, ...more },
  };
}

Deno.test("baselines: use the newest successful workflow of the template, in whatever order they are seen", () => {
  const baselines = new Baselines();
  baselines.recordWorkflow(workflow("b", 20, 8));
  baselines.recordWorkflow(workflow("a", 10, 4));
  baselines.recordWorkflow(workflow("c", 30, 2, { phase: "Failed" }));
  const found = baselines.baselineOf(workflow("d", 40, 0));
  assertEquals([found?.seconds, [...found?.nodes ?? []]], [8, [["[0].a", 4]]]);
});

Deno.test("baselines: differ between templates and namespaces, and are undefined for a workflow without labels", () => {
  const baselines = new Baselines();
  baselines.recordWorkflow(workflow("a", 10, 4));
  const { metadata } = workflow("d", 40, 0);
  const others: Partial<KubeObject["metadata"]>[] = [
    { namespace: "m" },
    { labels: { [LABEL.workflowTemplate]: "u" } },
    { labels: { [LABEL.cronWorkflow]: "t" } },
    { labels: {} },
  ];
  for (const other of others) assertEquals(baselines.baselineOf({ metadata: { ...metadata, ...other } }), undefined);
});

Deno.test("baselines: a workflow without labels uses the template that it refers to", () => {
  const baselines = new Baselines();
  baselines.recordWorkflow(workflow("a", 10, 4));
  const cluster = workflow("b", 10, 6);
  baselines.recordWorkflow({
    ...cluster,
    metadata: { ...cluster.metadata, labels: { [LABEL.clusterWorkflowTemplate]: "t" } },
  });
  const secondsOf = (workflowTemplateRef: object, labels = {}) =>
    baselines.baselineOf({ metadata: { name: "d", namespace: "n", labels }, spec: { workflowTemplateRef } })?.seconds;
  assertEquals(secondsOf({ name: "t" }), 4);
  assertEquals(secondsOf({ name: "t" }, { [LABEL.cronWorkflow]: "nightly" }), 4);
  assertEquals(secondsOf({ name: "t", clusterScope: true }), 6);
  assertEquals(secondsOf({ name: "u" }), undefined);
  assertEquals(secondsOf({ name: 7 }), undefined);
});

Deno.test("baselines: an invalid status is ignored", () => {
  const baselines = new Baselines();
  for (const status of [{ startedAt: 7 }, { finishedAt: undefined }, { nodes: [null, 7], startedAt: "x" }]) {
    baselines.recordWorkflow(workflow("a", 10, 4, status));
  }
  assertEquals(baselines.baselineOf(workflow("d", 40, 0)), undefined);
});

Deno.test("baselines: store the first thousand nodes of a workflow, except nodes without a duration", () => {
  const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}Z`;
  const nodes = Object.fromEntries(
    Array.from({ length: 1100 }, (_, index) => [
      `n${index}`,
      { name: `a.${index}`, startedAt: at(0), finishedAt: at(index < 10 ? 0 : 5) },
    ]),
  );
  const baselines = new Baselines();
  baselines.recordWorkflow(workflow("a", 10, 4, { nodes }));
  const found = baselines.baselineOf(workflow("d", 40, 0))?.nodes ?? new Map();
  assertEquals([found.size, found.get(".9"), found.get(".10"), found.get(".1009"), found.get(".1010")], [
    1000,
    undefined,
    5,
    5,
    undefined,
  ]);
});
