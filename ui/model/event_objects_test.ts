import { assertEquals } from "@std/assert";
import type { EventList } from "../api/source.ts";
import { namedObject, summaryOf } from "./event_objects.ts";

const summary = (list: EventList, spec: unknown) =>
  summaryOf(list, {
    metadata: { name: "x", namespace: "data", creationTimestamp: undefined },
    whole: { spec },
  });

Deno.test("summaryOf: a binding waits for its selector and submits its template", () => {
  const submit = { workflowTemplateRef: { name: "etl", clusterScope: true } };
  assertEquals(summary("workflow-event-bindings", { event: { selector: "payload.kind == 'load'" }, submit }), {
    causes: ["payload.kind == 'load'"],
    effects: [{ words: "submits etl", template: { name: "etl", isCluster: true } }],
  });
});

Deno.test("summaryOf: an event source lists its events by type and ignores other fields", () => {
  const spec = { eventBusName: "b", template: { container: {} }, webhook: { push: {}, tag: {} }, sqs: { jobs: {} } };
  assertEquals(summary("event-sources", spec).causes, ["webhook: push", "webhook: tag", "sqs: jobs"]);
});

Deno.test("summaryOf: a sensor links to the template of the runs that its trigger creates", () => {
  const resource = { spec: { workflowTemplateRef: { name: "etl" } } };
  const spec = {
    dependencies: [{ name: "d", eventSourceName: "github", eventName: "push" }],
    triggers: [
      { template: { name: "run", argoWorkflow: { source: { resource } } } },
      { template: { name: "tell", conditions: "d", slack: {} } },
    ],
  };
  assertEquals(summary("sensors", spec), {
    causes: ["github / push"],
    effects: [
      { words: "run (argoWorkflow)", template: { name: "etl", isCluster: false } },
      { words: "tell (slack)" },
    ],
  });
});

Deno.test("summaryOf: an object with missing fields is empty", () => {
  for (const spec of [undefined, null, 7, [], { dependencies: {}, triggers: [null], event: [] }]) {
    for (const list of ["workflow-event-bindings", "sensors"] as const) {
      assertEquals(summary(list, spec).causes, []);
    }
  }
});

Deno.test("namedObject: distinguishes objects of the same name by namespace", () => {
  const objects = ["a", "b"].map((namespace) => ({
    metadata: { name: "x", namespace, creationTimestamp: undefined },
    whole: {},
  }));
  assertEquals(namedObject(objects, "b/x")?.object?.metadata.namespace, "b");
  assertEquals(namedObject(objects, "x")?.object?.metadata.namespace, "a");
  assertEquals(namedObject(objects, "c/x"), { name: "x", object: undefined });
  assertEquals(namedObject(objects, undefined), undefined);
});
