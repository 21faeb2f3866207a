import { assertEquals, assertThrows } from "@std/assert";
import { TemplateError } from "./error.ts";
import { findTags, isClosed } from "./tags.ts";

Deno.test("findTags: a tag ends at the next closing braces", () => {
  assertEquals(findTags("a{{b}}c"), { texts: ["a", "c"], tags: ["b"] });
  assertEquals(findTags("{{={a:{b:1}}}}"), { texts: ["", "}}"], tags: ["={a:{b:1"] });
});

Deno.test("findTags: opening braces within a tag belong to the tag", () => {
  assertEquals(findTags("{{a.{{b}}}}"), { texts: ["", "}}"], tags: ["a.{{b"] });
});

Deno.test("findTags: closing braces without opening ones are text", () => {
  assertEquals(findTags("a}}b"), { texts: ["a}}b"], tags: [] });
});

Deno.test("findTags: opening braces without closing ones are an error", () => {
  assertThrows(() => findTags("a{{b"), TemplateError, "Cannot find end tag");
  assertEquals(isClosed("a{{b"), false);
  assertEquals(isClosed("{{a}}{{b}}"), true);
});
