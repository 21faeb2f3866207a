import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { byteStream, type ReadNext, tapStream } from "./byte_stream.ts";
import { chunksOf } from "./chunks.ts";
import type { Bytes } from "./net.ts";

/** Reads `1`, `2`, … one byte at a time, `count` of them; records the sizes of the given buffers in `buffers`. */
function counting(count: number, buffers: number[] = []): ReadNext {
  let offset = 0;
  return (into) => {
    if (offset === count) return Promise.resolve(undefined);
    offset++;
    if (!into) return Promise.resolve(new Uint8Array([offset]));
    buffers.push(into.buffer.byteLength);
    into[0] = offset;
    return Promise.resolve(into.subarray(0, 1));
  };
}

const stream = (next: ReadNext) => byteStream(next, () => {});

/** Returns all chunks without copying them. */
async function collectChunks(from: ReadableStream<Bytes>): Promise<Bytes[]> {
  const chunks: Bytes[] = [];
  for await (const chunk of from) chunks.push(chunk);
  return chunks;
}

async function copied(from: ReadableStream<Bytes>, size = 10): Promise<number[]> {
  const all: number[] = [];
  for await (const chunk of chunksOf(from, size)) all.push(...chunk);
  return all;
}

const FOUR = [1, 2, 3, 4];

Deno.test("byteStream: a reader without a buffer may keep every chunk", async () => {
  assertEquals((await collectChunks(stream(counting(4)))).flatMap((chunk) => [...chunk]), FOUR);
  assertEquals((await collectChunks(tapStream(stream(counting(4)), {}))).flatMap((chunk) => [...chunk]), FOUR);
});

Deno.test("byteStream: fills the reader's buffer through several hooks", async () => {
  for (const layers of [0, 1, 3]) {
    const buffers: number[] = [];
    let from = stream(counting(4, buffers));
    for (let layer = 0; layer < layers; layer++) from = tapStream(from, {});
    assertEquals([await copied(from), buffers], [FOUR, [10, 10, 10, 10]]);
  }
});

Deno.test("tapStream: shows each chunk, and an error at the end fails the stream, for both kinds of readers", async () => {
  for (const read of [collectChunks, copied]) {
    const seen: number[] = [];
    const see = (part: Bytes) => void seen.push(...part);
    await read(tapStream(stream(counting(4)), { see }));
    assertEquals(seen, FOUR);
    const atEnd = () => {
      throw new Error("another sum");
    };
    await assertRejects(() => read(tapStream(stream(counting(4)), { atEnd })), Error, "another sum");
  }
});

Deno.test("tapStream: maps errors, for both kinds of readers", async () => {
  const broken: ReadNext = () => Promise.reject(new Error("reset"));
  const failed = (error: unknown) => new Error(`the store: ${(error as Error).message}`);
  for (const read of [collectChunks, copied]) {
    await assertRejects(() => read(tapStream(stream(broken), { failed })), Error, "the store: reset");
  }
});

Deno.test("tapStream: passes on the chunks of a stream that fills no buffers, including large ones", async () => {
  const large = new Uint8Array(100).fill(7);
  const seen: number[] = [];
  const from = tapStream(ReadableStream.from([large, new Uint8Array([8])]), {
    see: (part) => void seen.push(part.length),
  });
  assertEquals([(await copied(from)).length, seen], [101, [100, 1]]);
});

Deno.test("tapStream: canceling cancels the source", async () => {
  const told: unknown[] = [];
  const below = byteStream(counting(4), (reason) => void told.push(reason));
  await tapStream(below, {}).cancel("enough");
  const other = byteStream(counting(4), () => void told.push("left"));
  for await (const _ of chunksOf(tapStream(other, {}), 10)) break;
  assertEquals(told, ["enough", "left"]);
});

Deno.test("fillingSource: locks the stream, and its end does not cancel it", async () => {
  const told: unknown[] = [];
  const below = byteStream(counting(2), () => void told.push("left"));
  const chunks = chunksOf(tapStream(below, {}), 10);
  assertEquals((await chunks.next()).value, new Uint8Array([1]));
  assertThrows(() => below.getReader(), TypeError);
  assertEquals([(await chunks.next()).value, (await chunks.next()).done], [new Uint8Array([2]), true]);
  assertEquals(told, []);
});

Deno.test("chunksOf: continues a partly read stream and yields nothing of a canceled one", async () => {
  const from = stream(counting(4));
  const reader = from.getReader();
  assertEquals((await reader.read()).value, new Uint8Array([1]));
  reader.releaseLock();
  assertEquals(await copied(from), [2, 3, 4]);
  const left = stream(counting(4));
  await left.cancel();
  assertEquals(await copied(left), []);
});
