import { assert, assertEquals, assertThrows } from "@std/assert";
import { applyJsonPatch, JsonPatchError, MAX_COPIED, MAX_OPERATIONS } from "./json.ts";
import { PatchWorkError } from "./patch_work.ts";

Deno.test("applyJsonPatch(): applies every operation in order and does not modify the document", () => {
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
  Deno.test(`applyJsonPatch(): rejects ${rule}`, () => {
    assertThrows(() => applyJsonPatch({ a: 1 }, patch), JsonPatchError);
  });
}

Deno.test("applyJsonPatch(): an error does not quote the document, which may be a Secret", () => {
  const error = assertThrows(
    () => applyJsonPatch({ data: { password: "hunter2" } }, [{ op: "test", path: "/data/password", value: "x" }]),
    JsonPatchError,
  );
  assert(!error.message.includes("hunter2"), error.message);
});

for (
  const [rule, document, patch, expected] of [
    ["add puts an item before the index", { a: [1, 2] }, [{ op: "add", path: "/a/1", value: 3 }], { a: [1, 3, 2] }],
    ["add replaces a field that is there", { a: 1 }, [{ op: "add", path: "/a", value: 2 }], { a: 2 }],
    ["add replaces the whole document", { a: 1 }, [{ op: "add", path: "", value: [] }], []],
    ["remove takes an item out of a list", { a: [1, 2] }, [{ op: "remove", path: "/a/0" }], { a: [2] }],
    ["replace changes an item", { a: [1, 2] }, [{ op: "replace", path: "/a/1", value: null }], { a: [1, null] }],
    ["move within a list", { a: [1, 2, 3] }, [{ op: "move", from: "/a/0", path: "/a/2" }], { a: [2, 3, 1] }],
    ["move to the same place", { a: 1 }, [{ op: "move", from: "/a", path: "/a" }], { a: 1 }],
    ["~1 and ~0 in a pointer", { "a/b": 1, "~": 2 }, [
      { op: "remove", path: "/a~1b" },
      { op: "replace", path: "/~0", value: 3 },
    ], { "~": 3 }],
    ["test ignores the order of fields", { a: { b: 1, c: [1] } }, [
      { op: "test", path: "/a", value: { c: [1], b: 1 } },
    ], { a: { b: 1, c: [1] } }],
    ["a copy does not change with its source", { a: [1] }, [
      { op: "add", path: "/a/-", value: 2 },
      { op: "copy", from: "/a", path: "/b" },
      { op: "add", path: "/a/-", value: 3 },
      { op: "remove", path: "/b/0" },
    ], { a: [1, 2, 3], b: [2] }],
  ] as const
) {
  Deno.test(`applyJsonPatch(): ${rule}`, () => {
    const before = structuredClone(document);
    assertEquals<unknown>(applyJsonPatch<unknown>(document, patch), expected);
    assertEquals<unknown>(document, before);
  });
}

Deno.test("applyJsonPatch(): treats __proto__ as an ordinary field", () => {
  const patched = applyJsonPatch<Record<string, unknown>>({}, [{ op: "add", path: "/__proto__", value: { a: 1 } }]);
  assertEquals([Object.getPrototypeOf(patched) === Object.prototype, patched.a], [true, undefined]);
  assertThrows(
    () => applyJsonPatch({}, [{ op: "add", path: "/constructor/prototype/a", value: 1 }]),
    JsonPatchError,
    "does not exist",
  );
});

const LIST = "/a";
const items = (count: number) => Array.from({ length: count }, () => 0);
const LARGE = Object.fromEntries(items(50_000).map((_, index) => [`k${index}`, 1]));
const repeated = (count: number, operation: object) => Array.from({ length: count }, () => operation);

for (
  const [rule, document, patch, message] of [
    [
      "a list that is copied into itself",
      { a: [["x".repeat(1000)]] },
      repeated(40, {
        op: "copy",
        from: LIST,
        path: "/a/-",
      }),
      `more than the limit ${MAX_COPIED}`,
    ],
    [
      "an object that is copied into itself",
      { a: { b: "x".repeat(1000) } },
      items(40).map((_, index) => ({ op: "copy", from: LIST, path: `/a/c${index}` })),
      `more than the limit ${MAX_COPIED}`,
    ],
    [
      "many copies of a long text",
      { a: "x".repeat(100_000), b: [] },
      repeated(9999, {
        op: "copy",
        from: LIST,
        path: "/b/-",
      }),
      `more than the limit ${MAX_COPIED}`,
    ],
    [
      "too many operations",
      { a: 1 },
      repeated(MAX_OPERATIONS + 1, { op: "test", path: LIST, value: 1 }),
      `maximum operations in a JSON patch is ${MAX_OPERATIONS}`,
    ],
    [
      "insertions that move a long list each time",
      { a: items(400_000) },
      repeated(MAX_OPERATIONS, { op: "add", path: "/a/0", value: 1 }),
      "moves or compares too many",
    ],
    [
      "tests that compare a large object each time",
      { a: LARGE },
      repeated(MAX_OPERATIONS, { op: "test", path: LIST, value: LARGE }),
      "moves or compares too many",
    ],
    ["a pointer with too many steps", { a: 1 }, [{ op: "add", path: "/a".repeat(1000), value: 1 }], "more than 200"],
    ["a value that is moved into itself", { a: { b: 1 } }, [{ op: "move", from: "/a", path: "/a/b" }], "into itself"],
  ] as const
) {
  Deno.test(`applyJsonPatch(): rejects ${rule}`, () => {
    assertThrows(() => applyJsonPatch<unknown>(document, patch), JsonPatchError, message);
  });
}

for (
  const [rule, document, patch] of [
    ["the clone of a large object", { a: LARGE }, [{ op: "add", path: "/a/b", value: 1 }]],
    ["a copy of many values", { a: items(50_000), b: [] }, [{ op: "copy", from: LIST, path: "/b/-" }]],
    ["a move in a long list", { a: items(900_000) }, [{ op: "move", from: "/a/0", path: "/a/1" }]],
    [
      "many operations on a deep path",
      { a: [JSON.parse("[".repeat(150) + "]".repeat(150))] },
      repeated(5000, { op: "test", path: `/a${"/0".repeat(150)}`, value: [] }),
    ],
  ] as const
) {
  Deno.test(`applyJsonPatch(): a lower limit includes ${rule}`, () => {
    assertThrows(() => applyJsonPatch<unknown>(document, patch, 500_000), PatchWorkError);
    applyJsonPatch<unknown>(document, patch);
  });
}

Deno.test("applyJsonPatch(): rejects copies of more values than fit into memory", () => {
  const document = { a: Array.from({ length: 200_000 }, () => []), b: [] };
  const patch = repeated(5, { op: "copy", from: LIST, path: "/b/-" });
  assertThrows(() => applyJsonPatch(document, patch), JsonPatchError, "moves or compares too many");
});

Deno.test("applyJsonPatch(): does not clone the document for each operation", () => {
  const document = { data: "x".repeat(1_000_000), list: items(100_000), counts: {} };
  const patch = items(MAX_OPERATIONS).map((_, index) => ({ op: "copy", from: "/list/0", path: `/counts/${index}` }));
  const patched = applyJsonPatch(document, patch);
  assertEquals(Object.keys(patched.counts).length, MAX_OPERATIONS);
  assert(patched.list === document.list);
});
