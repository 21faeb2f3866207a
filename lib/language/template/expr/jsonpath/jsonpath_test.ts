import { assertEquals, assertThrows } from "@std/assert";
import { marshalJson, unmarshalJson } from "@tiphys/base/go";
import { RunFailure } from "../failure.ts";
import { queryJsonPath } from "./mod.ts";

const DOCUMENT = unmarshalJson(JSON.stringify({
  books: [{ title: "A", price: 8.95, inner: 3 }, { title: "B", price: 22.99, isbn: "0" }],
  owner: { name: "x", "a.b": 1 },
  list: [1, 2, 3, 4],
  none: [],
}));

function resultOf(path: string): string {
  return marshalJson(queryJsonPath(DOCUMENT, path));
}

Deno.test("jsonpath: a path of keys and indexes returns the value", () => {
  assertEquals([resultOf("$.books[1].title"), resultOf("$.list[-1]"), resultOf("$.owner['a.b']")], ['"B"', "4", "1"]);
});

Deno.test("jsonpath: wildcards, filters, slices, unions and .. return lists", () => {
  assertEquals(resultOf("$.books[*].title"), '["A","B"]');
  assertEquals(resultOf("$.books[?(@.price < 10)].title"), '["A"]');
  assertEquals(resultOf("$.list[1:3]"), "[2,3]");
  assertEquals(resultOf("$.list[::-2]"), "[4,2]");
  assertEquals(resultOf("$.list[0,2]"), "[1,3]");
  assertEquals(resultOf("$..price"), "[8.95,22.99]");
});

Deno.test("jsonpath: an empty filter fails, even for an empty list", () => {
  assertThrows(() => resultOf("$.books[?()]"), RunFailure, "is empty");
  assertThrows(() => resultOf("$.none[?()]"), RunFailure, "is empty");
});

Deno.test("jsonpath: a filter without matches is an empty list, a missing key or index fails", () => {
  assertEquals(resultOf("$.books[?(@.price > 100)]"), "[]");
  assertThrows(() => resultOf("$.nope"), RunFailure, "key: invalid token key 'nope' not found");
  assertThrows(() => resultOf("$.list[9]"), RunFailure, "index: invalid token out of range");
});

Deno.test("jsonpath: filters support &&, ||, comparisons and sums", () => {
  assertEquals(resultOf("$.books[?(@.price > 8 && @.title == 'A')].title"), '["A"]');
  assertEquals(resultOf("$.books[?(@.isbn || @.price < 9)].title"), "[]");
  assertEquals(resultOf("$.books[?(@.price + 1 > 23)].title"), '["B"]');
});

Deno.test("jsonpath: an operator inside a name counts as an operator, as in Argo", () => {
  assertThrows(() => resultOf("$.books[?(@.inner == 3)].title"), RunFailure, "invalid token");
});

Deno.test("jsonpath: length is a step, and scripts compute indexes", () => {
  assertEquals([resultOf("$.list.length"), resultOf("$.list[(@.length-1)]")], ["4", "4"]);
});

Deno.test("jsonpath: a path begins with $ or @", () => {
  assertThrows(
    () => resultOf("books"),
    RunFailure,
    "invalid JSONPath selector 'books' unexpected token 'b' at index 0",
  );
});
