/** Tests of bodies in chunks of any size. */
import { assertEquals, assertRejects } from "@std/assert";
import { inLargePieces, readBody } from "./body.ts";
import { WireError } from "./errors.ts";

/** Numbered bytes, in chunks of these lengths. */
async function* pieces(lengths: Iterable<number>) {
  let offset = 0;
  for (const length of lengths) yield Uint8Array.from({ length }, () => offset++ % 251);
}

const repeated = (length: number, times: number) => Array.from({ length: times }, () => length);

for (
  const [title, lengths] of Object.entries<readonly number[]>({
    "bytes one by one": repeated(1, 200_000),
    "pieces of a frame": repeated(16_384, 20),
    "large pieces": [70_000, 65_536, 200_000],
    "small and large ones mixed": [1, 70_000, 3, 0, 65_535, 5, 100_000, 2],
    "one small piece": [7],
    "nothing": [],
    "empty pieces": repeated(0, 1000),
  })
) {
  Deno.test(`bodies: chunks are combined to a few pieces with the same bytes: ${title}`, async () => {
    const whole = lengths.reduce((sum, length) => sum + length, 0);
    const kept: number[] = [];
    let count = 0;
    for await (const piece of inLargePieces(pieces(lengths))) {
      count++;
      for (const byte of piece) kept.push(byte);
    }
    assertEquals(count <= whole / 65_536 + 1, true, `${count} pieces`);
    assertEquals(kept.length, whole);
    assertEquals(kept.findIndex((byte, index) => byte !== index % 251), -1);
  });
}

Deno.test("bodies: the size limit applies to small chunks as well", async () => {
  const body = ReadableStream.from(pieces(repeated(1, 100_000)));
  const request = new Request("http://server.test/", { method: "POST", body });
  const error = await assertRejects(() => readBody(request, 99_999), WireError);
  assertEquals(error.status, 413);
});
