import { assertEquals } from "@std/assert";
import { linesOfStream } from "./log_lines.ts";

const MAX_LENGTH = 1 << 20;

/** Returns the pieces of a text that arrives in chunks of `part` bytes. */
async function piecesOf(text: string, part: number) {
  const bytes = new TextEncoder().encode(text);
  async function* parts() {
    for (let offset = 0; offset < bytes.length; offset += part) {
      yield await Promise.resolve(bytes.subarray(offset, offset + part));
    }
  }
  return (await Array.fromAsync(linesOfStream(parts()))).flat();
}

for (const end of ["", "\n"]) {
  Deno.test(`linesOfStream: splits a long line between characters, ${end ? "ended" : "not ended"}`, async () => {
    const line = `${"a".repeat(MAX_LENGTH - 1)}😀${"b".repeat(MAX_LENGTH)}`;
    for (const part of [65_536, line.length * 4]) {
      const pieces = await piecesOf(`${line}${end}next`, part);
      assertEquals(pieces.map(({ isRest }) => isRest), end ? [false, true, true, false] : [false, true, true]);
      assertEquals(pieces.map(({ text }) => text.isWellFormed()).includes(false), false);
      assertEquals(pieces.map(({ text }) => text).join(""), `${line}next`);
    }
  });
}

Deno.test("linesOfStream: a long line in many small chunks is searched once", async () => {
  let searched = 0;
  const split = String.prototype.split;
  try {
    String.prototype.split = function (this: string, ...args: Parameters<typeof split>) {
      searched += this.length;
      return split.apply(this, args);
    } as typeof split;
    const pieces = await piecesOf("x".repeat(200_000), 16);
    assertEquals(pieces.map(({ text }) => text.length), [200_000]);
  } finally {
    String.prototype.split = split;
  }
  assertEquals(searched, 200_000);
});
