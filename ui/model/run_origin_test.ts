/** The origins of runs. */
import { assertEquals } from "@std/assert";
import { creatorOf, originsOf } from "./run_origin.ts";

Deno.test("a run says what it came from, each once, by its labels and by the template that it refers to", () => {
  const labels = {
    "workflows.argoproj.io/workflow-template": "etl",
    "workflows.argoproj.io/resubmitted-from-workflow": "etl-1",
  };
  assertEquals(originsOf({ metadata: { labels }, spec: { workflowTemplateRef: { name: "etl" } } }), [
    { kind: "template", name: "etl" },
    { kind: "run", name: "etl-1" },
  ]);
  assertEquals(originsOf({ metadata: {}, spec: { workflowTemplateRef: { name: "etl", clusterScope: true } } }), [
    { kind: "cluster-template", name: "etl" },
  ]);
  assertEquals(originsOf({ metadata: {}, spec: {} }), []);
});

Deno.test("who made a run is told by the name that they are known by", () => {
  const creator = "workflows.argoproj.io/creator";
  assertEquals(creatorOf({ metadata: { labels: { [creator]: "abc-123" } } }), "abc-123");
  assertEquals(
    creatorOf({ metadata: { labels: { [creator]: "abc-123", [`${creator}-email`]: "ada.at.example.com" } } }),
    "ada@example.com",
  );
  assertEquals(creatorOf({ metadata: {} }), undefined);
});
