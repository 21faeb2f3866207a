import { brotliCompressSync, zstdCompressSync } from "node:zlib";
import { assertEquals, assertRejects } from "@std/assert";
import { JsonCounter } from "./json_counter.ts";
import { unpackNodes, UnreadableNodesError } from "./unpack.ts";

const LIMITS = { bytes: 1_000_000, values: 10_000, depth: 20 };

async function packed(text: string | ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const stream = typeof text === "string" ? new Blob([text]).stream() : text;
  return (await new Response(stream.pipeThrough(new CompressionStream("gzip"))).bytes()).toBase64();
}

async function refusal(text: string): Promise<string> {
  return (await assertRejects(() => unpackNodes(text, LIMITS), UnreadableNodesError)).message;
}

Deno.test("unpackNodes() stops at the first byte too many, however much is still packed", async () => {
  let unpacked = 0;
  const zeros = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (unpacked >= 200_000_000) return controller.close();
      controller.enqueue(new Uint8Array(1_000_000).fill(0x20));
      unpacked += 1_000_000;
    },
  });
  const bomb = await packed(zeros);
  const before = Deno.memoryUsage().external;
  assertEquals(await refusal(bomb), "status.compressedNodes unpacks to more than 1000000 bytes");
  assertEquals(Deno.memoryUsage().external - before < 10_000_000, true);
});

for (const pack of [zstdCompressSync, brotliCompressSync]) {
  Deno.test(`unpackNodes() stops at the first byte too many of what ${pack.name} made`, async () => {
    const bomb = pack(new Uint8Array(200_000_000).fill(0x20)).toBase64();
    const before = Deno.memoryUsage().external;
    assertEquals(await refusal(bomb), "status.compressedNodes unpacks to more than 1000000 bytes");
    assertEquals(Deno.memoryUsage().external - before < 10_000_000, true);
  });
}

Deno.test("unpackNodes() counts values: many small lists are little text and much memory", async () => {
  const lists = `{"a":[${"[],".repeat(20_000)}[]]}`;
  assertEquals(await refusal(await packed(lists)), "status.compressedNodes unpacks to more than 10000 values");
});

Deno.test("unpackNodes() refuses what lies too deep before it is parsed", async () => {
  const deep = `{"a":${"[".repeat(21)}${"]".repeat(21)}}`;
  assertEquals(
    await refusal(await packed(deep)),
    "status.compressedNodes unpacks to lists and objects more than 20 deep",
  );
});

Deno.test("unpackNodes() says of what is no base64, no gzip, no JSON or no object that it cannot be unpacked", async () => {
  for (const text of ["%", btoa("plain"), await packed("{"), await packed("[]"), await packed("null")]) {
    assertEquals((await refusal(text)).startsWith("status.compressedNodes cannot be unpacked: "), true);
  }
});

Deno.test("unpackNodes() refuses what is unpacked and is no node, and names the first", async () => {
  const good = { id: "w", name: "w", type: "Pod" };
  const text = await packed(JSON.stringify({ w: good, x: { ...good, children: "w" }, y: 1 }));
  assertEquals(
    await refusal(text),
    'status.compressedNodes cannot be read: "x" children: expected list, got "w"',
  );
});

Deno.test("JsonCounter counts alike wherever the text is cut", () => {
  const text = new TextEncoder().encode(JSON.stringify({ 'a"\\': ["[{,:", "\\", '"', 1, [[]]], b: {} }));
  const whole = new JsonCounter();
  whole.read(text);
  assertEquals([whole.bytes, whole.depth], [text.length, 4]);
  const cut = new JsonCounter();
  for (const byte of text) cut.read(Uint8Array.of(byte));
  assertEquals({ ...cut }, { ...whole });
});

Deno.test("unpackNodes() takes as many nodes as a controller may make that is set up for more", async () => {
  const nodes = Object.fromEntries(
    Array.from({ length: 25_001 }, (_, id) => [`n${id}`, { id: `n${id}`, name: "n", type: "Pod" }]),
  );
  const text = await packed(JSON.stringify(nodes));
  await assertRejects(
    () => unpackNodes(text),
    UnreadableNodesError,
    "holds 25001 nodes, and a workflow may have 25000",
  );
  assertEquals(Object.keys(await unpackNodes(text, { nodes: 50_000 })).length, 25_001);
});
