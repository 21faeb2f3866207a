import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { byteStream, passedOn, type ReadNext } from "./byte_stream.ts";
import { chunksOf } from "./chunks.ts";
import type { Bytes } from "./net.ts";

/** Reads `1`, `2`, … one byte at a time, `count` of them; `buffers` hears how large the buffers are that it is given. */
function counting(count: number, buffers: number[] = []): ReadNext {
  let at = 0;
  return (into) => {
    if (at === count) return Promise.resolve(undefined);
    at++;
    if (!into) return Promise.resolve(new Uint8Array([at]));
    buffers.push(into.buffer.byteLength);
    into[0] = at;
    return Promise.resolve(into.subarray(0, 1));
  };
}

const stream = (next: ReadNext) => byteStream(next, () => {});

/** All chunks, each kept as it came. */
async function kept(from: ReadableStream<Bytes>): Promise<Bytes[]> {
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

Deno.test("a reader that brings no buffer may keep every chunk of a byteStream()", async () => {
  assertEquals((await kept(stream(counting(4)))).flatMap((chunk) => [...chunk]), FOUR);
  assertEquals((await kept(passedOn(stream(counting(4)), {}))).flatMap((chunk) => [...chunk]), FOUR);
});

Deno.test("a reader that brings a buffer has the same one filled, through all that looks at the stream on its way", async () => {
  for (const layers of [0, 1, 3]) {
    const buffers: number[] = [];
    let from = stream(counting(4, buffers));
    for (let layer = 0; layer < layers; layer++) from = passedOn(from, {});
    assertEquals([await copied(from), buffers], [FOUR, [10, 10, 10, 10]]);
  }
});

Deno.test("passedOn() shows each chunk, and what is thrown at the end is the end, to readers of both kinds", async () => {
  for (const read of [kept, copied]) {
    const seen: number[] = [];
    const see = (part: Bytes) => void seen.push(...part);
    await read(passedOn(stream(counting(4)), { see }));
    assertEquals(seen, FOUR);
    const atEnd = () => {
      throw new Error("another sum");
    };
    await assertRejects(() => read(passedOn(stream(counting(4)), { atEnd })), Error, "another sum");
  }
});

Deno.test("passedOn() translates failures, to readers of both kinds", async () => {
  const broken: ReadNext = () => Promise.reject(new Error("reset"));
  const failed = (error: unknown) => new Error(`the store: ${(error as Error).message}`);
  for (const read of [kept, copied]) {
    await assertRejects(() => read(passedOn(stream(broken), { failed })), Error, "the store: reset");
  }
});

Deno.test("passedOn() takes the chunks of a stream that fills no buffers as they are, the large ones too", async () => {
  const large = new Uint8Array(100).fill(7);
  const seen: number[] = [];
  const from = passedOn(ReadableStream.from([large, new Uint8Array([8])]), {
    see: (part) => void seen.push(part.length),
  });
  assertEquals([(await copied(from)).length, seen], [101, [100, 1]]);
});

Deno.test("who gives up a stream on its way gives up the stream below", async () => {
  const told: unknown[] = [];
  const below = byteStream(counting(4), (reason) => void told.push(reason));
  await passedOn(below, {}).cancel("enough");
  const other = byteStream(counting(4), () => void told.push("left"));
  for await (const _ of chunksOf(passedOn(other, {}), 10)) break;
  assertEquals(told, ["enough", "left"]);
});

Deno.test("a stream whose bytes are read below it belongs to who reads them, and is not given up at its end", async () => {
  const told: unknown[] = [];
  const below = byteStream(counting(2), () => void told.push("left"));
  const chunks = chunksOf(passedOn(below, {}), 10);
  assertEquals((await chunks.next()).value, new Uint8Array([1]));
  assertThrows(() => below.getReader(), TypeError);
  assertEquals([(await chunks.next()).value, (await chunks.next()).done], [new Uint8Array([2]), true]);
  assertEquals(told, []);
});

Deno.test("chunksOf() goes on with a stream of which somebody else has read, and with none that was given up", async () => {
  const from = stream(counting(4));
  const reader = from.getReader();
  assertEquals((await reader.read()).value, new Uint8Array([1]));
  reader.releaseLock();
  assertEquals(await copied(from), [2, 3, 4]);
  const left = stream(counting(4));
  await left.cancel();
  assertEquals(await copied(left), []);
});
