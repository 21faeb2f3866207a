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

Deno.test("readArtifact: a JSON listing that was not read to its end contains the whole entries before it", () => {
  const files = [{ name: '},{"name":', size: 1 }, { name: "b", size: 22 }, { name: "ü", size: undefined }];
  const bytes = new TextEncoder().encode(JSON.stringify({ items: files }));
  const answer = { url: "http://argo/out/", headers: new Headers({ "content-type": "application/json" }) };
  const namesUpTo = (length: number) => {
    const content = readArtifact({ ...answer, bytes: bytes.slice(0, length), isWhole: length === bytes.length });
    return content.kind === "folder" ? content.files.map(({ name }) => name) : content.kind;
  };
  assertEquals(readArtifact({ ...answer, bytes, isWhole: true }), { kind: "folder", isWhole: true, files });
  const found = new Set(Array.from({ length: bytes.length }, (_, length) => namesUpTo(length).length));
  assertEquals([...found], [0, 1, 2]);
  assertEquals(namesUpTo(bytes.length - 3), files.slice(0, 2).map(({ name }) => name));
});
