import { assertEquals, assertRejects } from "@std/assert";
import { chunksOf } from "./chunks.ts";
import type { Bytes } from "./net.ts";

/**
 * A stream that fills buffers with numbers, three bytes at a time, and records in `totals` the number of buffers and
 * its cancellation.
 */
function counting(until: number, totals: { buffers: number; cancelled: boolean }): ReadableStream<Bytes> {
  let offset = 0;
  return new ReadableStream({
    type: "bytes",
    pull(stream) {
      const view = stream.byobRequest!.view!;
      totals.buffers = Math.max(totals.buffers, view.buffer.byteLength);
      const part = new Uint8Array(view.buffer, view.byteOffset, 3);
      const left = Math.min(3, until - offset);
      for (let index = 0; index < left; index++) part[index] = offset++;
      if (left === 0) stream.close();
      stream.byobRequest!.respond(left);
    },
    cancel() {
      totals.cancelled = true;
    },
  }, { highWaterMark: 0 });
}

async function copied(stream: ReadableStream<Bytes>): Promise<number[]> {
  const all: number[] = [];
  for await (const chunk of chunksOf(stream, 1_000_000)) all.push(...chunk);
  return all;
}

Deno.test("chunksOf: reuses one buffer if the stream supports it", async () => {
  const told = { buffers: 0, cancelled: false };
  assertEquals(await copied(counting(8, told)), [0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals(told.buffers, 262_144);
  const small = { buffers: 0, cancelled: false };
  for await (const chunk of chunksOf(counting(8, small), 8)) assertEquals(chunk.length <= 3, true);
  assertEquals(small.buffers, 8);
});

Deno.test("chunksOf: passes on the chunks of other streams", async () => {
  const chunks = [new Uint8Array([1]), new Uint8Array([2, 3])];
  assertEquals(await copied(ReadableStream.from(chunks)), [1, 2, 3]);
});

Deno.test("chunksOf: cancels the stream when the iteration ends early, and passes on its error", async () => {
  const told = { buffers: 0, cancelled: false };
  for await (const _ of chunksOf(counting(8, told), 8)) break;
  assertEquals(told.cancelled, true);
  const failing = new ReadableStream<Bytes>({ type: "bytes", pull: (stream) => stream.error(new Error("torn")) });
  await assertRejects(() => copied(failing), Error, "torn");
});
