import { assertEquals } from "@std/assert";
import { cellOf } from "./cells.ts";

Deno.test("cellOf: shows a nested value as JSON", () => {
  const value = { a: [1n, 2n ** 60n, null, undefined, "x", new Uint8Array([255])], b: undefined, c: {}, d: [] };
  assertEquals(cellOf(value), '{"a":[1,"1152921504606846976",null,null,"x","0xff"],"c":{},"d":[]}');
});

Deno.test("cellOf: reads only the part of a nested value that a cell shows", () => {
  const long = "x".repeat(1_000_000);
  let read = 0;
  const list = Array.from({ length: 1_000 }, () => ({
    get text() {
      read++;
      return long;
    },
  }));
  assertEquals(cellOf(list), `[{"text":"${"x".repeat(1_990)}…`);
  // Names are filtered by their values, then written.
  assertEquals(read, 2);
  assertEquals(cellOf([{ [long]: [long, long] }]), `[{"${"x".repeat(1_997)}…`);
});
