import { assertEquals, assertStrictEquals } from "@std/assert";
import { METHODS } from "@tiphys/proto";
import { withFieldNames } from "./field_names.ts";

function inputOf(id: string) {
  const method = METHODS.find((one) => one.id === id);
  if (!method) throw new Error(`No method ${id}`);
  return method.input;
}

Deno.test("a field of a body counts whatever the case of its letters, down to the leaves; keys of maps stay", () => {
  const sent = {
    eventsource: {
      METADATA: { Name: "e", labels: { Name: "kept" } },
      spec: { Calendar: { Example: { Interval: "10s" } }, unknownField: { Name: 1 } },
    },
  };
  assertEquals(withFieldNames(sent, inputOf("EventSourceService_CreateEventSource")), {
    eventSource: {
      metadata: { name: "e", labels: { Name: "kept" } },
      spec: { calendar: { Example: { interval: "10s" } }, unknownField: { Name: 1 } },
    },
  });
});

Deno.test("of several spellings of one field the last counts, whichever it is", () => {
  const input = inputOf("WorkflowService_SubmitWorkflow");
  const read = withFieldNames({ resourcekind: "a", resourceKind: "b", namespace: "c", Namespace: "d" }, input);
  assertEquals(read, { resourceKind: "b", namespace: "d" });
});

Deno.test("an object of a kind is left to the reader of its kind, and a body with nothing to rename is the very one", () => {
  const input = inputOf("WorkflowService_CreateWorkflow");
  const own = { workflow: { Spec: { Templates: [] } }, createOptions: { dryRun: ["All"] } };
  assertStrictEquals(withFieldNames(own, input), own);
});
