import { assertEquals, assertThrows } from "@std/assert";
import { readQuery } from "./query.ts";
import { WireError } from "./errors.ts";

const FIELDS = {
  "listOptions.limit": "int",
  "listOptions.labelSelector": "string",
  follow: "bool",
  dry: "strings",
} as const;

function read(query: string) {
  return readQuery(new URLSearchParams(query), FIELDS);
}

Deno.test("readQuery: accepts both spellings, ignores unknown names, and uses the first of repeated values", () => {
  assertEquals(read("list_options.label_selector=a%3Db&listOptions.labelSelector=c&nope=1&listOptions.nope=2"), {
    "listOptions.labelSelector": "a=b",
  });
  assertEquals(read("dry=All&dry=None"), { dry: ["All", "None"] });
});

Deno.test("readQuery: accepts numbers in Go's format", () => {
  assertEquals(read("listOptions.limit=1e%2B06"), { "listOptions.limit": 1_000_000 });
  assertEquals(read("listOptions.limit="), { "listOptions.limit": 0 });
  // The largest 64-bit integer, which some clients send for "all".
  assertEquals(read("listOptions.limit=9223372036854775807"), { "listOptions.limit": Number.MAX_SAFE_INTEGER });
  for (const wrong of ["abc", "1.5", "0x10", "1e400", "NaN", "9223372036854775808"]) {
    assertThrows(() => read(`listOptions.limit=${wrong}`), WireError, "listOptions.limit: expected an integer");
  }
});

Deno.test("readQuery: accepts Go's spellings of booleans", () => {
  assertEquals([read("follow=true"), read("follow=T"), read("follow=0")], [{ follow: true }, { follow: true }, {
    follow: false,
  }]);
  assertThrows(() => read("follow=yes"), WireError, "follow: expected true or false");
});
