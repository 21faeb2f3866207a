import { assertEquals } from "@std/assert";
import { readLines } from "./lines.ts";

/** The lines of a text that arrives in chunks of some bytes. */
async function linesOf(text: string, chunkBytes: number): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  const chunks: Uint8Array[] = [];
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    chunks.push(bytes.subarray(offset, offset + chunkBytes));
  }
  return await Array.fromAsync(readLines(ReadableStream.from(chunks)));
}

Deno.test("readLines: lines and characters may be divided between chunks in any way", async () => {
  const texts = ["", "\n", "a\n", "\n\na", "one\ntwo – €\n\nthree", "a\r\nb"];
  for (const text of texts) {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    for (const bytes of [1, 2, 3, 100]) {
      assertEquals(await linesOf(text, bytes), lines, `${JSON.stringify(text)} ${bytes}`);
    }
  }
});

Deno.test("readLines: bytes that are not UTF-8 at the end are replaced", async () => {
  const chunks = [Uint8Array.of(0x61, 0x0a, 0x62, 0xe2)];
  assertEquals(await Array.fromAsync(readLines(ReadableStream.from(chunks))), ["a", "b\ufffd"]);
});
