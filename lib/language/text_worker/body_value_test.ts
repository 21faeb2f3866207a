import { assertEquals } from "@std/assert";
import { MESSAGES, writeMessage } from "@tiphys/proto";
import { LIMITS } from "@tiphys/base/limits";
import { jsonBody, messageBody } from "./body_value.ts";

function json(text: string) {
  return jsonBody({ text, depth: 3 });
}

/** The result for a message of `CreateWorkflow`. */
function createResult(workflow: object) {
  const bytes = writeMessage(MESSAGES.get("workflow.WorkflowCreateRequest")!, { namespace: "a", workflow });
  return messageBody({ method: "WorkflowService_CreateWorkflow", bytes: bytes.toBase64() });
}

Deno.test("jsonBody: returns the value, or the error with its path", () => {
  assertEquals(json('{"a":[1]}'), { value: { a: [1] } });
  assertEquals(json('{"a":[[[1]]]}'), { error: "a[0][0]: lists and objects are nested more than 3 levels deep" });
  assertEquals("error" in json("{"), true);
});

Deno.test("jsonBody: the number of distinct keys, and of lists and objects, is limited", () => {
  const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;
  assertEquals("value" in json(keys(LIMITS.bodyKeys)), true);
  assertEquals(json(keys(LIMITS.bodyKeys + 1)), {
    error: "the body has more than 30000 different keys",
    isTooLarge: true,
  });
  // Repeated keys are cheap.
  assertEquals("value" in json(`[${`${keys(10)},`.repeat(10_000)}1]`), true);
  const lists = (count: number) => `[${"{},".repeat(count - 1)}1]`;
  assertEquals("value" in json(lists(LIMITS.bodyLists)), true);
  const refused = { error: "the body has more than 150000 lists and objects", isTooLarge: true };
  assertEquals(json(lists(LIMITS.bodyLists + 1)), refused);
});

Deno.test("messageBody: returns the value of a message, with the limits of JSON", () => {
  const workflow = { metadata: { name: "w" }, spec: { entrypoint: "main" } };
  const read = createResult(workflow) as { readonly value?: { readonly workflow?: unknown } };
  assertEquals(read.value?.workflow, workflow);
  const many = Array.from({ length: LIMITS.bodyLists }, () => ({ name: "a" }));
  assertEquals(createResult({ spec: { arguments: { parameters: many } } }), {
    error: "the body has more than 150000 lists and objects",
    isTooLarge: true,
  });
  assertEquals("error" in messageBody({ method: "WorkflowService_CreateWorkflow", bytes: "/////w==" }), true);
});
