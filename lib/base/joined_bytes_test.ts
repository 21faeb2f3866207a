import { assertEquals } from "@std/assert";
import { joinedBytes } from "./joined_bytes.ts";

Deno.test("joinedBytes: copies all pieces, including views, in order", () => {
  const memory = Uint8Array.of(1, 2, 3, 4);
  const all = joinedBytes([memory.subarray(1, 3), new Uint8Array(), memory]);
  memory.fill(9);
  assertEquals(all, Uint8Array.of(2, 3, 1, 2, 3, 4));
  assertEquals(joinedBytes([]), new Uint8Array());
});
