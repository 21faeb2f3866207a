import { assertEquals } from "@std/assert";
import { readArtifact } from "./read.ts";

Deno.test("readArtifact: a listing of a folder is whole only if it was read to its end", () => {
  const html =
    '<html><body><ul>\n<li><a href="..">..</a></li>\n<li><a href="./a">a</a></li>\n<li><a href="./b">b</a></li>\n';
  const answer = { url: "http://argo/out/", headers: new Headers({ "content-type": "text/html; charset=utf-8" }) };
  const files = ["a", "b"].map((name) => ({ name, size: undefined }));
  for (const isWhole of [true, false]) {
    const content = readArtifact({ ...answer, bytes: new TextEncoder().encode(html), isWhole });
    assertEquals(content, { kind: "folder", isWhole, files });
  }
});
