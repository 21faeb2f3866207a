import { assertEquals } from "@std/assert";
import { Backoff } from "./backoff.ts";

Deno.test("Backoff: doubles the delays of each name up to a limit, and starts from scratch after a success", () => {
  const backoff = new Backoff({ firstMillis: 100, maxMillis: 1000 });
  assertEquals(Array.from({ length: 6 }, () => backoff.next("a")), [100, 200, 400, 800, 1000, 1000]);
  assertEquals(backoff.next("b"), 100);
  backoff.forget("a");
  assertEquals(backoff.next("a"), 100);
});
