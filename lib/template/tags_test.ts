import { assertEquals, assertThrows } from "@std/assert";
import { TemplateError } from "./error.ts";
import { findTags, isClosed } from "./tags.ts";

Deno.test("a tag ends at the very next closing braces", () => {
  assertEquals(findTags("a{{b}}c"), { texts: ["a", "c"], tags: ["b"] });
  assertEquals(findTags("{{={a:{b:1}}}}"), { texts: ["", "}}"], tags: ["={a:{b:1"] });
});

Deno.test("an opening within a tag belongs to the tag", () => {
  assertEquals(findTags("{{a.{{b}}}}"), { texts: ["", "}}"], tags: ["a.{{b"] });
});

Deno.test("a closing without an opening is text", () => {
  assertEquals(findTags("a}}b"), { texts: ["a}}b"], tags: [] });
});

Deno.test("an opening without a closing is an error", () => {
  assertThrows(() => findTags("a{{b"), TemplateError, "Cannot find end tag");
  assertEquals(isClosed("a{{b"), false);
  assertEquals(isClosed("{{a}}{{b}}"), true);
});
