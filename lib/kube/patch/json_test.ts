import { assert, assertEquals, assertThrows } from "@std/assert";
import { applyJsonPatch, JsonPatchError } from "./json.ts";

Deno.test("applyJsonPatch() applies every operation in order and leaves the document as it was", () => {
  const document = { a: [1, 2], b: { c: "x" } };
  const patched = applyJsonPatch(document, [
    { op: "test", path: "/b/c", value: "x" },
    { op: "add", path: "/a/-", value: 3 },
    { op: "move", from: "/b/c", path: "/d" },
  ]);
  assertEquals<unknown>(patched, { a: [1, 2, 3], b: {}, d: "x" });
  assertEquals(document, { a: [1, 2], b: { c: "x" } });
});

for (
  const [rule, patch] of [
    ["a test that does not hold", [{ op: "test", path: "/a", value: 2 }]],
    ["a place that is not there", [{ op: "replace", path: "/b/c", value: 2 }]],
    ["an unknown operation", [{ op: "explode", path: "/a" }]],
    ["something that is not a list", { op: "add" }],
  ] as const
) {
  Deno.test(`applyJsonPatch() refuses ${rule}`, () => {
    assertThrows(() => applyJsonPatch({ a: 1 }, patch), JsonPatchError);
  });
}

Deno.test("applyJsonPatch() does not quote the document in its error, for it may be a Secret", () => {
  const error = assertThrows(
    () => applyJsonPatch({ data: { password: "hunter2" } }, [{ op: "test", path: "/data/password", value: "x" }]),
    JsonPatchError,
  );
  assert(!error.message.includes("hunter2"), error.message);
});
