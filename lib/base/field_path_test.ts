import { assertEquals, assertThrows } from "@std/assert";
import { formatPath, parsePath, valueAt } from "./field_path.ts";

Deno.test("field paths: parsing a formatted path returns its segments", () => {
  const segments = ["spec", "templates", 2, "steps", 0, 1, "template"];
  assertEquals(formatPath(segments), "spec.templates[2].steps[0][1].template");
  assertEquals(parsePath(formatPath(segments)), segments);
});

Deno.test("formatPath: quotes a name that is not a plain word", () => {
  const segments = ["metadata", "labels", 'app.io/"x"'];
  assertEquals(formatPath(segments), 'metadata.labels["app.io/\\"x\\""]');
  assertEquals(parsePath(formatPath(segments)), segments);
});

Deno.test("formatPath: truncates a long name", () => {
  assertEquals(formatPath(["a", "b".repeat(320), 1]), `a.${"b".repeat(320)}[1]`);
  assertEquals(formatPath(["a", "b".repeat(100_000), 1]), `a["${"b".repeat(320)}…"][1]`);
});

Deno.test("parsePath: reports the position of a syntax error", () => {
  assertThrows(() => parsePath("a..b"), SyntaxError, "from position 1");
});

Deno.test("valueAt: follows fields and elements and returns undefined for a missing one", () => {
  assertEquals(valueAt({ a: [{ b: 1 }] }, ["a", 0, "b"]), 1);
  assertEquals(valueAt({ a: [] }, ["a", 0, "b"]), undefined);
});
