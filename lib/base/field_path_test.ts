import { assertEquals, assertThrows } from "@std/assert";
import { formatPath, parsePath, valueAt } from "./field_path.ts";

Deno.test("A path is written as people write it and read back to the same parts", () => {
  const segments = ["spec", "templates", 2, "steps", 0, 1, "template"];
  assertEquals(formatPath(segments), "spec.templates[2].steps[0][1].template");
  assertEquals(parsePath(formatPath(segments)), segments);
});

Deno.test("A name that is not a plain word is quoted", () => {
  const segments = ["metadata", "labels", 'app.io/"x"'];
  assertEquals(formatPath(segments), 'metadata.labels["app.io/\\"x\\""]');
  assertEquals(parsePath(formatPath(segments)), segments);
});

Deno.test("A text that is no path is refused with the position", () => {
  assertThrows(() => parsePath("a..b"), SyntaxError, "from position 1");
});

Deno.test("valueAt() follows fields and elements and stops at nothing", () => {
  assertEquals(valueAt({ a: [{ b: 1 }] }, ["a", 0, "b"]), 1);
  assertEquals(valueAt({ a: [] }, ["a", 0, "b"]), undefined);
});
