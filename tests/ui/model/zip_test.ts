import { assert, assertEquals } from "@std/assert";
import { rawTar, rawZip } from "../../../lib/artifacts/formats/testing/raw_archives.ts";
import { previewOf } from "../../../ui/model/artifacts/preview.ts";
import { zipFiles } from "../../../ui/model/artifacts/zip.ts";

const file = (bytes: Uint8Array<ArrayBuffer>, isWhole = true) => ({ name: "a", type: "", bytes, isWhole });

Deno.test("zip: lists files and sizes without decompressing anything", async () => {
  const archive = rawZip([
    { name: "a.txt", text: "first" },
    { name: "dir", type: "folder" },
    { name: "dir/b.txt", text: "the second", size: 1_000_000 },
  ]);
  const files = [{ name: "a.txt", size: 5 }, { name: "dir/b.txt", size: 1_000_000 }];
  assertEquals(await previewOf(file(archive)), { kind: "packed", files, isWhole: true });
});

Deno.test("zip: a truncated archive lists the files that begin before its end", async () => {
  const archive = rawZip([{ name: "a.txt", text: "first" }, { name: "b.txt", text: "second" }]);
  const files = [{ name: "a.txt", size: 5 }, { name: "b.txt", size: 6 }];
  assertEquals(zipFiles(archive.subarray(0, archive.length - 40)), files);
  // Truncated between the two headers, before the second file.
  const preview = await previewOf(file(archive.slice(0, 45), false));
  assertEquals(preview, { kind: "packed", files: files.slice(0, 1), isWhole: false });
});

Deno.test("zip: sizes after the files are read from the central directory", () => {
  const archive = rawZip([{ name: "a.txt", text: "first" }, { name: "b.txt", text: "second" }]);
  archive[6] = 8; // the flag for sizes after the file
  archive.fill(0, 18, 26);
  assertEquals(zipFiles(archive).map(({ size }) => size), [5, 6]);
  assertEquals(zipFiles(archive.subarray(0, 60)), [{ name: "a.txt", size: undefined }]);
});

Deno.test("zip: an invalid offset or size ends the list, which has at most 1,000 files", () => {
  const archive = rawZip([{ name: "a.txt", text: "first" }, { name: "b.txt", text: "second" }]);
  for (let index = 0; index < archive.length; index++) {
    const broken = archive.slice();
    broken.fill(0xff, index, index + 8);
    assert(zipFiles(broken).length <= 2);
  }
  const many = Array.from({ length: 1001 }, (_, index) => ({ name: `f${index}` }));
  assertEquals(zipFiles(rawZip(many)).length, 1000);
});

Deno.test("zip: a list that was limited to 1,000 files is marked as incomplete, and folders are not files", async () => {
  const many = Array.from({ length: 1001 }, (_, index) => ({ name: `f${index}` }));
  for (const archive of [rawZip(many), rawTar(many)]) {
    const preview = await previewOf(file(archive));
    assert(preview.kind === "packed");
    assertEquals([preview.files.length, preview.isWhole], [1000, false]);
  }
  const folders = Array.from({ length: 1001 }, (_, index) => ({ name: `d${index}`, type: "folder" as const }));
  assertEquals(zipFiles(rawZip([...folders, { name: "a.txt", text: "first" }])), [{ name: "a.txt", size: 5 }]);
});
