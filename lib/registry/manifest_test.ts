import { assertThrows } from "@std/assert";
import { ImageError } from "./image_error.ts";
import { readDocument } from "./manifest.ts";

const table: readonly (readonly [string, string, string])[] = [
  ["the page of a proxy", "<html>", "got none: tool:1"],
  ["another document", "{}", "got none"],
  ["nothing", "null", "got none"],
  ["a manifest of the first form", '{"schemaVersion":1,"fsLayers":[]}', "schema 1"],
];

for (const [rule, text, words] of table) {
  Deno.test(`readDocument: rejects ${rule}`, () => {
    assertThrows(() => readDocument(new TextEncoder().encode(text), "tool:1"), ImageError, words);
  });
}
