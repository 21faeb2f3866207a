import { assertEquals } from "@std/assert";
import { grouped, plural } from "./en.ts";

Deno.test("plural() has one form for one, and another for none and for many", () => {
  assertEquals([0, 1, 2, 21].map((count) => plural(count, "node", "nodes")), ["nodes", "node", "nodes", "nodes"]);
});

Deno.test("grouped() parts thousands by commas, whatever the language of the browser", () => {
  assertEquals([999, 12_000].map(grouped), ["999", "12,000"]);
});
