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

Deno.test("names count in either spelling, unknown ones not at all, and the first of repeated values", () => {
  assertEquals(read("list_options.label_selector=a%3Db&listOptions.labelSelector=c&nope=1&listOptions.nope=2"), {
    "listOptions.labelSelector": "a=b",
  });
  assertEquals(read("dry=All&dry=None"), { dry: ["All", "None"] });
});

Deno.test("numbers may be written as Go prints them", () => {
  assertEquals(read("listOptions.limit=1e%2B06"), { "listOptions.limit": 1_000_000 });
  assertEquals(read("listOptions.limit="), { "listOptions.limit": 0 });
  // The greatest of 64 bits, which some clients mean by "all".
  assertEquals(read("listOptions.limit=9223372036854775807"), { "listOptions.limit": Number.MAX_SAFE_INTEGER });
  for (const wrong of ["abc", "1.5", "0x10", "1e400", "NaN", "9223372036854775808"]) {
    assertThrows(() => read(`listOptions.limit=${wrong}`), WireError, "listOptions.limit: expected a whole number");
  }
});

Deno.test("switches are Go's words for true and false", () => {
  assertEquals([read("follow=true"), read("follow=T"), read("follow=0")], [{ follow: true }, { follow: true }, {
    follow: false,
  }]);
  assertThrows(() => read("follow=yes"), WireError, "follow: expected true or false");
});
