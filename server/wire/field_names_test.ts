import { assertEquals, assertStrictEquals } from "@std/assert";
import { METHODS } from "@tiphys/proto";
import { withFieldNames } from "./field_names.ts";

function inputOf(id: string) {
  const method = METHODS.find((candidate) => candidate.id === id);
  if (!method) throw new Error(`No method ${id}`);
  return method.input;
}

Deno.test("withFieldNames: field names are case-insensitive at any depth, and keys of maps are unchanged", () => {
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

Deno.test("withFieldNames: the last of several spellings of a field wins", () => {
  const input = inputOf("WorkflowService_SubmitWorkflow");
  const read = withFieldNames({ resourcekind: "a", resourceKind: "b", namespace: "c", Namespace: "d" }, input);
  assertEquals(read, { resourceKind: "b", namespace: "d" });
});

Deno.test("withFieldNames: objects of kinds are unchanged, and a body without changes is returned itself", () => {
  const input = inputOf("WorkflowService_CreateWorkflow");
  const own = { workflow: { Spec: { Templates: [] } }, createOptions: { dryRun: ["All"] } };
  assertStrictEquals(withFieldNames(own, input), own);
});
