import { assert, assertEquals } from "@std/assert";
import { previewOf, rowsOf } from "./preview.ts";
import { jsonRowsOf } from "./json_rows.ts";
import { tarFiles } from "./tar.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const file = (name: string, bytes: Uint8Array<ArrayBuffer>, isWhole = true) => ({ name, type: "", bytes, isWhole });

async function gzipped(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

Deno.test("previewOf: detects an image from its content under any name", async () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2]);
  assertEquals((await previewOf(file("notes.txt", png))).kind, "image");
  assertEquals((await previewOf(file("notes.txt", new Uint8Array(400)))).kind, "binary");
  assertEquals((await previewOf(file("a.png", bytesOf("plain words")))).kind, "text");
  assertEquals((await previewOf(file("empty", new Uint8Array()))).kind, "empty");
});

Deno.test("previewOf: detects audio, video and PDF by signature", async () => {
  const kinds = ["RIFF\x01\x02\x03\x04WAVEfmt ", "ID3\x03", "OggS", "\0\0\0\x18ftypM4A ", "\0\0\0\x18ftypisom"];
  const webm = "\x1a\x45\xdf\xa3";
  const previews = await Promise.all(
    [...kinds, webm, "%PDF-1.7\n"].map((signs) =>
      previewOf(file("notes.txt", Uint8Array.from(signs, (sign) => sign.charCodeAt(0))))
    ),
  );
  assertEquals(previews.map(({ kind }) => kind), ["audio", "audio", "audio", "audio", "video", "video", "pdf"]);
  assertEquals((await previewOf(file("a.pdf", bytesOf("no PDF, but a text about %PDF-")))).kind, "text");
});

Deno.test("previewOf: indents complete JSON, and shows truncated or invalid JSON unchanged", async () => {
  assertEquals(await previewOf(file("a.json", bytesOf('{"a":1}'))), { kind: "text", text: '{\n  "a": 1\n}' });
  assertEquals(await previewOf(file("a.json", bytesOf('{"a":1'), false)), { kind: "text", text: '{"a":1' });
  const deep = "[".repeat(50_000) + "]".repeat(50_000);
  assertEquals(await previewOf(file("a.json", bytesOf(deep))), { kind: "text", text: deep });
});

Deno.test("previewOf: decompresses at most about 16 MiB", async () => {
  const bomb = await gzipped(new Uint8Array(64 * 1024 * 1024).fill(0x61));
  assert(bomb.length < 100_000);
  const preview = await previewOf(file("bomb.gz", bomb));
  assert(preview.kind === "text" && preview.text.length <= 1024 * 1024);
});

Deno.test("previewOf: shows gzipped audio, images and PDF like the original", async () => {
  const pdf = bytesOf("%PDF-1.7\n");
  const preview = await previewOf(file("a.pdf.gz", await gzipped(pdf)));
  assert(preview.kind === "pdf");
  assertEquals(preview.bytes, pdf);
});

Deno.test("previewOf: stops decompressing a file that contains itself", async () => {
  let bytes = bytesOf("words");
  for (let layer = 1; layer <= 3; layer++) bytes = await gzipped(bytes);
  assertEquals((await previewOf(file("a.gz", bytes))).kind, "text");
  for (let layer = 4; layer <= 10; layer++) bytes = await gzipped(bytes);
  assertEquals((await previewOf(file("a.gz", bytes))).kind, "binary");
});

Deno.test("rowsOf: reads quoted cells with separators, line breaks and quotes", () => {
  assertEquals(rowsOf('a,"b,""c""\nd"\r\ne,f', ",").rows, [["a", 'b,"c"\nd'], ["e", "f"]]);
  assertEquals(rowsOf("x\n".repeat(2000), ",").isCut, true);
});

Deno.test("previewOf: noise is not an archive, and a truncated archive ends with the beginning of its last file", () => {
  assertEquals(tarFiles(new Uint8Array(2048).fill(7)), []);
  const archive = new Uint8Array(1024);
  const put = (offset: number, text: string) => archive.set(bytesOf(text), offset);
  put(0, "a.txt");
  put(124, "00000002000");
  put(148, "        ");
  put(156, "0");
  put(148, archive.subarray(0, 512).reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0"));
  archive[154] = 0;
  archive.fill(0x61, 512);
  const [only] = tarFiles(archive);
  assertEquals([only?.name, only?.size, only?.bytes.length], ["a.txt", 1024, 512]);
});

Deno.test("previewOf: JSON Lines are a table with a column for each field, under any file name", async () => {
  const lines = '{"a":1,"b":"x"}\n\n{"b":null,"c":{"d":[2]}}\n';
  assertEquals(await previewOf(file("out", bytesOf(lines))), {
    kind: "table",
    rows: [["a", "b", "c"], ["1", "x", ""], ["", "null", '{"d":[2]}']],
    isCut: false,
  });
  assertEquals((await previewOf(file("out.jsonl", bytesOf(`${lines}no JSON`)))).kind, "text");
  assertEquals((await previewOf(file("out.jsonl", bytesOf("1\n2\n")))).kind, "text");
});

Deno.test("previewOf: truncated JSON Lines are shown up to the last complete line, with at most 1,000 rows and 100 columns", () => {
  assertEquals(jsonRowsOf('{"a":1}\n{"a":2}\n{"a":', false), { rows: [["a"], ["1"], ["2"]], isCut: true });
  const many = jsonRowsOf('{"a":1}\n'.repeat(1001), true);
  assertEquals([many?.rows.length, many?.isCut], [1001, true]);
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, index])));
  const rows = jsonRowsOf(`${wide}\n${wide}\n`, true);
  assertEquals([rows?.rows[0]?.length, rows?.isCut], [100, true]);
});

Deno.test("previewOf: JSON Lines may have fields named like methods of objects", () => {
  assertEquals(jsonRowsOf('{"constructor":1,"__proto__":2}\n{"a":3}', true)?.rows, [
    ["constructor", "__proto__", "a"],
    ["1", "2", ""],
    ["", "", "3"],
  ]);
});

Deno.test("previewOf: detects Parquet by signature, and not text that starts with the same letters", async () => {
  assertEquals((await previewOf(file("a.csv", bytesOf("PAR1,PAR2\n1,2\n")))).kind, "table");
  const bytes = bytesOf(`PAR1${"\0".repeat(40)}PAR1`);
  assertEquals(await previewOf(file("a", bytes)), { kind: "binary", format: "Parquet", reason: "it is damaged" });
  const reason = "it is too large to read as a whole, and the store cannot return parts of it";
  assertEquals(await previewOf(file("a", bytes, false)), { kind: "binary", format: "Parquet", reason });
});

Deno.test("previewOf: Markdown is detected by its name or type", async () => {
  assertEquals(await previewOf(file("README.MD", bytesOf("# a"))), { kind: "markdown", text: "# a" });
  assertEquals(
    (await previewOf({ ...file("a", bytesOf("# a")), type: "text/markdown; charset=utf-8" })).kind,
    "markdown",
  );
  assertEquals((await previewOf(file("notes.txt", bytesOf("# a")))).kind, "text");
});
