import { assertEquals } from "@std/assert";
import type { EventList } from "../api/source.ts";
import { namedObject, summaryOf } from "./event_objects.ts";

const summary = (list: EventList, spec: unknown) =>
  summaryOf(list, {
    metadata: { name: "x", namespace: "data", creationTimestamp: undefined },
    whole: { spec },
  });

Deno.test("a binding waits for what its selector says, and submits its template", () => {
  const submit = { workflowTemplateRef: { name: "etl", clusterScope: true } };
  assertEquals(summary("workflow-event-bindings", { event: { selector: "payload.kind == 'load'" }, submit }), {
    causes: ["payload.kind == 'load'"],
    effects: [{ words: "submits etl", template: { name: "etl", isCluster: true } }],
  });
});

Deno.test("an event source has events by their types; what else stands there is none", () => {
  const spec = { eventBusName: "b", template: { container: {} }, webhook: { push: {}, tag: {} }, sqs: { jobs: {} } };
  assertEquals(summary("event-sources", spec).causes, ["webhook: push", "webhook: tag", "sqs: jobs"]);
});

Deno.test("a sensor leads to the template of which its trigger makes runs", () => {
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

Deno.test("an object without what it should have is empty, and no error", () => {
  for (const spec of [undefined, null, 7, [], { dependencies: {}, triggers: [null], event: [] }]) {
    for (const list of ["workflow-event-bindings", "sensors"] as const) {
      assertEquals(summary(list, spec).causes, []);
    }
  }
});

Deno.test("of two objects of one name the address names the one of its namespace", () => {
  const objects = ["a", "b"].map((namespace) => ({
    metadata: { name: "x", namespace, creationTimestamp: undefined },
    whole: {},
  }));
  assertEquals(namedObject(objects, "b/x")?.object?.metadata.namespace, "b");
  assertEquals(namedObject(objects, "x")?.object?.metadata.namespace, "a");
  assertEquals(namedObject(objects, "c/x"), { name: "x", object: undefined });
  assertEquals(namedObject(objects, undefined), undefined);
});
